import { limitReached } from '../../lib/error-messages.ts';
import { unprocessable } from '../../lib/errors.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { Base } from '../statistics/base.ts';
import { type Histogram } from '../statistics/histogram.ts';
import {
  type Axis,
  type AxisCategory,
  columnCodesOf,
  emptyAxis,
  type Net,
} from '../statistics/crosstab/axis.ts';
import type { TableRows } from '../statistics/crosstab/count-crossing.ts';
import { MAX_CELLS, noteWithoutWeight } from '../statistics/crosstab/table.ts';
import {
  createDimensionAxis,
  createRestCategory,
  type DimensionAxis,
  type DimensionSettings,
  orderCategories,
} from './figures/dimension-axis.ts';
import type { ChartBinning, ChartFigures, ChartSeries } from './chart-data.ts';
import {
  type ChartTable,
  buildCountTable,
  buildMeasureTable,
  type ChartTableOptions,
} from './chart-table.ts';
import type { AggregationChoice } from './chart-config.ts';
import { type ViewerFilters, markDisclosiveCells } from './disclosure/differencing.ts';
import type { Measure } from './figures/measure.ts';
import { readMeasuredValues } from './figures/measured-values.ts';
import {
  type DisclosedTable,
  discloseTable,
  presentChartColumn,
  protectionNotes,
} from './disclosure/disclosure.ts';
import type { Protection } from './disclosure/protection.ts';
import type { ChartPlan, CompositePlan, PlannedAggregation } from './figures/chart-plan.ts';
import { netPromoterNotes, numberCategories, numberSeries } from './figures/scale-points.ts';
import { computeCompositeFigures } from './figures/composite-figures.ts';

/** The audience of the figures and the responses they count. */
export interface ChartSettings {
  counting: TableRows;
  /** Null: nothing is suppressed. */
  protection: Protection | null;
  /** The viewer's filters, if another choice could give a view that differs by a few respondents. Null: no filter, or no check needed. */
  viewer: ViewerFilters | null;
}

const MAX_SERIES = 50;
const REST_LABEL = 'Other';
const STATISTICS_BASES = { answering: 'answering', shown: 'shown', total: 'all' } as const;

const FUNCTION_LABELS = {
  count: 'Count',
  percent: 'Percent',
  mean: 'Mean',
  sum: 'Sum',
  median: 'Median',
  min: 'Minimum',
  max: 'Maximum',
  nps: 'NPS',
  top_box: 'Top box',
  rank_summary: 'Ranking',
} as const;

/**
 * Computes the figures of a chart from responses in memory: those of `distribution` and `crosstab`, ordered, with disclosure control.
 * Yields between passes over the responses; see Dataset for the changes that can happen between passes. The columns must be loaded.
 */
