import type { Dataset } from '../../dataset/dataset.ts';
import type { Axis, Net } from '../../statistics/crosstab/axis.ts';
import { createVariableAxis, unionBaseMask } from '../../statistics/crosstab/variable-axis.ts';
import { orderCategories } from './dimension-axis.ts';
import type { ChartBase, ChartCategory, ChartColumn, ChartNote, ChartSeries } from '../chart-data.ts';
import { buildCountTable } from '../chart-table.ts';
import { type DisclosedTable, discloseTable, presentChartColumn } from '../disclosure/disclosure.ts';
import type { Protection } from '../disclosure/protection.ts';
import {
  computePartMeasure,
  SUPPRESSED_CELL,
  partCell,
  type PartCell,
  type PartFigures,
  partSeries,
  type PartSeries,
  type PartTable,
  UNSTACKED,
  createSeriesAxis,
  createTotalAxis,
  type CompositeSettings,
} from './part-table.ts';
import { computeRankFigures } from './rank-figures.ts';
import type { CompositePlan } from './chart-plan.ts';
import { countsRanks, type MeasuredPart } from './composite-question.ts';

/** The figures of a composite question: one category per part. */
export interface CompositeFigures extends DisclosedTable {
  series_by: ChartColumn | null;
  notes: ChartNote[];
  /** Level of measurement, if the categories are the answers. */
  measure?: ChartColumn['measure'];
}

/** Computes a question as a whole. Each figure equals that of a chart of one of its columns. Yields between passes. */
export function* computeCompositeFigures(
  dataset: Dataset,
  plan: CompositePlan,
  settings: CompositeSettings,
): Generator<void, CompositeFigures> {
  const { kind, config, composite } = plan;
  const { protection } = settings;
  const base = yield* computeCompositeBase(dataset, plan, settings);
  if (base.base === null)
    return { categories: [], series: [], base: null, suppressed: true, series_by: null, notes: [] };
  const table = countsRanks(composite, config.aggregation)
    ? yield* computeRankFigures(dataset, plan, { ...settings, disclosedSeries: base.series })
    : composite.measured === null
      ? yield* answerFigures(dataset, plan, { ...settings, compositeBase: base.base })
      : yield* measuredFigures(dataset, plan, {
          ...settings,
          measured: composite.measured,
          disclosedSeries: base.series,
        });
  if (kind.layout === 'single') return singleFigure(table, base.base, plan);
  if (composite.kind === 'categories' && kind.layout === 'slices' && composite.measured === null)
    return {
      ...pooledAnswers(table, base.base, protection),
      measure: composite.parts[0].entry.spec.measure,
    };
  return { ...orderParts(table, plan), base: base.base, series_by: table.seriesBy, notes: table.notes };
}

/** The respondents in the base of any part, in total and by series. */
function* computeCompositeBase(
  dataset: Dataset,
  { composite, series, dimension }: CompositePlan,
  { counting, protection, base }: CompositeSettings,
): Generator<void, DisclosedTable> {
  const { mask } = counting;
  const entries = composite.parts.map(({ entry }) => entry);
  const inBase = yield* unionBaseMask(dataset, entries, { base, mask, field: dimension.field });
  const within = { mask: inBase, weights: counting.weights };
  const split = series === null ? null : createSeriesAxis(dataset, series, counting);
  const needs = { counting: within, isPercent: false, isStacked: false, compares: false };
  const table = yield* buildCountTable(createTotalAxis(mask.length), split, needs);
  return discloseTable(table, { ...UNSTACKED, aggregation: 'count', label: '', protection });
}

