import { describe, expect, test } from 'vitest';
import { mergeLabelSeries } from '../../../../../src/domain/charts/drawing/chart-drawing.ts';
import { LIGHT_THEME } from '../../../../../src/domain/charts/drawing/chart-theme.ts';
import { chartDeckTable } from '../../../../../src/domain/reports/deck-tables.ts';
import { option, question } from '../../dataset/survey-fixture.ts';
import { datasetOf } from '../../statistics/crosstab/crosstab-of.ts';
import { figuresOf } from '../figures-of.ts';

const options = [option(1), option(2), option(3), option(9, { missing: true })];
const rows = ['price', 'taste', 'look'].map((row_code) => ({ row_code, row_label: `The ${row_code}` }));
const matrix = question('matrix', 'Q3', options, { rows });
const several = question('matrix', 'Q7', options.slice(0, 3), { rows, matrix_type: 'multiple' });
const ranking = question(
  'ranking',
  'Q4',
  [1, 2, 3, 4].map((code) => option(code)),
);
const group = question('single_choice', 'group', [option(1), option(2)]);

const answers = [
  { Q3: { price: '1', taste: '3', look: '9' }, Q7: { price: ['1', '2'] }, Q4: ['1', '2', '3'], group: '1' },
  { Q3: { price: '1', taste: '3' }, Q7: { price: ['2'], taste: ['3'] }, Q4: ['1', '3'], group: '1' },
  { Q3: { price: '2', taste: '2', look: '1' }, Q7: null, Q4: ['2', '1', '4', '3'], group: '2' },
  { Q3: { taste: '3' }, Q7: { taste: ['1', '3'] }, Q4: null, group: '2' },
  { Q3: null, group: '2' },
  { group: '1' },
];
const data = datasetOf([matrix, several, ranking, group], answers);
const weights = Float64Array.of(2, 1, 1, 0.5, 1, 1);

const column = ({ series }: ReturnType<typeof figuresOf>, name: string) =>
  series.find((entry) => entry.name === name)!;

describe('a matrix as a whole', () => {
  const chart = figuresOf(data, { dimension: matrix.id }, { type: 'stacked-bar' });

  test('has its rows as categories and options as series, in percent within each row', () => {
    expect(chart.categories.map(({ value, label, base }) => [value, label, base?.unweighted])).toEqual([
      ['price', 'The price', 3],
      ['taste', 'The taste', 4],
      ['look', 'The look', 1],
    ]);
    expect(chart.series.map(({ name, value }) => [name, value])).toEqual([
      ['Option 1', '1'],
      ['Option 2', '2'],
      ['Option 3', '3'],
    ]);
    expect(column(chart, 'Option 1').values).toEqual([200 / 3, 0, 100]);
    expect(column(chart, 'Option 3').values).toEqual([0, 75, 0]);
    expect(column(chart, 'Option 3').counts).toEqual([0, 3, 0]);
    expect(chart).toMatchObject({
      dimension: { column_code: 'Q3', label: 'Question Q3' },
      series_by: { column_code: 'Q3', measure: 'ordinal' },
      base: { unweighted: 4 },
    });
    chart.categories.forEach((_, position) => {
      expect(chart.series.reduce((sum, { values }) => sum + values[position]!, 0)).toBeCloseTo(100, 10);
    });
  });

  test('can be chosen by its code, with eligible respondents as its base on request', () => {
    expect(figuresOf(data, { dimension: 'Q3' }, { type: 'stacked-bar' })).toEqual(chart);
    const shown = figuresOf(data, { dimension: 'Q3', options: { base: 'shown' } });
    expect(shown.categories.map(({ base }) => base!.unweighted)).toEqual([5, 5, 5]);
    expect(shown.series.map(({ name }) => name)).toContain('Option 9');
    expect(column(shown, 'Option 1').values).toEqual([40, 0, 20]);
  });

  test('is weighted', () => {
    const weighted = figuresOf(data, { dimension: 'Q3' }, { weights });
    expect(column(weighted, 'Option 1').values).toEqual([75, 0, 100]);
    expect(weighted.categories[0]!.base).toMatchObject({ unweighted: 3, weighted: 4 });
  });

  test('has one figure per row for a measure, also by series', () => {
    const means = figuresOf(data, { dimension: 'Q3', aggregation: 'mean' });
    expect(means.series.map(({ name, values }) => [name, values])).toEqual([['Mean', [4 / 3, 2.75, 1]]]);
    const split = figuresOf(data, { dimension: 'Q3', series: 'group', aggregation: 'mean' });
    expect(split.series.map(({ name, values }) => [name, values])).toEqual([
      ['Option 1', [1, 3, null]],
      ['Option 2', [2, 2.5, 1]],
    ]);
  });

  test('is sorted by the means of its rows and limited without a rest category', () => {
    const sorted = figuresOf(data, { dimension: 'Q3', options: { sort: 'value_desc', limit: 2 } });
    expect(sorted.categories.map(({ value }) => value)).toEqual(['taste', 'price']);
  });

  test('with several answers has percents of those who answered the row', () => {
    const chart = figuresOf(data, { dimension: 'Q7' });
    expect(column(chart, 'Option 2').values).toEqual([100, 0, null]);
    expect(column(chart, 'Option 1').values).toEqual([50, 50, null]);
    expect(figuresOf(data, { dimension: 'Q7' }, { type: 'kpi' })).toMatchObject({
      aggregation: { function: 'count' },
      series: [{ values: [3] }],
    });
  });

  test('as a pie pools the answers to all rows, with a note', () => {
    const pie = figuresOf(data, { dimension: 'Q3' }, { type: 'pie' });
    expect(pie.series[0]!.values.map((value) => value!.toFixed(1))).toEqual(['37.5', '25.0', '37.5']);
    expect(pie.notes).toMatchObject([{ code: 'rows_pooled' }]);
  });

  test('as a table shows the base of each row', () => {
    const { columns, rows: lines } = chartDeckTable(figuresOf(data, { dimension: 'Q3' }, { type: 'table' }));
    expect(columns.map(({ label }) => label)).toEqual(['Option 1', 'Option 2', 'Option 3', 'n']);
    expect(lines.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['67%', '33%', '0%', '3'],
      ['0%', '25%', '75%', '4'],
      ['100%', '0%', '0%', '1'],
    ]);
  });
});