export function* computeChartFigures(
  dataset: Dataset,
  plan: ChartPlan,
  settings: ChartSettings,
): Generator<void, ChartFigures> {
  const { config, kind } = plan;
  if (plan.composite !== null) return yield* computeCompositeChart(dataset, plan, settings);
  const { base, nets } = resolveBaseAndNets(plan);
  const { counting } = settings;
  const { mask } = counting;
  const main: PlannedAggregation = { aggregation: config.aggregation, measure: plan.measure };
  const { line } = plan;
  const nests = plan.series !== null && [main, line].some((one) => one !== null && one.measure !== null);
  const isSingle = kind.layout === 'single';
  /** Bins found for a number are reused, so that other views of the chart have the same bins. */
  let bins: DimensionSettings['bins'] = isSingle || nets.length > 0 ? 'none' : plan.bins;
  let seriesBins: DimensionSettings['bins'] = config.options.bins === 'auto' ? 'few' : config.options.bins;
  const createRows = (within: Uint8Array) => (more: readonly Net[]) => {
    const rows = { mask: within, weights: counting.weights };
    const all = [...nets, ...more];
    const found = createDimensionAxis(dataset, plan.dimension, {
      base,
      nets: all,
      counting: rows,
      bins,
      isNested: nests,
    });
    bins = found.histogram ?? 'none';
    return found;
  };
  const createSeries = (within: Uint8Array): DimensionAxis | null => {
    if (plan.series === null) return null;
    const rows = { mask: within, weights: counting.weights };
    const split = { base, nets: [], counting: rows, bins: seriesBins, isNested: nests };
    const found = createDimensionAxis(dataset, plan.series, split);
    seriesBins = found.histogram ?? 'none';
    return found;
  };
  const createRowAxis = createRows(mask);
  const split = createSeries(mask);
  const series = split?.axis ?? null;
  const unfiltered = (all: Uint8Array) => ({
    rows: isSingle ? singleAxis(plan, createRows(all), all.length) : createRows(all)([]).axis,
    series: createSeries(all)?.axis ?? null,
  });
  yield;
  const tableOf = function* (
    axis: Axis,
    { aggregation, measure }: PlannedAggregation,
  ): Generator<void, ChartTable> {
    const needs: ChartTableOptions = {
      counting: settings.counting,
      isPercent: aggregation.function === 'percent',
      isStacked: config.options.stacked_percent,
      compares: config.compare !== undefined,
    };
    checkSize(axis, series);
    if (measure === null) return yield* buildCountTable(axis, series, needs);
    const measured = readMeasuredValues(dataset, measure, settings);
    const table = yield* buildMeasureTable({ rows: axis, series }, measured, needs);
    return yield* markDisclosiveCells(dataset, table, { measured, unfiltered, ...settings });
  };

  const { axis, rest, first, histogram } = isSingle
    ? { axis: singleAxis(plan, createRowAxis, mask.length), rest: null, first: null, histogram: null }
    : yield* orderAxis(plan, settings, { createRowAxis, tableOf: (one) => tableOf(one, main) });
  const disclose = (table: ChartTable, { aggregation, measure }: PlannedAggregation) =>
    discloseTable(table, {
      aggregation: aggregation.function,
      label: aggregationLabel(aggregation, measure, plan),
      isStacked: config.options.stacked_percent,
      level: config.compare?.level ?? null,
      rest,
      protection: settings.protection,
    });
  const table = first ?? (yield* tableOf(axis, main));
  const bars = disclose(table, main);
  const disclosed =
    line === null
      ? bars
      : combineBarsAndLine(bars, disclose(yield* tableOf(axis, line), line), settings.protection !== null);
  const { base: wholeBase, suppressed } = disclosed;
  const categories = numberCategories(disclosed.categories, plan.dimension.entry);
  const drawn = numberSeries(disclosed.series, plan.series?.entry);
  const notes: ChartFigures['notes'] = [
    ...binningNotes(histogram),
    ...binningNotes(split?.histogram ?? null),
    ...(config.options.stacked_percent && series?.overlaps === true ? [OVERLAP_NOTE] : []),
    ...(kind.layout === 'slices' && axis.overlaps ? [SLICES_OVERLAP_NOTE] : []),
    ...withoutWeightNotes(settings),
    ...table.notes,
  ];
  notes.push(...protectionNotes(settings.protection, suppressed));
  const score = netPromoterNotes({ categories, series: drawn, notes }, plan);
  const hasNoBase = isSingle && countsOnlyFlagged(plan);
  if (hasNoBase) notes.push(OUTSIDE_BASE_NOTE);
  return {
    chart_type: kind.type,
    dimension: presentChartColumn(plan.dimension),
    series_by: plan.series === null ? null : presentChartColumn(plan.series),
    aggregation: { ...config.aggregation, label: aggregationLabel(config.aggregation, plan.measure, plan) },
    ...(histogram !== null && { binning: presentBinning(histogram, settings.protection) }),
    categories,
    series: hasNoBase ? drawn.map(withoutValues) : drawn,
    base: wholeBase,
    ...(suppressed && { suppressed: true as const }),
    notes: [...score, ...notes],
  };
}

