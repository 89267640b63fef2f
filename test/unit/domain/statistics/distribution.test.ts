import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { MEASURES } from '../../../../src/domain/columns/column-spec.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import type { ResponseRow } from '../../../../src/domain/responses/response-row.ts';
import { selectRows } from '../../../../src/domain/dataset/filter/select-rows.ts';
import {
  createBinary,
  createColumn,
  NOT_APPLICABLE,
  NOT_SHOWN,
  SKIPPED,
  STATE_OF_NO_ANSWER,
} from '../../../../src/domain/columns/columns.ts';
import { runToCompletion } from '../../../../src/lib/concurrency.ts';
import { BASES } from '../../../../src/domain/statistics/base.ts';
import {
  computeDistribution,
  type DistributionOptions,
  computeColumnDistribution,
} from '../../../../src/domain/statistics/distribution.ts';
import { everyType, option, question, response, rowArbitrary, surveyOf } from '../dataset/survey-fixture.ts';
import { bigFive } from './big-five.ts';

function of(dataset: Dataset, code: string, options: Partial<DistributionOptions> = {}) {
  const entry = dataset.catalog.find(code);
  if (!entry) throw new Error(`column ${code} does not exist`);
  return computeDistribution(dataset, entry, { rows: selectRows(dataset), ...options });
}

const counts = ({ categories }: ReturnType<typeof of>) => categories.map(({ count }) => count);

describe('the distribution of the Big Five data', () => {
  const dataset = bigFive();

  test('of an item counts every option and the missing answers', () => {
    const a1 = of(dataset, 'A1');
    expect(counts(a1)).toEqual([922, 818, 402, 337, 223, 82]);
    expect(a1).toMatchObject({ base: 2784, missing: { skipped: 16, not_shown: 0, option_missing: 0 } });
    expect(a1.categories[0]?.percent).toBeCloseTo(33.1178, 4);
  });

  test('of gender and education', () => {
    expect(counts(of(dataset, 'gender'))).toEqual([919, 1881]);
    const education = of(dataset, 'education');
    expect(counts(education)).toEqual([224, 292, 1249, 394, 418]);
    expect(education.missing.skipped).toBe(223);
  });

  test('of age has the same statistics as R', () => {
    const { stats } = of(dataset, 'age');
    expect(stats?.mean).toBeCloseTo(28.78214, 5);
    expect(stats?.sd).toBeCloseTo(11.12755, 5);
    expect(stats).toMatchObject({ median: 26, p25: 20, p75: 35, min: 3, max: 86 });
  });

  test('of age in groups changes no count and no statistics', () => {
    const grouped = of(dataset, 'age', { maxGroups: 12 });
    const single = of(dataset, 'age');
    const inDecade = (decade: number) =>
      single.categories
        .filter(({ number }) => Math.floor(number! / 10) === decade)
        .reduce((sum, { count }) => sum + count, 0);
    expect(grouped.categories.map(({ label, count }) => [label, count])).toEqual(
      Array.from({ length: 9 }, (_, decade) => [`${decade * 10}–${decade * 10 + 9}`, inDecade(decade)]),
    );
    expect(grouped.stats).toEqual(single.stats);
  });

  test('keeps the points of a scale and few different values', () => {
    expect(of(dataset, 'A1', { maxGroups: 2 })).toMatchObject({ grouped_by: null, breaks: null });
    expect(of(dataset, 'age', { maxGroups: 1_000 })).toMatchObject({ grouped_by: null, breaks: null });
  });

  test('has the same percents and statistics with equal weights at any scale', () => {
    const plain = of(dataset, 'age');
    const weighted = of(dataset, 'age', { weights: new Float64Array(2800).fill(0.3) });
    expect(weighted.weighted_base).toBeCloseTo(840, 8);
    expect(weighted.effective_base).toBeCloseTo(2800, 8);
    for (const figure of ['mean', 'sd', 'median', 'p25', 'p75'] as const) {
      expect(weighted.stats?.[figure]).toBeCloseTo(plain.stats?.[figure] ?? NaN, 8);
    }
    weighted.categories.forEach(({ weighted_percent, percent }) =>
      expect(weighted_percent).toBeCloseTo(percent ?? NaN, 8),
    );
  });
});

