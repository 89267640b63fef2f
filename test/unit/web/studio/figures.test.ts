import { describe, expect, it } from 'vitest';
import {
  describeBase,
  formatAmounts,
  formatPercent,
  formatPeriod,
  formatScore,
  listStatistics,
} from '../../../../src/web/studio/client/results/describe-figures.ts';
import {
  type Distribution,
  figuresOf,
  npsGroups,
  npsScore,
  type QuestionData,
  reservedHeightRem,
} from '../../../../src/web/studio/client/results/figure-kind.ts';
import { axisTicks } from '../../../../src/web/studio/client/results/axis-ticks.ts';
import { fitsColumns, orderedShares } from '../../../../src/web/studio/client/results/ordered-shares.ts';

const NO_REASONS = { dont_know: 0, refused: 0, not_applicable: 0 };

const NO_UNIT = { before: '', after: '' };

const STATS = { mean: 3.25, median: 3, sd: 1, min: 1, max: 5, p25: 2, p75: 4 };

const distribution = (fields: Partial<Distribution> = {}): Distribution => ({
  column_code: 'Q1',
  label: 'A question',
  type: 'categorical',
  measure: 'nominal',
  base: 4,
  weighted_base: null,
  effective_base: null,
  missing: {
    skipped: 0,
    not_shown: 0,
    not_applicable: 0,
    option_missing: 0,
    no_answer: NO_REASONS,
    without_weight: 0,
  },
  categories: [],
  distinct: 0,
  truncated: false,
  grouped_by: null,
  breaks: null,
  stats: null,
  notes: [],
  ...fields,
});

const data = (fields: Partial<QuestionData>): QuestionData => ({
  question_id: 1,
  question_code: 'Q1',
  question_type: 'single_choice',
  question_text: 'A question',
  columns: [],
  distributions: [],
  whole: null,
  counted: {
    responses: 4,
    test_responses_included: 0,
    test_responses_excluded: 0,
    quality_included: 0,
    quality_excluded: 0,
  },
  ...fields,
});

const share = (value: string, percent: number) => ({
  code: null,
  number: null,
  value,
  label: value,
  missing: false,
  count: percent,
  percent,
  weighted_count: null,
  weighted_percent: null,
});

describe('figures of a question', () => {
  it.each([
    [distribution(), 'single_choice', 'choices'],
    [distribution({ type: 'multiple' }), 'multiple_choice', 'choices'],
    [distribution({ measure: 'ordinal', stats: STATS }), 'single_choice', 'scale'],
    [distribution({ type: 'number', stats: { ...STATS, nps: 10 } }), 'nps', 'nps'],
    [distribution({ type: 'number', stats: STATS }), 'scale', 'scale'],
    [distribution({ type: 'number', stats: STATS }), 'number', 'histogram'],
    [distribution({ type: 'text' }), 'text', 'texts'],
    [distribution({ type: 'date' }), 'date', 'dates'],
    [distribution({ type: 'file' }), 'file_upload', 'files'],
  ] as const)('follow the type of the data', (one, type, kind) => {
    expect(figuresOf(data({ question_type: type, distributions: [one] })).map((each) => each.kind)).toEqual([
      kind,
    ]);
  });

  it('show the texts of an option "Other" below the bars', () => {
    const distributions = [distribution(), distribution({ column_code: 'Q1_other', type: 'text' })];
    expect(figuresOf(data({ distributions })).map(({ kind }) => kind)).toEqual(['choices', 'texts']);
  });

  it('show a matrix as a whole', () => {
    const whole = {
      column_code: 'Q1',
      label: 'A matrix',
      answered: 4,
      missing: {
        skipped: 0,
        not_shown: 0,
        not_applicable: 0,
        option_missing: 0,
        no_answer: NO_REASONS,
        without_weight: 0,
      },
      base: 4,
      weighted_base: null,
      effective_base: null,
      base_of: 'answering',
      type: 'matrix',
      rows: [],
    } as const;
    const question = data({
      question_type: 'matrix',
      distributions: [distribution()],
      whole: { ...whole, rows: [] },
    });
    expect(figuresOf(question).map(({ kind }) => kind)).toEqual(['matrix']);
  });

  it('group the points of a recommendation', () => {
    const categories = [share('0', 10), share('6', 20), share('7', 5), share('8', 25), share('10', 40)];
    expect(npsGroups(categories)).toEqual({ detractors: 30, passives: 30, promoters: 40 });
    expect(npsScore(categories)).toBe(10);
    expect(npsScore([{ value: '9', percent: null }])).toBeNull();
  });

  it('reserve more height for more options', () => {
    const options = (count: number) => Array.from({ length: count }, () => ({}));
    const height = (count: number) =>
      reservedHeightRem(
        { question_type: 'single_choice', question_settings: {}, options: options(count) },
        100,
      );
    expect(height(10)).toBeGreaterThan(height(3));
  });
});