/** The answers to each row of a matrix, in percent of those who answered the row. */
function* answerFigures(
  dataset: Dataset,
  { composite, config, dimension, kind }: CompositePlan,
  { counting, protection, base, compositeBase }: CompositeSettings & { compositeBase: ChartBase },
): Generator<void, PartTable> {
  const { function: name, value } = config.aggregation;
  const isSingle = kind.layout === 'single';
  // Pooled shares are percentages of all given answers.
  const aggregation = kind.layout === 'slices' ? 'count' : name;
  const needs = { counting, isPercent: aggregation === 'percent', isStacked: false, compares: false };
  const parts: PartFigures[] = [];
  let series: PartSeries[] = [];
  for (const part of composite.parts) {
    const { columnCode } = part.entry.spec;
    const nets: Net[] =
      isSingle && value !== undefined
        ? [{ columnCode, label: 'Total', values: value, field: 'aggregation.value' }]
        : [];
    const { mask } = counting;
    const axis = createVariableAxis(dataset, part.entry, false, { base, nets, mask, field: dimension.field });
    const table = yield* buildCountTable(axis, null, needs);
    const disclosed = discloseTable(table, { ...UNSTACKED, aggregation, label: '', protection });
    const [only] = disclosed.series;
    const cells = axis.categories.map((_, index) => partCell(only, index));
    parts.push({
      part,
      base: disclosed.base,
      suppressed: disclosed.suppressed,
      key: axis.hasMean ? meanCode(axis, cells) : (cells[0]?.percent ?? null),
      cells: nets.length > 0 ? cells.slice(-1) : cells,
    });
    series = axis.categories.map((category) => partSeries(category, compositeBase));
  }
  const { measure } = composite.parts[0].entry.spec;
  const seriesBy = { column_code: dimension.entry.spec.columnCode, label: 'Answer', measure };
  return { parts, series, seriesBy, hasPartBases: true, notes: [] };
}

/** The mean number of the visible figures; rows are sorted by it. */
function meanCode({ categories }: Axis, cells: readonly PartCell[]): number | null {
  let [sum, total] = [0, 0];
  for (const [index, { steps, missing }] of categories.entries()) {
    const number = steps[0]?.number ?? null;
    const percent = cells[index]?.percent ?? null;
    if (percent === null || number === null || missing) continue;
    sum += number * percent;
    total += percent;
  }
  return total > 0 ? sum / total : null;
}

interface MeasuredSettings extends CompositeSettings {
  measured: readonly MeasuredPart[];
  /** The disclosed bases of the series. */
  disclosedSeries: readonly ChartSeries[];
}

/** One measure per part, in total or by series. */
function* measuredFigures(
  dataset: Dataset,
  { config, series }: CompositePlan,
  settings: MeasuredSettings,
): Generator<void, PartTable> {
  const { counting, label, measured, disclosedSeries } = settings;
  const level = config.compare?.level ?? null;
  const parts: PartFigures[] = [];
  const notes: ChartNote[] = [];
  const split = series === null ? null : createSeriesAxis(dataset, series, counting);
  for (const { part, measure } of measured) {
    const one = { part, measure, series, level };
    const { disclosed, notes: found } = yield* computePartMeasure(dataset, one, settings);
    for (const note of found) if (!notes.some(({ code }) => code === note.code)) notes.push(note);
    const cells = (split?.categories ?? [null]).map((_, index) => partCell(disclosed.series[index], 0));
    const known = cells.flatMap(({ value }) => value ?? []);
    const key = known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
    parts.push({ part, base: disclosed.base, key, cells, suppressed: disclosed.suppressed });
  }
  const names: PartSeries[] =
    split === null
      ? [{ name: label, base: disclosedSeries[0]?.base ?? null }]
      : split.categories.map((category, index) => partSeries(category, disclosedSeries[index]?.base ?? null));
  return { parts, series: names, seriesBy: series && presentChartColumn(series), hasPartBases: true, notes };
}

