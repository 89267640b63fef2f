import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChartTypeModule } from '../../src/domain/charts/chart-type.ts';
import { CHART_TYPES, chartTypeOf, FIGURE_CHARTS, figureTypeOf } from '../../src/domain/charts/registry.ts';
import { findDecisionsByName } from '../support/decisions-by-name.ts';

const REGISTRY = 'src/domain/charts/registry.ts';
const MODULES = 'src/domain/charts/types/';
/** The charts that the studio offers for each kind of figure. */
const STUDIO_CHOICES = 'src/web/studio/client/results/chart-types.ts';

const isChartType = (name: string): boolean => (CHART_TYPES as readonly string[]).includes(name);
/** Names that mean nothing but a chart type; `text`, `line` or `filter` are names of other things too. */
const isUnmistakable = (name: string): boolean => isChartType(name) && (name.includes('-') || name === 'kpi');

const QUOTED_NAME = new RegExp(`'(${CHART_TYPES.filter(isUnmistakable).join('|')})'`);

const decisionsByName = (file: string, text: string): string[] =>
  findDecisionsByName(file, text, {
    names: CHART_TYPES,
    mayDecide: (text) => /chart_?type|FigureChart/i.test(text) || QUOTED_NAME.test(text),
    isUnmistakable,
    isMember: (member) => member === 'chart_type' || member === 'chartType',
    typeNames: /^(ChartType|FigureChart)\b/,
    forbidsLookups: true,
  });

const sourceFiles = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) =>
  path.join('src', file),
);

describe('the chart type', () => {
  it('is compared in its modules and the registry only', { timeout: 120_000 }, () => {
    const files = sourceFiles.filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        !file.endsWith('.d.ts') &&
        ![REGISTRY, STUDIO_CHOICES].includes(file) &&
        !file.startsWith(MODULES),
    );
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((file) => decisionsByName(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('decides nothing in style sheets', () => {
    const names = CHART_TYPES.filter(
      (type) => isUnmistakable(type) || /^(pie|donut|radar|gauge)$/.test(type),
    );
    const selector = new RegExp(`\\.(${names.join('|')})(?![\\w-])`);
    const sheets = sourceFiles.filter((file) => file.endsWith('.css'));
    expect(sheets.length).toBeGreaterThan(3);
    expect(sheets.filter((file) => selector.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it.each([
    "if (figures.chart_type === 'bar') draw();",
    "const { chart_type: type } = figures; if (type !== 'table') draw();",
    "function size(type: ChartType) { return type === 'text' ? 12 : 6; }",
    "switch (request.chartType) { case 'pie': draw(); }",
    "if (['pie', 'area'].includes(chart.chart_type)) draw();",
    "const drawn = new Set(['pie', 'area']).has(chart.chart_type);",
    'const NAMES: Record<FigureChart, string> = names;',
    'const name = NAMES[element.chart_type];',
    "if (kind === 'stacked-bar') draw();",
    "const TYPES = ['kpi', 'variable'];",
  ])('is found to be compared in `%s`', (code) => {
    expect(decisionsByName('sample.ts', code)).not.toEqual([]);
  });

  it.each([
    "const body = { chart_type: 'horizontal-bar', chart_config };",
    "if (column.type === 'text') read();",
    "const series = { type: 'bar', data };",
    'if (before.chart_type !== after.chart_type) save();',
    'const { draw } = chartTypeOf(element.chart_type);',
  ])('is not found to be compared in `%s`', (code) => {
    expect(decisionsByName('sample.ts', code)).toEqual([]);
  });
});

describe('every chart type', () => {
  it('is registered under the name of its module', async () => {
    const files = readdirSync(MODULES).filter((file) => file !== 'figure-type.ts');
    const modules = await Promise.all(
      files.map(async (file) => {
        const exported = (await import(path.resolve(MODULES, file))) as Record<string, unknown>;
        const types = Object.values(exported).filter(
          (one): one is ChartTypeModule => typeof one === 'object' && one !== null && 'columnField' in one,
        );
        return types.map((one) => ({
          file,
          type: one.type,
          isRegistered: chartTypeOf(one.type as 'bar') === one,
        }));
      }),
    );
    expect(modules.flat().toSorted(byType)).toEqual(
      CHART_TYPES.map((type) => ({ file: `${type}.ts`, type, isRegistered: true })).toSorted(byType),
    );
  });

  it.each(FIGURE_CHARTS)(
    '%s that has a drawing has a native PowerPoint chart and the view of a drawing',
    (type) => {
      const { draw, nativeWriter, view } = figureTypeOf({ chart_type: type });
      expect([nativeWriter !== null, view === 'drawing']).toEqual([draw !== null, draw !== null]);
    },
  );

  it.each(CHART_TYPES)('%s is in the table of docs/reference/charts.md', (type) => {
    expect(readFileSync('docs/reference/charts.md', 'utf8')).toContain(`\n| \`${type}\` `);
  });
});

const byType = (one: { type: string }, other: { type: string }): number => (one.type < other.type ? -1 : 1);