function resolveBaseAndNets({ config, dimension, kind }: ChartPlan): { base: Base; nets: Net[] } {
  const { columnCode } = dimension.entry.spec;
  const nets = (config.nets ?? []).map((net, index): Net => ({
    ...net,
    columnCode,
    field: `nets[${index}].values`,
  }));
  const { value } = config.aggregation;
  if (kind.layout === 'single' && value !== undefined)
    nets.push({ columnCode, label: 'Total', values: value, field: 'aggregation.value' });
  return { base: STATISTICS_BASES[config.options.base], nets };
}

function aggregationLabel(
  { function: name, value }: AggregationChoice,
  measure: Measure | null,
  { dimension }: Pick<ChartPlan, 'dimension'>,
): string {
  if (measure !== null) return `${FUNCTION_LABELS[name]}: ${measure.entry.spec.label}`;
  if (value === undefined) return FUNCTION_LABELS[name];
  const labels = value.map(
    (one) => dimension.entry.spec.values.find((known) => known.value === one)?.label ?? one,
  );
  return `${FUNCTION_LABELS[name]}: ${labels.join(', ')}`;
}

const OVERLAP_NOTE = {
  code: 'parts_overlap',
  message: 'Respondents can give several answers, so the parts of a bar can add up to more than 100%.',
} as const;

const SLICES_OVERLAP_NOTE = {
  code: 'parts_overlap',
  message:
    'Respondents can give several answers, so the slices can add up to more than 100%; bars compare them better.',
} as const;

const OUTSIDE_BASE_NOTE = {
  code: 'outside_base',
  message:
    'The answer is marked as missing and outside the base, so it has no figure; the base "shown" includes it.',
} as const;

/** Whether a single figure counts only options flagged as missing, which are outside the base. */
function countsOnlyFlagged({ config: { aggregation, options }, dimension }: ChartPlan): boolean {
  const { value } = aggregation;
  if (value === undefined || STATISTICS_BASES[options.base] !== 'answering') return false;
  const { values } = dimension.entry.spec;
  return value.every((wanted) => values.find((known) => known.value === wanted)?.missing === true);
}

const withoutValues = (series: ChartSeries): ChartSeries => ({
  ...series,
  values: series.values.map(() => null),
  counts: series.counts.map(() => null),
  percents: series.percents.map(() => null),
});

/** Protected figures do not say how many responses are left out. */
function withoutWeightNotes({ counting, protection }: ChartSettings): ChartFigures['notes'] {
  const notes = noteWithoutWeight({ counting });
  if (protection === null) return notes;
  return notes.map((note) => ({ ...note, message: 'Responses without a weight are left out.' }));
}

/** Computes a question as a whole (composite-figures.ts). */
function* computeCompositeChart(
  dataset: Dataset,
  plan: CompositePlan,
  settings: ChartSettings,
): Generator<void, ChartFigures> {
  const { config, kind, dimension } = plan;
  const label = compositeLabel(plan);
  const base = STATISTICS_BASES[config.options.base];
  const { notes, suppressed, measure, ...figures } = yield* computeCompositeFigures(dataset, plan, {
    ...settings,
    base,
    label,
  });
  checkCells(figures.categories.length, figures.series.length);
  return {
    chart_type: kind.type,
    dimension: { ...presentChartColumn(dimension), ...(measure !== undefined && { measure }) },
    aggregation: { ...config.aggregation, label },
    ...figures,
    ...(suppressed && { suppressed: true as const }),
    notes: [...notes, ...withoutWeightNotes(settings), ...protectionNotes(settings.protection, suppressed)],
  };
}

function compositeLabel({ kind, composite, config: { aggregation } }: CompositePlan): string {
  const { function: name, n = 2 } = aggregation;
  if (composite.kind === 'categories') return FUNCTION_LABELS[name];
  const top = n === 1 ? 'Ranked first' : `Ranked in the top ${n}`;
  const label =
    composite.kind === 'numbers'
      ? FUNCTION_LABELS[name]
      : name === 'top_box'
        ? top
        : name === 'mean'
          ? 'Mean rank'
          : FUNCTION_LABELS[name];
  return kind.layout === 'single' ? `${label}: ${composite.parts[0].label}` : label;
}

