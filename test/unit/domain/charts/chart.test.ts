import { describe, expect, test } from 'vitest';
import { option, question } from '../dataset/survey-fixture.ts';
import { bigFive } from '../statistics/big-five.ts';
import { answersOfTable, datasetOf } from '../statistics/crosstab/crosstab-of.ts';
import { figuresOf } from './figures-of.ts';

const options = (count: number) => Array.from({ length: count }, (_, index) => option(index + 1));
const data = bigFive();
const first = ({ series }: ReturnType<typeof figuresOf>) => series[0]!;
const labels = ({ categories }: ReturnType<typeof figuresOf>) => categories.map(({ label }) => label);

describe('the Big Five data as charts', () => {
  test('shows counts of an item with their base', () => {
    const chart = figuresOf(data, { dimension: 'A1' });
    expect(first(chart).values).toEqual([922, 818, 402, 337, 223, 82]);
    expect(first(chart).percents[0]).toBeCloseTo(33.1178, 4);
    expect(chart).toMatchObject({
      dimension: { column_code: 'A1', label: 'Question A1' },
      series_by: null,
      aggregation: { function: 'count', label: 'Count' },
      base: { unweighted: 2784, weighted: 2784, effective: 2784 },
    });
    expect(chart.suppressed).toBeUndefined();
  });

  test('shows a single figure: a mean, median, share or number of answers', () => {
    const kpi = (config: object) => first(figuresOf(data, config, { type: 'kpi' })).values[0];
    expect(kpi({ dimension: 'age', aggregation: 'mean' })).toBeCloseTo(28.78214, 5);
    expect(kpi({ dimension: 'age', aggregation: 'median' })).toBe(26);
    expect(kpi({ dimension: 'age', aggregation: 'min' })).toBe(3);
    expect(kpi({ dimension: 'age', aggregation: 'max' })).toBe(86);
    expect(kpi({ dimension: 'gender', aggregation: { function: 'percent', value: '2' } })).toBeCloseTo(
      188100 / 2800,
      8,
    );
    expect(kpi({ dimension: 'A1', aggregation: 'count' })).toBe(2784);
    expect(kpi({ dimension: 'A1', aggregation: { function: 'count', value: ['5', '6'] } })).toBe(305);
    expect(kpi({ dimension: 'A1', aggregation: 'top_box' })).toBeCloseTo(30500 / 2784, 8);
  });

  test('merges all but the largest categories', () => {
    const chart = figuresOf(data, { dimension: 'A1', options: { sort: 'value_desc', limit: 2 } });
    expect(labels(chart)).toEqual(['Option 1', 'Option 2', 'Other']);
    expect(first(chart).values).toEqual([922, 818, 1044]);
    expect(chart.categories[2]).toMatchObject({ is_rest: true, value: null });
    const without = figuresOf(data, { dimension: 'A1', options: { limit: 2, show_rest: false } });
    expect(first(without).values).toEqual([922, 818]);
    expect(without.base?.unweighted).toBe(2784);
  });

  test('sorts ascending, descending and by name', () => {
    const sorted = (sort: string) =>
      first(figuresOf(data, { dimension: 'education', options: { sort } })).values;
    expect(sorted('original')).toEqual([224, 292, 1249, 394, 418]);
    expect(sorted('value_desc')).toEqual([1249, 418, 394, 292, 224]);
    expect(sorted('value_asc')).toEqual([224, 292, 394, 418, 1249]);
    expect(sorted('label')).toEqual([224, 292, 1249, 394, 418]);
  });

  test('counts the respondents of the values in a net', () => {
    const nets = [{ label: 'Disagree', values: ['1', '2', '3'] }];
    const chart = figuresOf(data, { dimension: 'A1', nets, options: { sort: 'value_desc' } });
    expect(chart.categories.at(-1)).toMatchObject({ label: 'Disagree', is_net: true });
    expect(first(chart).values.at(-1)).toBe(922 + 818 + 402);
    expect(() => figuresOf(data, { dimension: 'A1', nets: [{ label: 'No', values: ['7'] }] })).toThrow(
      'nets[0].values[0]',
    );
  });

  test('stacks percents to 100 % by default', () => {
    const config = {
      dimension: 'education',
      series: 'gender',
      aggregation: 'percent',
    };
    const chart = figuresOf(data, config, { type: 'stacked-bar' });
    chart.categories.forEach((_, position) => {
      const sum = chart.series.reduce((added, { values }) => added + values[position]!, 0);
      expect(sum).toBeCloseTo(100, 8);
    });
  });

  test('combines bars of counts with a line of means', () => {
    const config = {
      dimension: 'education',
      line_aggregation: { function: 'mean', column_code: 'age' },
      options: { limit: 3 },
    };
    const chart = figuresOf(data, config, { type: 'line-bar' });
    expect(chart.series.map(({ name, drawn_as: drawn }) => [name, drawn])).toEqual([
      ['Count', undefined],
      ['Mean: Question age', 'line'],
    ]);
    expect(chart.series[1]!.values).toHaveLength(4);
    const { values, counts } = chart.series[1]!;
    const weighted = values.reduce<number>((sum, value, position) => sum + value! * counts[position]!, 0);
    const of = figuresOf(data, { dimension: 'age', aggregation: 'mean' }, { type: 'kpi' });
    expect(weighted / 2577).toBeGreaterThan(20);
    expect(first(of).values[0]).toBeGreaterThan(20);
  });

  test('adds letters to means that differ, with and without a series', () => {
    const aggregation = { function: 'mean', column_code: 'A1' };
    const plain = figuresOf(data, { dimension: 'gender', aggregation, compare: { letters: true } });
    expect(first(plain).letters).toEqual([['B'], []]);
    const both = figuresOf(data, {
      dimension: 'gender',
      series: 'education',
      aggregation,
      compare: { letters: true },
    });
    expect(both.series).toHaveLength(5);
    expect(
      both.series
        .flatMap(({ letters }) => letters ?? [])
        .flat()
        .every((letter) => letter >= 'A' && letter <= 'E'),
    ).toBe(true);
  });

  test('shows ages as a histogram', () => {
    const chart = figuresOf(data, { dimension: 'age' });
    expect(chart.categories[0]).toEqual({ value: '0..5', label: '0–4', code: null });
    expect(chart.categories).toHaveLength(18);
    // nclass.FD(bfi$age) in R: 39
    expect(chart.binning).toMatchObject({ method: 'freedman_diaconis', classes: 39, width: 5 });
    expect(chart.notes[0]).toMatchObject({ code: 'binned' });
    expect(first(chart).values.reduce((sum, value) => sum! + value!, 0)).toBe(2800);
    const weights = new Float64Array(2800).fill(0.4);
    const weighted = figuresOf(data, { dimension: 'age' }, { weights });
    expect(weighted.binning).toEqual(chart.binning);
    expect(first(weighted).values[3]).toBeCloseTo(0.4 * first(chart).values[3]!, 8);
    const single = figuresOf(data, { dimension: 'age', options: { bins: 'none' } }, { type: 'area' });
    expect(single.categories[0]).toMatchObject({ value: '3' });
    expect(single.binning).toBeUndefined();
  });

  test('has few groups of a number as series, unless their number is chosen', () => {
    const names = (config: object) =>
      figuresOf(bigFive(), { dimension: 'education', series: 'age', ...config }).series.map(
        ({ name }) => name,
      );
    expect(names({})).toEqual(['0–19', '20–39', '40–59', '60–79', '80–99']);
    expect(names({ options: { bins: 9 } })).toHaveLength(9);
  });

  test('does not reveal the range of the values in bins of protected figures', () => {
    const ages = [...Array.from({ length: 60 }, (_, index) => 20 + (index % 30)), 97];
    const dataset = datasetOf(
      [question('number', 'age')],
      ages.map((age) => ({ age })),
    );
    const chart = figuresOf(dataset, { dimension: 'age' }, { minBase: 5 });
    expect(chart.binning!.classes).toBeNull();
    expect(chart.binning!.breaks.at(-1)).toBeLessThan(60);
    expect(JSON.stringify(chart.categories)).not.toMatch(/9\d|8\d|7\d/);
    expect(figuresOf(dataset, { dimension: 'age' }).binning!.breaks.at(-1)).toBeGreaterThan(97);
  });
});