describe('a ranking as a whole', () => {
  const chart = figuresOf(data, { dimension: ranking.id });

  test('has the shares that ranked an option first and in the top three, based on eligible respondents, and its mean rank', () => {
    expect(chart.base).toMatchObject({ unweighted: 4 });
    expect(
      chart.series.map(({ name, values, drawn_as, function: own }) => [name, values, drawn_as, own]),
    ).toEqual([
      ['Ranked first', [50, 25, 0, 0], undefined, undefined],
      ['Ranked in the top 3', [75, 50, 50, 25], undefined, undefined],
      ['Mean rank', [4 / 3, 1.5, 3, 3], 'label', 'mean'],
    ]);
    expect(figuresOf(data, { dimension: 'Q4' }, { type: 'line-bar' }).series[2]).toMatchObject({
      drawn_as: 'line',
    });
  });

  test('has those who ranked the option as its base on request', () => {
    const ranked = figuresOf(data, { dimension: 'Q4', options: { base: 'answering' } });
    expect(ranked.series[0]!.values).toEqual([(100 * 2) / 3, 50, 0, 0]);
    expect(ranked.series[1]!.values).toEqual([100, 100, 200 / 3, 100]);
    expect(ranked.categories.map(({ base }) => base!.unweighted)).toEqual([3, 2, 3, 1]);
  });

  test('is weighted', () => {
    const weighted = figuresOf(data, { dimension: 'Q4' }, { weights });
    expect(weighted.series[0]!.values[0]).toBeCloseTo((100 * 3) / 4.5, 10);
    expect(weighted.series[2]!.values[0]).toBeCloseTo((2 + 1 + 2) / 4, 10);
  });

  test('stacked has a part for each rank and for unranked', () => {
    const stacked = figuresOf(data, { dimension: 'Q4' }, { type: 'stacked-bar' });
    expect(stacked.series.map(({ name }) => name)).toEqual([
      'Rank 1',
      'Rank 2',
      'Rank 3',
      'Rank 4',
      'Not ranked',
      'Mean rank',
    ]);
    stacked.categories.forEach((_, position) => {
      const parts = stacked.series.filter((entry) => entry.drawn_as === undefined);
      expect(parts.reduce((sum, { values }) => sum + values[position]!, 0)).toBeCloseTo(100, 10);
    });
  });

  test('supports other shares, means, and a series', () => {
    const of = (aggregation: unknown, more: object = {}) =>
      figuresOf(data, { dimension: 'Q4', aggregation, ...more }).series.map(({ values }) => values);
    expect(of({ function: 'top_box', n: 2 })).toEqual([[75, 50, 25, 0]]);
    expect(of('count')).toEqual([[3, 2, 3, 1]]);
    expect(of('percent')).toEqual([[75, 50, 75, 25]]);
    expect(of('median')).toEqual([[1, 1.5, 3, 3]]);
    expect(of({ function: 'top_box', n: 1 }, { series: 'group' })).toEqual([
      [100, 0, 0, 0],
      [0, 50, 0, 0],
    ]);
  });

  test('shows the mean rank after the option labels', () => {
    const { figures } = mergeLabelSeries({
      figures: chart,
      options: {},
      theme: LIGHT_THEME,
      width: 600,
      height: 300,
    });
    expect(figures.categories[0]!.label).toBe('Option 1 (mean rank 1.33)');
    expect(figures.series).toHaveLength(2);
    const { columns, rows: lines } = chartDeckTable(chart);
    expect(columns.map(({ label }) => label)).toEqual(['Ranked first', 'Ranked in the top 3', 'Mean rank']);
    expect(lines.at(-4)!.cells.map(({ text }) => text)).toEqual(['50%', '75%', '1.33']);
  });
});

