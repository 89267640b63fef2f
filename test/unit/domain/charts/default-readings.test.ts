import { describe, expect, test } from 'vitest';
import { chartSourceLines } from '../../../../src/domain/reports/source-lines.ts';
import { chartDeckTable } from '../../../../src/domain/reports/deck-tables.ts';
import {
  chartConfigSchema,
  createChartDrawing,
  FIGURE_CHARTS,
  type FigureChart,
  figureTypeOf,
} from '../../../../src/domain/charts/registry.ts';
import { LIGHT_THEME } from '../../../../src/domain/charts/drawing/chart-theme.ts';
import type { QuestionType } from '../../../../src/domain/questions/registry.ts';
import { AppError } from '../../../../src/lib/errors.ts';
import { option, question } from '../dataset/survey-fixture.ts';
import { datasetOf } from '../statistics/crosstab/crosstab-of.ts';
import { figuresOf } from './figures-of.ts';

const options = [1, 2, 3].map((code) => option(code));
const rows = ['r1', 'r2'].map((row_code) => ({ row_code, row_label: `Row ${row_code}` }));
/** A statement has no answers, and so no figures; those of a table are of its cells. */
type AnsweredType = Exclude<QuestionType, 'statement' | 'side_by_side'>;
const ofType: Record<AnsweredType, ReturnType<typeof question>> = {
  single_choice: question('single_choice', 'single', options),
  dropdown: question('dropdown', 'dropdown', options),
  multiple_choice: question('multiple_choice', 'multiple', options),
  text: question('text', 'words'),
  number: question('number', 'amount'),
  scale: question('scale', 'scale'),
  slider: question('slider', 'slider'),
  nps: question('nps', 'nps'),
  matrix: question('matrix', 'matrix', options, { rows }),
  ranking: question('ranking', 'ranking', options),
  date: question('date', 'day'),
  file_upload: question('file_upload', 'files'),
  constant_sum: question('constant_sum', 'points', options),
  calculated: question('calculated', 'result'),
};
const data = datasetOf(
  Object.values(ofType),
  Array.from({ length: 60 }, (_, index) => ({
    single: String(1 + (index % 3)),
    dropdown: String(1 + (index % 2)),
    multiple: index % 2 === 0 ? ['1', '3'] : ['2'],
    words: `Words ${index % 7}`,
    amount: index * 3,
    scale: 1 + (index % 5),
    slider: index,
    nps: index % 11,
    matrix: { r1: String(1 + (index % 3)), r2: String(1 + (index % 2)) },
    ranking: index % 3 === 0 ? ['1', '2', '3'] : ['2', '1'],
    day: `2026-03-${String(1 + (index % 28)).padStart(2, '0')}`,
    files: [`file${index}`],
    points: { '1': index, '2': 100 - index, '3': 0 },
    result: index / 2,
  })),
);

const CATEGORY_CHARTS = FIGURE_CHARTS.filter((type) => type !== 'gauge' && type !== 'kpi');
const SINGLE = ['gauge', 'kpi'] as const;

/** What is shown by default; a string is the error code of a rejected combination. */
type Reading = object | string;
const count = { function: 'count' };
const same = (reading: Reading) => Object.fromEntries(CATEGORY_CHARTS.map((type) => [type, reading]));
const single = (reading: Reading) => Object.fromEntries(SINGLE.map((type) => [type, reading]));
const share = { function: 'percent', value: ['1'] };
const first = { function: 'top_box', n: 1 };

const READINGS: Record<AnsweredType, Record<string, Reading>> = {
  single_choice: { ...same(count), histogram: 'no_number', ...single(share) },
  dropdown: { ...same(count), histogram: 'no_number', ...single(share) },
  multiple_choice: { ...same(count), histogram: 'no_number', ...single(share) },
  text: { ...same(count), histogram: 'no_number', ...single(count) },
  number: { ...same(count), ...single({ function: 'mean' }) },
  calculated: { ...same(count), ...single({ function: 'mean' }) },
  scale: { ...same(count), ...single({ function: 'mean' }) },
  slider: { ...same(count), ...single({ function: 'mean' }) },
  nps: { ...same(count), ...single({ function: 'nps' }) },
  matrix: { ...same({ function: 'percent' }), histogram: 'no_number', ...single({ function: 'mean' }) },
  ranking: {
    ...same({ function: 'rank_summary' }),
    'stacked-bar': { function: 'percent' },
    histogram: 'no_number',
    pie: first,
    donut: first,
    ...single({ ...first, value: ['1'] }),
  },
  date: { ...same(count), histogram: 'no_number', ...single(count) },
  file_upload: { ...same('no_categories'), ...single(count) },
  constant_sum: {
    ...same({ function: 'mean' }),
    histogram: 'no_number',
    ...single({ function: 'mean', value: ['1'] }),
  },
};