const catalog = new ColumnCatalog(everyType);
const loadCodes = [...new Set(catalog.columns.flatMap((column) => column.loadCodes))];

const REASON_NAMES = ['skipped', 'not_shown', 'not_applicable'] as const;

/** The distribution of a column with values, counted cell by cell. */
function naive(dataset: Dataset, code: string, rows: readonly ResponseRow[], weights: Float64Array | null) {
  const column = dataset.column(code);
  const flagged = new Set(column.spec.values.filter(({ missing }) => missing).map(({ value }) => value));
  const groups = { answering: 0, option_missing: 0, skipped: 0, not_shown: 0, not_applicable: 0 };
  const found = new Map<string, { count: number; weight: number }>();
  rows.forEach((row, at) => {
    const weight = weights ? (weights[at] ?? NaN) : 1;
    if (row.status !== 'complete' || row.isDeleted || row.hasConfirmedFlags || !(weight > 0)) return;
    const cell = column.cell(at);
    if (cell === null) return groups[REASON_NAMES[column.missing(at)! - 1]!]++;
    const chosen = Array.isArray(cell) ? cell : [String(cell)];
    const isMissing = chosen.length > 0 && chosen.every((value) => flagged.has(value));
    groups[isMissing ? 'option_missing' : 'answering']++;
    for (const value of chosen) {
      const before = found.get(value) ?? { count: 0, weight: 0 };
      found.set(value, { count: before.count + 1, weight: before.weight + weight });
    }
  });
  return { groups, found };
}