function binningNotes(histogram: Histogram | null): ChartFigures['notes'] {
  if (histogram === null) return [];
  const { method, width } = histogram;
  const rule = method === 'fixed' ? '' : ', by the rule of Freedman and Diaconis';
  return [{ code: 'binned', message: `Values are grouped into classes of width ${width}${rule}.` }];
}

/** Protected figures report no finer binning than the bars they show. */
function presentBinning(histogram: Histogram, protection: Protection | null): ChartBinning {
  const { method, classes, width, breaks } = histogram;
  return { method, classes: protection === null ? classes : null, width, breaks };
}

function checkSize(axis: Axis, series: Axis | null): void {
  const width = series?.categories.length ?? 0;
  if (series !== null && width > MAX_SERIES) {
    const message = `${columnCodesOf(series).join(' by ')} has ${width} categories; ${limitReached({ owner: 'a chart', max: MAX_SERIES, unit: 'series', units: 'series' })}`;
    throw unprocessable('chart_too_large', `series: ${message}`, [{ field: 'series', message }]);
  }
  checkCells(axis.categories.length, width);
}

function checkCells(height: number, width: number): void {
  const cells = height * Math.max(1, width);
  if (cells > MAX_CELLS) {
    const message = `the chart has ${cells} figures, at most ${MAX_CELLS} are made; set options.limit, or filter`;
    throw unprocessable('chart_too_large', `dimension: ${message}`, [{ field: 'dimension', message }]);
  }
}

/** A single category: all respondents for a measure, otherwise those who gave one of the requested answers. */
function singleAxis(
  plan: ChartPlan,
  createRowAxis: (more: readonly Net[]) => DimensionAxis,
  rowCount: number,
): Axis {
  const total = { steps: [], missing: false, isNet: false, family: null };
  if (plan.measure !== null) {
    const emptyBase = emptyAxis(rowCount);
    return { ...emptyBase, categories: [{ ...total, region: emptyBase.base }] };
  }
  const { axis } = createRowAxis([]);
  const wanted = plan.config.aggregation.value === undefined ? undefined : axis.categories.at(-1);
  return { ...axis, categories: [{ ...total, region: wanted?.region ?? axis.base }] };
}

interface OrderedAxis {
  axis: Axis;
  rest: AxisCategory | null;
  /** The figures, if the rest category did not require computing them again. */
  first: ChartTable | null;
  /** The bins that are shown, for a number. */
  histogram: Histogram | null;
}

interface OrderingSteps {
  /** Creates the axis with additional nets. */
  createRowAxis: (more: readonly Net[]) => DimensionAxis;
  tableOf: (axis: Axis) => Generator<void, ChartTable>;
}