const pairs = (Object.keys(READINGS) as AnsweredType[]).flatMap((type) =>
  FIGURE_CHARTS.map((chart) => [type, chart] as const),
);

describe('defaults for a question and a chart type', () => {
  test.each(pairs)('%s as %s', (type, chart) => {
    const expected = READINGS[type][chart]!;
    const dimension = { question_id: ofType[type].id };
    const computeFigures = () => figuresOf(data, { dimension }, { type: chart });
    if (typeof expected === 'string') {
      expect(computeFigures).toThrow(AppError);
      expect(computeFigures).toThrow(expect.objectContaining({ code: expected, kind: 'unprocessable' }));
      return;
    }
    const figures = computeFigures();
    expect(figures.aggregation).toMatchObject(expected);
    expect(figures.base).toMatchObject({ unweighted: 60 });
    expect(figures.categories.length).toBeGreaterThan(0);
    expect(figures.series.length).toBeGreaterThan(0);
    for (const { values } of figures.series) {
      expect(values).toHaveLength(figures.categories.length);
      expect(values.every((value) => value !== null && Number.isFinite(value))).toBe(true);
    }
    shows(chart, figures, dimension);
  });
});

/** Checks that the drawing, the table, the alternative text and the source lines contain all figures. */
function shows(chart: FigureChart, figures: ReturnType<typeof figuresOf>, dimension: object): void {
  const drawing = createChartDrawing({ figures, options: {}, theme: LIGHT_THEME, width: 640, height: 300 });
  expect(drawing === null).toBe(figureTypeOf(figures).draw === null);
  const table = chartDeckTable(figures);
  for (const { cells } of table.rows) expect(cells).toHaveLength(table.columns.length);
  expect(JSON.stringify([table, figureTypeOf(figures).altText(figures, null)])).not.toMatch(/undefined|NaN/);
  const config = chartConfigSchema(chart).parse({ survey_id: 1, dimension });
  expect(chartSourceLines(config, figures, data.catalog).join()).not.toMatch(/undefined|NaN/);
}

test('the source line of a composite question states its base', () => {
  const shown = (type: AnsweredType, chart: FigureChart) => {
    const dimension = { question_id: ofType[type].id };
    const config = chartConfigSchema(chart).parse({ survey_id: 1, dimension });
    return chartSourceLines(config, figuresOf(data, { dimension }, { type: chart }), data.catalog)[1];
  };
  expect(shown('matrix', 'stacked-bar')).toBe('Shown: percent of each row, of respondents who answered');
  expect(shown('matrix', 'pie')).toBe('Shown: percent of the answers to all rows');
  expect(shown('matrix', 'kpi')).toBe('Shown: mean, on average over the rows');
  expect(shown('ranking', 'gauge')).toBe(
    'Shown: percent who ranked “Option 1” first, of respondents who were shown the question',
  );
  expect(shown('ranking', 'stacked-bar')).toBe(
    'Shown: percent by rank and mean rank, of respondents who were shown the question',
  );
  expect(shown('constant_sum', 'bar')).toBe('Shown: mean of each item');
  expect(shown('constant_sum', 'kpi')).toBe('Shown: mean of “Option 1”');
});

describe('default figures', () => {
  const value = (type: AnsweredType, chart: FigureChart = 'kpi') =>
    figuresOf(data, { dimension: { question_id: ofType[type].id } }, { type: chart }).series[0]!.values[0];

  test('of a gauge or KPI are means, NPS, the share of the first option, or answers', () => {
    expect(value('scale')).toBeCloseTo(3, 10);
    expect(value('nps')).toBeCloseTo((100 * (10 - 40)) / 60, 8);
    expect(value('single_choice')).toBeCloseTo(100 / 3, 8);
    expect(value('multiple_choice', 'gauge')).toBe(50);
    expect(value('matrix')).toBe((2 + 1.5) / 2);
    expect(value('ranking')).toBeCloseTo(100 / 3, 8);
    expect(value('constant_sum')).toBe(29.5);
    expect([value('text'), value('file_upload'), value('date')]).toEqual([60, 60, 60]);
  });

  test('name the counted answer in their label', () => {
    const chart = figuresOf(data, { dimension: 'single' }, { type: 'kpi' });
    expect(chart.aggregation.label).toBe('Percent: Option 1');
  });
});