describe('a weighted chart', () => {
  const cells = [
    [12, 20],
    [3, 4],
  ];
  const dataset = datasetOf(
    [question('single_choice', 'a', options(2)), question('single_choice', 'b', options(2))],
    answersOfTable('a', 'b', cells),
  );
  const weights = Float64Array.from({ length: 39 }, (_, index) => (index % 2 === 0 ? 2 : 0.5));

  test('has weighted values and percents and unweighted counts', () => {
    const chart = figuresOf(dataset, { dimension: 'a', series: 'b' }, { weights });
    expect(chart.series.map(({ counts }) => counts)).toEqual([
      [12, 3],
      [20, 4],
    ]);
    for (const { values, percents, base } of chart.series) {
      expect(values[0]! + values[1]!).toBeCloseTo(base!.weighted, 8);
      expect(percents[0]!).toBeCloseTo((100 * values[0]!) / base!.weighted, 8);
    }
    expect(chart.base!.effective).toBeLessThan(39);
  });
});

test('rejects a chart that cannot be drawn', () => {
  const [score, words, file] = [
    question('nps', 'score'),
    question('text', 'words'),
    question('file_upload', 'file'),
  ];
  const several = question('multiple_choice', 'Q2', options(3));
  const rows = ['r1', 'r2'].map((row_code) => ({ row_code, row_label: row_code }));
  const matrix = question('matrix', 'Q3', options(2), { rows });
  const vote = question('single_choice', 'vote', options(4));
  const dataset = datasetOf([score, words, file, several, matrix, vote], []);
  const refused = (config: object, message: string) =>
    expect(() => figuresOf(dataset, config)).toThrow(message);
  refused(
    { dimension: 'scores' },
    'dimension.column_code: column "scores" does not exist; did you mean "score"?',
  );
  refused({ dimension: 'score', series: matrix.id }, 'Q3_r1, Q3_r2');
  refused({ dimension: 'score', series: 'Q3' }, 'series.column_code: question Q3 has several columns');
  refused({ dimension: 'score', aggregation: 'mean' }, 'aggregation.column_code: is required');
  refused(
    { dimension: 'score', options: { stacked_percent: true } },
    'options.stacked_percent: is only allowed with a series',
  );
  refused({ dimension: 'file' }, 'contains files');
  refused({ dimension: 'response_id' }, 'identifies one response');
  refused({ dimension: { question_id: score.id, column_code: 'Q2' } }, '"Q2" is not a column of question');
  refused({ dimension: { column_code: 'score', period: 'month' } }, 'dimension.period');
  refused(
    { dimension: 'score', aggregation: { function: 'mean', column_code: 'words' } },
    'aggregation.column_code',
  );
  refused(
    { dimension: 'score', aggregation: { function: 'nps', column_code: 'Q3_r1' } },
    'for a scale from 0 to 10',
  );
  refused(
    { dimension: 'score', aggregation: { function: 'mean', column_code: 'respondent_id' } },
    'respondent_id is nominal: its values have no order',
  );
  refused(
    { dimension: 'score', aggregation: { function: 'median', column_code: 'vote' } },
    `aggregation.column_code: vote is nominal: its codes have no order, so they have no mean and no quantiles; set question_settings.measure of question ${vote.id} to ordinal or scale`,
  );
});