/** Orders the axis as the chart shows it and merges the smaller categories. */
function* orderAxis(
  { config }: ChartPlan,
  { protection }: ChartSettings,
  { createRowAxis, tableOf }: OrderingSteps,
): Generator<void, OrderedAxis> {
  const { axis, isObserved, isOrdered, histogram: classes } = createRowAxis([]);
  yield;
  const table = yield* tableOf(axis);
  const isSmall = (count: number) => protection !== null && count > 0 && count < protection.minBase;
  const sortKeys = sortValues(table, config, protection);
  const ranked = table.rows.map(({ category }, row) => ({ category, value: sortKeys[row] ?? null }));
  const unlisted = new Set<number>();
  table.rows.forEach(({ total, category }, row) => {
    if (isObserved && !category.isNet && isSmall(total.count.count)) unlisted.add(row);
  });
  const histogram =
    classes === null || protection === null ? classes : trimUnlistedTails(classes, table, unlisted);
  const { listed, rest } = orderCategories(ranked, { options: config.options, isOrdered, unlisted });
  const inOrder = (from: Axis, last: AxisCategory | null): Axis => {
    const chosen = listed.flatMap((position) => from.categories[position] ?? []);
    const proper = chosen.filter(({ isNet }) => !isNet);
    return {
      ...from,
      categories: [...proper, ...(last === null ? [] : [last]), ...chosen.filter(({ isNet }) => isNet)],
    };
  };
  if (rest.length === 0) {
    const first = { ...table, rows: listed.flatMap((position) => table.rows[position] ?? []) };
    return { axis: inOrder(axis, null), rest: null, first, histogram };
  }
  if (!axis.overlaps) {
    const last = createRestCategory(axis, rest, REST_LABEL);
    return { axis: inOrder(axis, last), rest: last, first: null, histogram };
  }
  const values = rest.flatMap((position) => axis.categories[position]?.steps.at(-1)?.value ?? []);
  const nets = axis.specs.map(({ columnCode }): Net => {
    return { columnCode, label: REST_LABEL, values, field: 'options.limit' };
  });
  const rebuilt = createRowAxis(nets).axis;
  const net = rebuilt.categories.at(-1);
  if (net === undefined) throw new Error('an axis with a net has categories');
  const last = { ...net, isNet: false, steps: net.steps.map((step) => ({ ...step, values: null })) };
  return { axis: inOrder(rebuilt, last), rest: last, first: null, histogram: null };
}

/** Removes the bins beyond the first and last disclosed one: empty bins would reveal the range of the values. */
function trimUnlistedTails(histogram: Histogram, { rows }: ChartTable, unlisted: Set<number>): Histogram {
  const disclosed = rows.flatMap(({ total }, position) =>
    total.count.count > 0 && !unlisted.has(position) ? [position] : [],
  );
  const [first = 0, last = -1] = [disclosed[0], disclosed.at(-1)];
  rows.forEach((_, position) => {
    if (position < first || position > last) unlisted.add(position);
  });
  return { ...histogram, breaks: histogram.breaks.slice(first, last + 2) };
}

/**
 * The values to sort categories by. Under protection these are the disclosed values, because the order of exact values reveals more than
 * rounded figures.
 */
function sortValues(
  table: ChartTable,
  { aggregation, options }: ChartPlan['config'],
  protection: Protection | null,
): readonly (number | null)[] {
  if (protection === null) return table.rows.map(({ total }) => total.value);
  const isRanked = options.sort.startsWith('value') || options.limit !== undefined;
  if (!isRanked) return [];
  const disclosed = discloseTable(
    { ...table, series: null },
    { aggregation: aggregation.function, label: '', isStacked: false, level: null, rest: null, protection },
  );
  return disclosed.series[0]?.values ?? [];
}

/** Combines bars and their line. A figure suppressed in one is suppressed in both, because both describe mostly the same respondents. */
function combineBarsAndLine(
  bars: DisclosedTable,
  line: DisclosedTable,
  isProtected: boolean,
): DisclosedTable {
  if (bars.base === null || line.base === null) return bars.base === null ? bars : line;
  const suppressed = bars.suppressed || line.suppressed;
  const hideIfSuppressed = (one: ChartSeries, other: ChartSeries | undefined): ChartSeries => {
    if (!isProtected || other === undefined) return one;
    const keep = <T>(list: T[]) =>
      list.map((each, position) => (other.counts[position] === null ? null : each));
    const { values, counts, percents } = one;
    const base = other.base === null ? null : one.base;
    return { ...one, values: keep(values), counts: keep(counts), percents: keep(percents), base };
  };
  return {
    ...bars,
    series: [
      ...bars.series.map((one, index) => hideIfSuppressed(one, line.series[index])),
      ...line.series.map((one, index) => ({
        ...hideIfSuppressed(one, bars.series[index]),
        drawn_as: 'line' as const,
      })),
    ],
    suppressed,
  };
}