describe('a distribution', () => {
  const rowsArbitrary = fc.uniqueArray(rowArbitrary(fc.integer({ min: 1, max: 500 })), {
    selector: (row) => row.responseId,
    maxLength: 30,
  });
  const weightArbitrary = fc.oneof(fc.constantFrom(NaN, 0), fc.double({ min: 0.1, max: 5, noNaN: true }));
  const columnArbitrary = fc.constantFrom(
    'Q1',
    'region',
    'Q2',
    'Q2_33',
    'Q3_r1',
    'Q7_r2',
    'Q7_r2_2',
    'Q4_1',
    'Q6',
    'nps',
    'Q8',
    'age',
    'Q9',
    'Q10',
    'Q5',
    'Q1_other',
    'language',
    'response_status',
    'is_test',
  );

  test('equals a naive count for any column, weights and base', () => {
    fc.assert(
      fc.property(
        rowsArbitrary,
        columnArbitrary,
        fc.constantFrom(...BASES),
        fc.option(fc.array(weightArbitrary, { minLength: 30, maxLength: 30 })),
        (rows, code, base, drawn) => {
          const dataset = Dataset.ofRows(catalog, rows, loadCodes);
          const weights = drawn ? Float64Array.from(drawn) : null;
          const result = of(dataset, code, { weights, base });
          const { groups, found } = naive(dataset, code, rows, weights);
          const { answering, ...missing } = groups;
          expect(result.missing).toMatchObject(missing);
          const shown = answering + groups.option_missing + groups.skipped;
          expect(result.base).toBe({ answering, shown, all: shown + groups.not_shown }[base]);
          for (const category of result.categories) {
            const expected = found.get(category.value) ?? { count: 0, weight: 0 };
            expect(category.count).toBe(expected.count);
            if (weights) expect(category.weighted_count).toBeCloseTo(expected.weight, 9);
            const outside = result.base === 0 || (category.missing && base === 'answering');
            if (outside) expect(category.percent).toBeNull();
            else expect(category.percent).toBeCloseTo((100 * expected.count) / result.base, 9);
          }
          const listed = new Set(result.categories.map(({ value }) => value));
          expect([...found.keys()].filter((value) => !listed.has(value))).toEqual([]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  const REASONS = [SKIPPED, NOT_SHOWN, NOT_APPLICABLE, ...Object.values(STATE_OF_NO_ANSWER)];
  test('counts each missing reason separately for every kind of column', () => {
    const columns = ['Q1', 'age', 'Q5', 'Q9', 'Q2_1'].map((code) => catalog.find(code)!.spec);
    fc.assert(
      fc.property(
        fc.constantFrom(...columns),
        // 0 is a valid value; integer weights keep the sums exact.
        fc.array(fc.tuple(fc.nat(6), fc.nat(1), fc.integer({ min: 1, max: 9 })), { maxLength: 40 }),
        fc.boolean(),
        fc.constantFrom(...BASES),
        (spec, rows, isWeighted, base) => {
          const capacity = Math.max(1, rows.length);
          const column = spec.type === 'binary' ? createBinary(spec, capacity) : createColumn(spec, capacity);
          const stored = column.kind === 'binary' ? column.source : column;
          rows.forEach(([state], row) => {
            const value = { categorical: '1', date: '2026-01-01', text: 'a' }[spec.type as 'text'] ?? 1;
            if (state > 0) stored.setMissing(row, REASONS[state - 1] as typeof SKIPPED);
            else stored.set(row, spec.type === 'binary' ? ['1'] : value);
          });
          const found = runToCompletion(
            computeColumnDistribution(
              column,
              { spec, isNps: false },
              {
                rows: Uint8Array.from(rows, ([, counts]) => counts),
                weights: isWeighted ? Float64Array.from(rows, ([, , weight]) => weight) : null,
                base,
              },
            ),
          );
          const of = (wanted: number) => rows.filter(([state, counts]) => counts === 1 && state === wanted);
          const [there, skipped, notShown, notApplicable] = [of(0), of(1), of(2), of(3)];
          expect(found.missing).toEqual({
            skipped: skipped.length,
            not_shown: notShown.length,
            not_applicable: notApplicable.length,
            option_missing: 0,
            no_answer: {
              dont_know: of(4).length,
              refused: of(5).length,
              not_applicable: of(6).length,
            },
            without_weight: 0,
          });
          const shown = [...there, ...skipped, ...notApplicable, ...of(4), ...of(5), ...of(6)];
          const inBase = { answering: there, shown, all: [...shown, ...notShown] }[base];
          expect(found.base).toBe(inBase.length);
          if (isWeighted)
            expect(found.weighted_base).toBe(inBase.reduce((sum, [, , weight]) => sum + weight, 0));
        },
      ),
    );
  });

  test('excludes options flagged as missing from the answering base and the statistics', () => {
    const dataset = Dataset.ofRows(
      catalog,
      [
        response(1, { Q1: '1' }),
        response(2, { Q1: '2' }),
        response(3, { Q1: '-99' }),
        response(4, { Q1: null }),
        response(5, {}),
      ],
      ['Q1'],
    );
    const answering = of(dataset, 'Q1');
    expect(answering).toMatchObject({ base: 2, missing: { skipped: 1, not_shown: 1, option_missing: 1 } });
    expect(answering.categories.map(({ percent }) => percent)).toEqual([50, 50, 0, null]);
    expect(of(dataset, 'Q1', { base: 'shown' }).categories.map(({ percent }) => percent)).toEqual([
      25, 25, 0, 25,
    ]);
    expect(of(dataset, 'Q1', { base: 'all' }).categories.map(({ percent }) => percent)).toEqual([
      20, 20, 0, 20,
    ]);
    const rating = question('single_choice', 'rating', [option(1), option(2), option(9, { missing: true })], {
      measure: 'ordinal',
    });
    const rated = Dataset.ofRows(
      new ColumnCatalog(surveyOf(rating)),
      ['1', '2', '9'].map((value, index) => response(index + 1, { rating: value })),
      ['rating'],
    );
    expect(of(rated, 'rating').stats).toMatchObject({ mean: 1.5, min: 1, max: 2 });
  });

  test('has statistics only for ordinal and scale columns, for any option values', () => {
    const words = ['never', 'sometimes', 'often'];
    const questions = (['nominal', 'ordinal', 'scale'] as const).flatMap((measure) => [
      question('single_choice', `numbers_${measure}`, [option(1), option(2), option(3)], { measure }),
      question(
        'dropdown',
        `words_${measure}`,
        words.map((value, index) => option(index + 1, { value })),
        { measure },
      ),
      question('matrix', `rows_${measure}`, [option(1), option(2), option(3)], {
        measure,
        rows: [{ row_code: 'r1', row_label: 'Row' }],
      }),
    ]);
    const answers = (measure: string, position: number) => ({
      [`numbers_${measure}`]: String(position + 1),
      [`words_${measure}`]: words[position]!,
      [`rows_${measure}`]: { r1: String(position + 1) },
    });
    const dataset = Dataset.ofRows(
      new ColumnCatalog(surveyOf(...questions)),
      [0, 1, 1, 2, 2].map((position, index) =>
        response(index + 1, Object.assign({}, ...MEASURES.map((measure) => answers(measure, position)))),
      ),
      questions.map(({ code }) => code),
    );
    for (const code of ['numbers', 'words', 'rows']) {
      const found = (measure: string) => of(dataset, `${code}_${measure}${code === 'rows' ? '_r1' : ''}`);
      expect([code, found('nominal').measure, found('nominal').stats]).toEqual([code, 'nominal', null]);
      // R: mean(c(1,2,2,3,3)), sd(...), quantile(..., c(.25, .5, .75))
      const stats = {
        mean: 2.2,
        median: 2,
        sd: expect.closeTo(0.8366600265, 9),
        min: 1,
        max: 3,
        p25: 2,
        p75: 3,
      };
      for (const measure of ['ordinal', 'scale']) expect([code, found(measure).stats]).toEqual([code, stats]);
    }
  });

  test('has the share of a 0/1 column as its mean, and no statistics for sets, nominal columns, dates and texts', () => {
    const dataset = Dataset.ofRows(
      catalog,
      [response(1, { Q2: ['1'] }), response(2, { Q2: ['2'] })],
      loadCodes,
    );
    expect(of(dataset, 'Q2_1').stats).toMatchObject({ mean: 0.5, min: 0, max: 1 });
    for (const code of ['Q1', 'region', 'Q2', 'response_id', 'started_at', 'language'])
      expect([code, of(dataset, code).stats]).toEqual([code, null]);
  });

  test('of an nps question has the net promoter score', () => {
    const scores = [10, 9, 9, 8, 7, 6, 0, 3, 10, 5];
    const dataset = Dataset.ofRows(
      catalog,
      scores.map((nps, index) => response(index + 1, { nps })),
      loadCodes,
    );
    expect(of(dataset, 'nps').stats?.nps).toBe(0);
    expect(
      of(dataset, 'nps', { weights: Float64Array.from(scores, (score) => (score >= 9 ? 2 : 1)) }).stats?.nps,
    ).toBeCloseTo(400 / 14, 9);
    expect(of(dataset, 'Q6').stats).not.toHaveProperty('nps');
    expect(of(dataset, 'nps').categories).toHaveLength(11);
  });

  test('of a survey without answers is empty, not NaN', () => {
    const dataset = Dataset.ofRows(catalog, [], loadCodes);
    expect(of(dataset, 'age')).toMatchObject({
      base: 0,
      categories: [],
      stats: { mean: null, sd: null, median: null, min: null },
    });
    expect(of(dataset, 'Q1').categories[0]).toMatchObject({ count: 0, percent: null });
  });

  test('excludes responses without a weight and reports how many', () => {
    const dataset = Dataset.ofRows(
      catalog,
      [1, 2, 3].map((id) => response(id, { Q1: '1' })),
      ['Q1'],
    );
    const result = of(dataset, 'Q1', { weights: Float64Array.of(2, NaN, 0) });
    expect(result).toMatchObject({
      base: 1,
      weighted_base: 2,
      effective_base: 1,
      missing: { without_weight: 2 },
    });
  });

  describe('of many distinct values', () => {
    const survey = surveyOf(question('number', 'n'), question('date', 'd'), question('text', 't'));
    const many = new ColumnCatalog(survey);
    const day = (index: number) =>
      new Date(Date.UTC(2020, 0, 1) + index * 86_400_000).toISOString().slice(0, 10);
    const rows = Array.from({ length: 2_000 }, (_, index) =>
      response(index + 1, {
        n: index / 10,
        d: day(index),
        t: `text ${String(Math.min(index, 1_998)).padStart(4, '0')}`,
      }),
    );
    const dataset = Dataset.ofRows(many, rows, ['n', 'd', 't', 'started_at']);

    test('groups numbers into equal intervals without losing a response', () => {
      const result = of(dataset, 'n');
      expect(result).toMatchObject({ distinct: 2_000, grouped_by: 'interval', truncated: false });
      expect(counts(result)).toEqual(Array.from({ length: 20 }, () => 100));
      expect(result.categories[3]).toMatchObject({ value: '30..40', label: '30 to under 40' });
      expect(result.stats?.median).toBeCloseTo(99.95, 9);
    });

    test('groups dates by month', () => {
      const result = of(dataset, 'd');
      expect(result).toMatchObject({ distinct: 2_000, grouped_by: 'month', base: 2_000 });
      expect(result.categories[1]).toMatchObject({ value: '2020-02', count: 29 });
    });

    test('groups as many as asked for in intervals with round bounds', () => {
      const result = of(dataset, 'n', { maxGroups: 12 });
      expect(result).toMatchObject({ distinct: 2_000, grouped_by: 'interval', base: 2_000 });
      expect(result.breaks).toEqual([0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200]);
      expect(counts(result)).toEqual(Array.from({ length: 10 }, () => 200));
    });

    test.each([
      [2_000, 'year', 6, '2020'],
      [900, 'quarter', 10, '2020-Q1'],
      [300, 'month', 10, '2020-01'],
      [60, 'week', 9, '2019-12-30'],
      [13, 'week', 3, '2019-12-30'],
      [12, null, 12, '2020-01-01'],
    ] as const)('groups %d days in periods of the calendar', (days, groupedBy, groups, first) => {
      const part = Dataset.ofRows(many, rows.slice(0, days), ['d']);
      const result = of(part, 'd', { maxGroups: 12 });
      expect(result).toMatchObject({ grouped_by: groupedBy, base: days, breaks: null });
      expect(result.categories).toHaveLength(groups);
      expect(result.categories[0]?.value).toBe(first);
      expect(counts(result).reduce((sum, count) => sum + count, 0)).toBe(days);
    });

    test('lists the most frequent texts and reports that there are more', () => {
      const result = of(dataset, 't');
      expect(result).toMatchObject({ distinct: 1_999, truncated: true, base: 2_000 });
      expect(result.categories).toHaveLength(1_000);
      expect(result.categories[0]).toMatchObject({ value: 'text 1998', count: 2 });
      expect(result.categories[1]).toMatchObject({ value: 'text 0000', count: 1 });
    });

    test('counts timestamps by day', () => {
      expect(of(dataset, 'started_at')).toMatchObject({
        grouped_by: 'date',
        categories: [{ value: '2026-01-01', count: 2_000 }],
      });
    });
  });
});