describe('unsupported settings of a composite question are rejected by name', () => {
  test.each<[object, string]>([
    [{ dimension: 'Q3', series: 'group' }, 'series: is only allowed with an aggregation'],
    [{ dimension: 'Q3', nets: [{ label: 'Net', values: ['1'] }] }, 'nets: '],
    [
      { dimension: 'Q3', aggregation: { function: 'mean', column_code: 'group' } },
      'aggregation.column_code: ',
    ],
    [{ dimension: 'Q3', aggregation: 'rank_summary' }, 'aggregation.function: '],
    [{ dimension: 'group', aggregation: 'rank_summary' }, 'aggregation.function: '],
    [{ dimension: 'Q4', aggregation: 'sum' }, 'sum is not allowed for ranks'],
    [{ dimension: 'Q4', series: 'group' }, 'series: '],
    [{ dimension: 'Q3', aggregation: 'mean', compare: { letters: true } }, 'compare: '],
  ])('%j', (config, message) => expect(() => figuresOf(data, config)).toThrow(message));
});

describe('a protected composite question', () => {
  /** 60 respondents; option 4 is ranked by three of them. */
  const many = datasetOf(
    [matrix, ranking],
    Array.from({ length: 60 }, (_, index) => ({
      Q3: { price: String(1 + (index % 3)), taste: index < 3 ? '1' : '2' },
      Q4: index < 3 ? ['4', '1', '2'] : index % 2 === 0 ? ['1', '2', '3'] : ['2', '3', '1'],
    })),
  );

  test('suppresses the small cells of each matrix row', () => {
    const chart = figuresOf(many, { dimension: 'Q3' }, { minBase: 5 });
    expect(chart.series.map(({ values }) => values[0])).toEqual([33, 33, 33]);
    expect(chart.series.map(({ values }) => values[1]).slice(0, 2)).toEqual([null, null]);
    expect(chart.suppressed).toBe(true);
    expect(figuresOf(many, { dimension: 'Q3' }, { type: 'pie', minBase: 5 })).toMatchObject({
      categories: [],
      base: null,
      suppressed: true,
    });
  });

  test('suppresses small ranks and the figures that would reveal them', () => {
    const chart = figuresOf(many, { dimension: 'Q4' }, { minBase: 5 });
    const [first] = chart.series;
    expect(first!.values[3]).toBeNull();
    // The three who ranked option 4 first are all respondents minus those who ranked another option first.
    expect(first!.values.filter((value) => value === null).length).toBeGreaterThan(1);
    expect(chart.suppressed).toBe(true);
    expect(chart.series[2]!.values[3]).toBeNull();
  });
});