describe('shares of ordered values', () => {
  const labels = (kind: 'scale' | 'histogram', values: [value: string, label?: string][]) => {
    const categories = values.map(([value, label = value]) => ({ ...share(value, 10), label }));
    const shares = orderedShares(kind, { categories, grouped_by: null });
    const isColumns = fitsColumns(kind, shares);
    return {
      isColumns,
      labels: shares.map(({ label, note }) => (note === undefined ? label : `${label}: ${note}`)),
    };
  };

  it('keep the number of a named point', () => {
    expect(labels('scale', [['1', 'Not at all'], ['2'], ['3', 'Very']])).toEqual({
      isColumns: true,
      labels: ['1: Not at all', '2', '3: Very'],
    });
  });

  it('have a column for each whole number between two answers', () => {
    expect(labels('histogram', [['-1'], ['2']])).toEqual({ isColumns: true, labels: ['-1', '0', '1', '2'] });
  });

  it('are no columns where the distances would be uneven', () => {
    expect(labels('histogram', [['1.5'], ['2.25']])).toEqual({ isColumns: false, labels: ['1.5', '2.25'] });
    expect(labels('histogram', [['18'], ['70']])).toEqual({ isColumns: false, labels: ['18', '70'] });
    expect(labels('histogram', [])).toEqual({ isColumns: true, labels: [] });
  });
});

describe('the axis of a histogram', () => {
  const bins = (...names: string[]) => names.map((label) => ({ label, count: 1, percent: 10 }));

  it('has the bounds of intervals at their edges', () => {
    expect(axisTicks(bins('0–9', '10–19'), [0, 10, 20])).toEqual([
      { label: '0', position: 0, fitsNarrow: true },
      { label: '10', position: 50, fitsNarrow: true },
      { label: '20', position: 100, fitsNarrow: true },
    ]);
  });

  it('has names below the middle of bars', () => {
    const positions = [25, 75].map((position) => expect.objectContaining({ position }));
    expect(axisTicks(bins('2', '3'), [2, 3, 4])).toEqual(positions);
    expect(axisTicks(bins('Mar 2026', 'Apr 2026'), null)).toEqual(positions);
  });

  it('leaves out labels that have no room', () => {
    const days = bins(...Array.from({ length: 12 }, (_, index) => `${index + 10} Mar 2026`));
    const ticks = axisTicks(days, null);
    expect(ticks.length).toBeLessThan(12);
    expect(ticks.filter(({ fitsNarrow }) => fitsNarrow).length).toBeLessThan(ticks.length);
  });
});

describe('numbers and periods', () => {
  it('are written for readers', () => {
    expect(formatAmounts('10000–19999')).toBe('10,000–19,999');
    expect(formatAmounts('1980–1989')).toBe('1980–1989');
    expect(['2026-03-02', '2026-03', '2026-Q1', '2026', '2020s'].map(formatPeriod)).toEqual([
      '2 Mar 2026',
      'Mar 2026',
      'Q1 2026',
      '2026',
      '2020s',
    ]);
  });
});

describe('sentences about figures', () => {
  it('name the base and each reason for a missing answer', () => {
    expect(describeBase(distribution({ base: 1 }))).toBe('1 answer');
    expect(describeBase(distribution({ base: 3, type: 'multiple' }))).toBe('3 respondents');
    const missing = {
      skipped: 1,
      not_shown: 1200,
      not_applicable: 0,
      option_missing: 2,
      no_answer: NO_REASONS,
      without_weight: 0,
    };
    expect(describeBase(distribution({ missing }))).toBe(
      '4 answers · 1 skipped · 1,200 not asked · 2 without an opinion',
    );
    const reasons = { dont_know: 5, refused: 1, not_applicable: 0 };
    expect(describeBase(distribution({ missing: { ...missing, no_answer: reasons } }))).toContain(
      '2 without an opinion · 5 “don’t know” · 1 refused',
    );
  });

  it('list statistics, with quartiles for numbers, and nothing without answers', () => {
    expect(listStatistics(STATS, { withQuartiles: false, unit: NO_UNIT })).toEqual([
      ['Mean', '3.25'],
      ['Median', '3'],
    ]);
    expect(listStatistics(STATS, { withQuartiles: true, unit: NO_UNIT }).slice(2)).toEqual([
      ['Standard deviation', '1.00'],
      ['Interquartile range', '2 to 4'],
      ['Range', '1 to 5'],
    ]);
    expect(
      listStatistics(STATS, { withQuartiles: true, unit: { before: '€', after: ' a month' } }).at(-1),
    ).toEqual(['Range', '€1 a month to €5 a month']);
    expect(listStatistics({ ...STATS, mean: null }, { withQuartiles: true, unit: NO_UNIT })).toEqual([]);
  });

  it('write shares and scores', () => {
    expect([formatPercent(33.333), formatPercent(null)]).toEqual(['33%', '–']);
    expect([formatScore(20), formatScore(-5), formatScore(0), formatScore(null)]).toEqual([
      '+20',
      '−5',
      '0',
      '–',
    ]);
  });
});