/** Orders the parts as the chart shows them, with their cells as lists by series. */
function orderParts(
  { parts, series, hasPartBases }: PartTable,
  { config, kind }: CompositePlan,
): Pick<DisclosedTable, 'categories' | 'series' | 'suppressed'> {
  const ranked = parts.map(({ part, key }) => {
    const { code, value, label } = part;
    const step = { columnCode: '', code, value, number: code, label, values: null };
    const region = { coding: 0, slots: [] };
    return { category: { steps: [step], region, missing: false, isNet: false, family: null }, value: key };
  });
  const options = { ...config.options, show_rest: false };
  const { listed } = orderCategories(ranked, { options, isOrdered: false, unlisted: new Set() });
  const shown = listed.flatMap((index) => parts[index] ?? []);
  return {
    categories: shown.map(({ part: { code, value, label }, base }): ChartCategory => {
      return { code, value, label, ...(hasPartBases && base !== null && { base }) };
    }),
    series: series.map((one, position): ChartSeries => {
      const cells = shown.map((part) => part.cells[position] ?? SUPPRESSED_CELL);
      return {
        ...one,
        ...(one.drawn_as === 'line' && !kind.hasLine && { drawn_as: 'label' as const }),
        values: cells.map(({ value }) => value),
        counts: cells.map(({ count }) => count),
        percents: cells.map(({ percent }) => percent),
        ...(cells.some(({ letters }) => letters) && { letters: cells.map(({ letters }) => letters ?? []) }),
      };
    }),
    suppressed: shown.some(({ suppressed }) => suppressed),
  };
}

const ROWS_AVERAGED: ChartNote = { code: 'rows_averaged', message: 'The mean over all rows.' };

/** The mean over all parts. For a count: the respondents who answered any part. */
function singleFigure({ parts, notes }: PartTable, base: ChartBase, plan: CompositePlan): CompositeFigures {
  const { composite } = plan;
  const { aggregation } = plan.config;
  const known = parts.flatMap(({ cells }) => cells[0]?.value ?? []);
  const isSuppressed = parts.some(({ suppressed }) => suppressed);
  const isCount = aggregation.function === 'count' && composite.kind === 'categories';
  const mean = known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  const value = isCount ? base.weighted : isSuppressed ? null : mean;
  const [{ code, value: part, label }] = composite.parts;
  const isOne = composite.kind !== 'categories';
  const { count, percent } = parts[0]?.cells[0] ?? SUPPRESSED_CELL;
  const one: ChartSeries = {
    name: isOne ? label : 'Mean of the rows',
    values: [value],
    counts: [isOne ? count : base.unweighted],
    percents: [isOne ? percent : null],
    base,
  };
  return {
    categories: [isOne ? { code, value: part, label } : { code: null, value: null, label: 'Total' }],
    series: [one],
    base,
    suppressed: isSuppressed && !isCount,
    series_by: null,
    notes: isOne || isCount ? notes : [...notes, ROWS_AVERAGED],
  };
}

/** The answers to all rows pooled, as percentages of all answers. */
function pooledAnswers(
  { parts, series }: PartTable,
  base: ChartBase,
  protection: Protection | null,
): CompositeFigures {
  // A pooled count would allow a suppressed row to be derived.
  const isSuppressed = protection !== null && parts.some(({ suppressed }) => suppressed);
  if (isSuppressed)
    return { categories: [], series: [], base: null, suppressed: true, series_by: null, notes: [] };
  const sums = series.map((_, position) =>
    parts.reduce((sum, { cells }) => sum + (cells[position]?.value ?? 0), 0),
  );
  const counts = series.map((_, position) =>
    parts.reduce((sum, { cells }) => sum + (cells[position]?.count ?? 0), 0),
  );
  const total = sums.reduce((sum, value) => sum + value, 0);
  const percents = sums.map((value) => (total > 0 ? (100 * value) / total : null));
  return {
    categories: series.map(({ name, value = null }) => ({ code: null, value, label: name })),
    series: [{ name: 'Percent of all answers', values: percents, counts, percents, base }],
    base,
    suppressed: false,
    series_by: null,
    notes: [
      {
        code: 'rows_pooled',
        message: 'The answers to all rows are pooled; percentages are of all answers.',
      },
    ],
  };
}
