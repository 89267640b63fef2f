import { describe, expect, test } from 'vitest';
import { chartConfigSchema, type FigureChart, figureTypeOf } from '../../../../src/domain/charts/registry.ts';
import { formatBase } from '../../../../src/domain/charts/figures/figure-texts.ts';
import {
  chartSourceLines,
  describeFilter,
  formatSingleFigure,
  formatVariableFigure,
  variableSourceLines,
} from '../../../../src/domain/reports/source-lines.ts';
import type { ChartFigures, VariableFigure } from '../../../../src/domain/charts/chart-data.ts';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { option, question, surveyOf } from '../dataset/survey-fixture.ts';
import { figuresOf } from '../charts/figures-of.ts';
import { bigFive } from '../statistics/big-five.ts';

const data = bigFive();

function source(config: object, type: FigureChart = 'bar'): string[] {
  const read = chartConfigSchema(type).parse({ survey_id: 1, ...config });
  return chartSourceLines(read, figuresOf(data, config, { type }), data.catalog);
}

describe('the lines below a chart', () => {
  test('state the question, the figures and the base', () => {
    expect(source({ dimension: 'A1', aggregation: 'percent' })).toEqual([
      'Question: Question A1',
      'Shown: percent of respondents who answered',
      'Base: 2,784 respondents',
    ]);
  });

  test("describe the filter in the survey's wording, the weight and the letters", () => {
    const lines = source({
      dimension: 'A1',
      series: 'gender',
      aggregation: 'percent',
      compare: { letters: true },
      filter: { gender: ['1', '2'], education: ['3'] },
      weight_column: 'age',
      options: { base: 'total' },
    });
    expect(lines).toEqual([
      'Question: Question A1',
      'By: Question gender',
      'Shown: percent of all respondents',
      'Base: 2,800 respondents',
      'Filter: “Question gender” is one of “Option 1” and “Option 2” and “Question education” is “Option 3”',
      'Weight: Question age',
      'Letters: higher than that column, with 95% confidence.',
    ]);
  });

  test('of a measure begin with the measured column', () => {
    const mean = { function: 'mean', column_code: 'age' };
    expect(source({ dimension: 'gender', aggregation: mean }).slice(0, 3)).toEqual([
      'Question: Question age',
      'By: Question gender',
      'Shown: mean',
    ]);
    expect(source({ dimension: 'A1', aggregation: 'count', line_aggregation: mean }, 'line-bar')[1]).toBe(
      'Bars: number of respondents. Line: mean of “Question age”',
    );
    expect(source({ dimension: 'A1', aggregation: { function: 'top_box', n: 1 } }, 'kpi')[1]).toBe(
      'Shown: percent who gave the highest answer',
    );
  });

  test('of a single figure name the counted answers', () => {
    const figure = { dimension: 'A1', aggregation: { function: 'percent', value: ['1', '2'] } };
    expect(source(figure, 'gauge')[1]).toBe(
      'Shown: percent of respondents who answered, with the answer “Option 1” or “Option 2”',
    );
  });

  test('of a retired question state that it is no longer asked', () => {
    const catalog = new ColumnCatalog(
      surveyOf(question('single_choice', 'Old', [option(1)], {}, { retired: true, text: 'An old one?' })),
    );
    const config = chartConfigSchema('variable').parse({
      survey_id: 1,
      dimension: 'Old',
      variable: { metric: 'count', value: '1' },
    });
    const figure: VariableFigure = {
      chart_type: 'variable',
      dimension: { column_code: 'Old', label: 'An old one?', measure: 'nominal' },
      metric: 'count',
      value: 3,
      base: { unweighted: 1, weighted: 1, effective: 1 },
      waves: { current: 'May', previous: 'April' },
      notes: [],
    };
    expect(variableSourceLines(config, figure, catalog)).toEqual([
      'Question: An old one? (no longer asked)',
      'Shown: number of respondents who answered “Option 1”, May',
      'Base: 1 respondent',
    ]);
  });
});

test('a base shows its three sizes if they differ', () => {
  expect(formatBase({ unweighted: 2436, weighted: 2436, effective: 2101.3 })).toBe(
    'Base: 2,436 respondents (weighted 2,436, effective 2,101)',
  );
  expect(formatBase(null)).toBe('Base: hidden (too few respondents)');
});

