import { describe, expect, test } from 'vitest';
import { chartConfigSchema, type ChartType, FIGURE_CHARTS } from '../../../../src/domain/charts/registry.ts';
import { schemaProblems, schemaWording } from '../../../../src/lib/schema-problems.ts';

function problemsOf(type: ChartType, config: unknown) {
  const result = chartConfigSchema(type).safeParse(config, { error: schemaWording });
  return result.success ? [] : schemaProblems(result.error, 'chart_config');
}

const bar = { survey_id: 1, dimension: { column_code: 'Q1' }, aggregation: { function: 'count' } };
const q1 = { column_code: 'Q1' };

test('every element type has its own schema', () => {
  for (const type of FIGURE_CHARTS) expect(problemsOf(type, bar)).toEqual([]);
  expect(problemsOf('text', { text: '# Hello' })).toEqual([]);
  expect(problemsOf('filter', { survey_id: 1, filterElement: q1 })).toEqual([]);
  expect(problemsOf('variable', { survey_id: 1, dimension: q1, variable: { metric: 'base' } })).toEqual([]);
});

test('expands short forms', () => {
  const read = chartConfigSchema('bar').parse({
    survey_id: 1,
    dimension: 'Q1',
    series: 7,
    aggregation: 'percent',
  });
  expect(read).toMatchObject({
    dimension: { column_code: 'Q1' },
    series: { question_id: 7 },
    aggregation: { function: 'percent' },
    options: { sort: 'original', show_rest: true, bins: 'auto' },
  });
  expect(chartConfigSchema('variable').parse({ dimension: 7, variable: 'mean' })).toMatchObject({
    dimension: { question_id: 7 },
    variable: { metric: 'mean' },
  });
  expect(chartConfigSchema('bar').parse(read)).toEqual(read);
});

describe('rejects an invalid config and names the field', () => {
  test.each<[ChartType, object, string]>([
    ['bar', { ...bar, dimention: 'Q1' }, 'chart_config.dimention'],
    ['bar', { ...bar, options: { sort: 'size' } }, 'chart_config.options.sort'],
    ['bar', { ...bar, options: { colours: [] } }, 'chart_config.options.colours'],
    ['bar', { ...bar, options: { colors: ['red'] } }, 'chart_config.options.colors[0]'],
    ['bar', { ...bar, options: { limit: 0 } }, 'chart_config.options.limit'],
    ['bar', { survey_id: 1 }, 'chart_config.dimension'],
    ['bar', { dimension: 'Q1' }, 'chart_config.survey_id'],
    ['bar', { ...bar, dimension: {} }, 'chart_config.dimension'],
    ['bar', { ...bar, aggregation: { function: 'average' } }, 'chart_config.aggregation.function'],
    ['bar', { ...bar, aggregation: { function: 'count', n: 2 } }, 'chart_config.aggregation.n'],
    ['bar', { ...bar, line_aggregation: 'count' }, 'chart_config.line_aggregation'],
    ['bar', { ...bar, compare: { letters: true } }, 'chart_config.compare'],
    ['bar', { ...bar, series: 'Q2', compare: { letters: true, level: 0.5 } }, 'chart_config.compare.level'],
    ['bar', { ...bar, nets: [{ label: 'Top', values: [] }] }, 'chart_config.nets[0].values'],
    ['bar', { ...bar, options: { bins: 31 } }, 'chart_config.options.bins'],
    ['kpi', { ...bar, series: 'Q2' }, 'chart_config.series'],
    ['kpi', { ...bar, aggregation: 'percent' }, 'chart_config.aggregation.value'],
    ['text', { text: 'a', dimension: 'Q1' }, 'chart_config.dimension'],
    ['text', { text: 'a'.repeat(20_001) }, 'chart_config.text'],
    ['filter', { filterElement: q1 }, 'chart_config.survey_id'],
    ['filter', { survey_id: 1, filterElement: { multiple: true } }, 'chart_config.filterElement'],
    [
      'variable',
      { survey_id: 1, dimension: q1, variable: { metric: 'max' } },
      'chart_config.variable.metric',
    ],
    [
      'variable',
      { survey_id: 1, dimension: q1, variable: { metric: 'mean', value: '1' } },
      'chart_config.variable.value',
    ],
    ['variable', { survey_id: 1, dimension: q1 }, 'chart_config.variable'],
  ])('%s %j', (type, config, field) => {
    expect(problemsOf(type, config).map((problem) => problem.field)).toContain(field);
  });
});