describe('a filter description', () => {
  const catalog = new ColumnCatalog(
    surveyOf(
      question(
        'matrix',
        'Grid',
        [option(1, { label: 'Good' })],
        { rows: [{ row_code: 'r1', row_label: 'Price' }] },
        { text: 'How is it?' },
      ),
      question('scale', 'S', [], { max: 3, point_labels: { '3': 'Always' } }, { text: 'How often?' }),
    ),
    [],
    { waves: [{ code: 7, value: '7', number: 7, label: 'May', missing: false }] },
  );

  test.each<[unknown, string | null]>([
    [undefined, null],
    [{}, null],
    [{ wave_id: ['7'] }, 'Filter: “Wave” is “May”'],
    [{ Grid_r1: ['1'] }, 'Filter: “How is it? – Price” is “Good”'],
    [
      { left: { type: 'question', code: 'Grid', row_code: 'r1' }, operator: 'equals', right: '1' },
      'Filter: “How is it?”, “Price” is “Good”',
    ],
    [
      { left: { type: 'column', code: 'S' }, operator: 'gte', right: 3 },
      'Filter: “How often?” is at least “Always”',
    ],
    ['S >= 2 and Grid_r1 = 1', 'Filter: S >= 2 and Grid_r1 = 1'],
    [{ response_status: ['complete'] }, 'Filter: “Status” is “Complete”'],
    // The computation of the figures has refused it earlier.
    [{ Nothing: ['1'] }, null],
  ])('%j', (filter, words) => {
    expect(describeFilter(filter, catalog)).toBe(words);
  });
});

describe('the text alternative of a chart', () => {
  const altText = (figures: ChartFigures, title: string | null) =>
    figureTypeOf(figures).altText(figures, title);

  test('lists its figures', () => {
    expect(altText(figuresOf(data, { dimension: 'gender', aggregation: 'percent' }), 'Who took part')).toBe(
      'Who took part. Bar chart: Percent by Question gender. Option 1 33%, Option 2 67%. Base: 2,800 respondents.',
    );
    const split = figuresOf(
      data,
      { dimension: 'gender', series: 'gender', aggregation: 'percent' },
      { type: 'stacked-bar' },
    );
    expect(altText(split, null)).toBe(
      'Question gender. Stacked bars: Percent by Question gender and Question gender. ' +
        'Option 1: Option 1 100%, Option 2 0%; Option 2: Option 1 0%, Option 2 100%. Base: 2,800 respondents.',
    );
  });

  test('gives the range of many figures', () => {
    const many = figuresOf(data, { dimension: 'A1', series: 'education', aggregation: 'percent' });
    expect(altText(many, 'Many')).toMatch(
      /^Many\. Bar chart: Percent by Question A1 and Question education\. 6 categories in 5 series, from \d% \(Option \d, Option 6\) to \d\d% \(Option \d, Option \d\)\./,
    );
  });

  test('states a base without respondents', () => {
    const nobody = figuresOf(data, { dimension: 'A1' }, { mask: new Uint8Array(data.rowCount) });
    expect(altText({ ...nobody, categories: [], series: [] }, null)).toBe(
      'Question A1. Bar chart: Count by Question A1. Base: 0 respondents.',
    );
  });
});

describe('a single figure', () => {
  const figure: VariableFigure = {
    chart_type: 'variable',
    dimension: { column_code: 'Q', label: 'Q', measure: 'scale' },
    metric: 'mean',
    value: 4.256,
    base: null,
    notes: [],
  };
  const variable = { metric: 'mean' as const, suffix: ' of 5' };

  test('is formatted with its suffix and change', () => {
    const changed = { ...figure, change: -0.3, waves: { current: 'May', previous: 'April' } };
    expect(formatVariableFigure({ variable }, changed)).toEqual({
      value: '4.26 of 5',
      change: { direction: 'down', text: '−0.30 of 5 since April' },
      sparkline: [],
    });
    expect(
      formatVariableFigure({ variable: { metric: 'base' } }, { ...figure, metric: 'base', value: 2436 })
        .value,
    ).toBe('2,436');
  });

  test('explains a missing value', () => {
    expect(formatVariableFigure({ variable }, { ...figure, value: null }).value).toEqual({
      problem: 'No answers yet',
    });
    expect(formatVariableFigure({ variable }, { ...figure, value: null, suppressed: true }).value).toEqual({
      problem: 'Hidden: too few respondents',
    });
  });

  test('of a KPI is formatted like charts', () => {
    const share = figuresOf(
      data,
      { dimension: 'gender', aggregation: { function: 'percent', value: '2' } },
      { type: 'kpi' },
    );
    expect(formatSingleFigure(share, 1).value).toBe('67.2%');
  });
});
