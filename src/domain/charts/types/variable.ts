import { z } from 'zod';
import type { CatalogColumn, ColumnCatalog } from '../../dataset/column-catalog.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { answerRegion, type Axis, emptyAxis, type Net } from '../../statistics/crosstab/axis.ts';
import { countCells } from '../../statistics/crosstab/category-table.ts';
import { type Count, NO_RESPONSES } from '../../statistics/base.ts';
import {
  addConfigIssue,
  checkSurvey,
  columnChoice,
  columnText,
  countedChoice,
  filterInput,
  idNumber,
  valueText,
} from '../chart-config.ts';
import { type ChartDrawing, STATIC_CHART, STATIC_SERIES } from '../drawing/chart-drawing.ts';
import { type ChartTheme, chooseFill } from '../drawing/chart-theme.ts';
import type { ChartTypeModule } from '../chart-type.ts';
import type { ChartSettings } from '../chart.ts';
import { VARIABLE_METRICS, type VariableFigure } from '../chart-data.ts';
import { type ChartCell, type ChartTable, buildMeasureTable } from '../chart-table.ts';
import { createDimensionAxis } from '../figures/dimension-axis.ts';
import { markDisclosiveCells } from '../disclosure/differencing.ts';
import { type Measure, resolveMeasure } from '../figures/measure.ts';
import { readMeasuredValues } from '../figures/measured-values.ts';
import {
  discloseMeasure,
  presentChartBase,
  presentChartColumn,
  protectionNotes,
} from '../disclosure/disclosure.ts';
import {
  findSuppressedFigures,
  isSensitive,
  isTooFew,
  type Protection,
  roundedCount,
} from '../disclosure/protection.ts';
import {
  checkValues,
  resolveColumnChoice,
  type Dimension,
  resolveDimension,
  withQuestion,
} from '../figures/chart-plan.ts';

const SPARKLINES = ['day', 'week', 'month', 'wave'] as const;

const variableObject = z
  .strictObject({
    metric: z
      .enum(VARIABLE_METRICS)
      .describe(
        'base: number of respondents; count: respondents with an answer; sum and mean: of a numeric column',
      ),
    value: valueText
      .optional()
      .describe('count only: the answer to count. Default: all respondents who answered'),
    column_code: columnText
      .optional()
      .describe(
        'sum and mean only: a number, or a choice whose measure is ordinal or scale. Default: the dimension',
      ),
    prefix: z.string().max(20).optional(),
    suffix: z.string().max(20).optional(),
    decimals: z.int().min(0).max(6).optional(),
    compare_to: z
      .literal('previous_wave')
      .optional()
      .describe('Show the value of the newest wave with responses, and the value of the wave before it'),
    sparkline: z.enum(SPARKLINES).optional().describe('Show the value over time by this period'),
  })
  .superRefine(({ metric, value, column_code }, context) => {
    if (value !== undefined && metric !== 'count')
      addConfigIssue(context, ['value'], `is only allowed with count, not with ${metric}`);
    if (column_code !== undefined && metric !== 'sum' && metric !== 'mean')
      addConfigIssue(context, ['column_code'], `is only allowed with sum and mean, not with ${metric}`);
  })
  .meta({ id: 'VariableMetric' });

const variable = z
  .strictObject({
    survey_id: idNumber.optional(),
    dimension: columnChoice,
    variable: z
      .union([z.enum(VARIABLE_METRICS).transform((metric) => ({ metric })), variableObject])
      .pipe(variableObject),
    weight_column: columnText.optional(),
    filter: filterInput.nullish(),
    ...countedChoice,
  })
  .superRefine((config, context) => checkSurvey(config, context, 'dimension'));
/** A single number with its label and source. */
export type VariableConfig = z.infer<typeof variable>;

/** A single number, with its change since the previous wave and its trend. */
export const variableType: ChartTypeModule<'variable', VariableConfig> = {
  type: 'variable',
  form: { name: 'Variable', schema: variable },
  schema: variable,
  columnField: 'dimension',
  resolve: (config, catalog) => {
    const plan = resolveVariablePlan(config, catalog);
    return {
      columns: columnsOfVariable(plan),
      showsTexts: true,
      compute: (dataset, settings) => computeVariableFigure(dataset, plan, settings),
      stored: () => {
        const entry = resolveColumnChoice(catalog, config.dimension, 'dimension');
        return { ...config, dimension: withQuestion(config.dimension, entry) };
      },
    };
  },
  view: 'variable',
  showsOneNumber: true,
  gridSize: { w: 3, h: 3 },
  slides: ['key-figures'],
  example: { title: 'Mean satisfaction', config: { dimension: 'Q4', variable: 'mean' } },
};

/** A variable element with its columns resolved. */
interface VariablePlan {
  config: VariableConfig;
  dimension: Dimension;
  /** Only for a sum or mean. */
  measure: Measure | null;
  wave: CatalogColumn;
  completedAt: CatalogColumn;
}

export function resolveVariablePlan(config: VariableConfig, catalog: ColumnCatalog): VariablePlan {
  const { metric, column_code: code } = config.variable;
  const isMeasure = metric === 'sum' || metric === 'mean';
  const field = code === undefined ? 'dimension' : 'variable.column_code';
  const entry =
    isMeasure && code !== undefined
      ? resolveColumnChoice(catalog, { column_code: code }, 'variable')
      : resolveColumnChoice(catalog, config.dimension, 'dimension');
  const { value } = config.variable;
  if (value !== undefined) checkValues(entry, [value], () => 'variable.value');
  return {
    config,
    dimension: isMeasure
      ? { entry, period: null, field }
      : resolveDimension(catalog, config.dimension, { field: 'dimension' }),
    measure: isMeasure ? resolveMeasure(entry, { function: metric }, field) : null,
    wave: metadataColumn(catalog, 'wave_id'),
    completedAt: metadataColumn(catalog, 'completed_at'),
  };
}

function metadataColumn(catalog: ColumnCatalog, code: string): CatalogColumn {
  const column = catalog.find(code);
  if (column === undefined) throw new Error(`the catalog has no column ${code}`);
  return column;
}

/** The columns that a plan reads. */
function columnsOfVariable({ config, dimension, measure, wave, completedAt }: VariablePlan): CatalogColumn[] {
  const { sparkline, compare_to: compareTo } = config.variable;
  return [
    dimension.entry,
    ...(measure === null ? [] : [measure.entry]),
    ...(sparkline === 'wave' || compareTo !== undefined ? [wave] : []),
    ...(sparkline === undefined || sparkline === 'wave' ? [] : [completedAt]),
  ];
}

/** Computes the number of a variable element, that of the previous wave, and its sparkline. Yields between passes over the responses. */
export function* computeVariableFigure(
  dataset: Dataset,
  plan: VariablePlan,
  settings: ChartSettings,
): Generator<void, VariableFigure> {
  const { metric, compare_to: compareTo, sparkline } = plan.config.variable;
  const { protection } = settings;
  const splitByPeriod = (by: (typeof SPARKLINES)[number]) =>
    splitBy(dataset, { plan, axisOf: createSplitAxis(dataset, plan, { by, settings }) }, settings);
  const total = yield* splitBy(dataset, { plan, axisOf: ({ length }) => emptyAxis(length) }, settings);
  const byWave = compareTo !== undefined || sparkline === 'wave' ? yield* splitByPeriod('wave') : null;
  const disclosure = { metric, protection };
  const notes = (suppressed: boolean) => protectionNotes(protection, suppressed);
  const head = { chart_type: 'variable', dimension: presentChartColumn(plan.dimension), metric } as const;
  let value = total.isHidden ? null : discloseFigure(total.all, total.base, disclosure);
  let base = total.base;
  let compared = {};
  if (compareTo !== undefined && byWave !== null) {
    const hidden = findSuppressedRows(byWave.table, protection);
    const waves = byWave.table.rows.filter((row) => row.total.count.count > 0);
    const [before, current] = [waves.at(-2), waves.at(-1)];
    const baseOf = (row: TableRow | undefined): Count =>
      (row === undefined ? undefined : byWave.baseOf.get(row)) ?? NO_RESPONSES;
    const discloseRow = (row: TableRow | undefined) =>
      row === undefined || hidden.has(row) ? null : discloseFigure(row.total, baseOf(row), disclosure);
    base = baseOf(current);
    value = discloseRow(current);
    const previous = discloseRow(before);
    const change = value === null || previous === null ? null : Number((value - previous).toPrecision(12));
    const name = (row: TableRow | undefined) => (row === undefined ? null : rowLabel(row));
    compared = { previous, change, waves: { current: name(current), previous: name(before) } };
  }
  if (protection !== null && isTooFew(base.count, protection)) {
    return { ...head, value: null, base: null, suppressed: true, notes: notes(true) };
  }
  const line =
    sparkline === undefined
      ? undefined
      : sparkline === 'wave' && byWave !== null
        ? byWave
        : yield* splitByPeriod(sparkline);
  const points = line === undefined ? undefined : sparklinePoints(line.table, disclosure);
  const suppressed =
    protection !== null &&
    (value === null || (points ?? []).some(({ value: point, isEmpty }) => point === null && !isEmpty));
  return {
    ...head,
    value,
    // Often the base is the figure.
    base: protection !== null && value === null ? null : presentChartBase(base, protection),
    ...compared,
    ...(points !== undefined && { sparkline: points.map(({ at, value: point }) => ({ at, value: point })) }),
    ...(suppressed && { suppressed: true as const }),
    notes: notes(suppressed),
  };
}

interface VariableDisclosure {
  metric: VariableFigure['metric'];
  protection: Protection | null;
}

type TableRow = ChartTable['rows'][number];

interface SplitFigures {
  table: ChartTable;
  all: ChartCell;
  /** The respondents that the figure is based on. */
  base: Count;
  baseOf: ReadonlyMap<TableRow, Count>;
  /** Whether other elements of the dashboard would reveal the figure. */
  isHidden: boolean;
}

/** Creates an axis from the responses of a mask. */
type AxisOfMask = (mask: Uint8Array) => Axis;

function createSplitAxis(
  dataset: Dataset,
  { wave, completedAt }: VariablePlan,
  { by, settings }: { by: (typeof SPARKLINES)[number]; settings: ChartSettings },
): AxisOfMask {
  const { weights } = settings.counting;
  const dimension: Dimension =
    by === 'wave'
      ? { entry: wave, period: null, field: 'variable.sparkline' }
      : { entry: completedAt, period: by, field: 'variable.sparkline' };
  return (mask) =>
    createDimensionAxis(dataset, dimension, {
      base: 'all',
      nets: [],
      counting: { mask, weights },
      bins: 'none',
      isNested: false,
    }).axis;
}

/** Computes the figure in total and for each category of an axis. */
function* splitBy(
  dataset: Dataset,
  { plan: { measure, dimension, config }, axisOf }: { plan: VariablePlan; axisOf: AxisOfMask },
  settings: ChartSettings,
): Generator<void, SplitFigures> {
  const { counting, protection } = settings;
  const { mask } = counting;
  const axis = axisOf(mask);
  if (measure !== null) {
    const measured = readMeasuredValues(dataset, measure, settings);
    const all = { steps: [], missing: false, isNet: true, family: null };
    const needs = { counting, isPercent: false, isStacked: false, compares: false };
    const withAll = (split: Axis): Axis => ({
      ...split,
      categories: [...split.categories, { ...all, region: split.base }],
    });
    const found = yield* buildMeasureTable({ rows: withAll(axis), series: null }, measured, needs);
    const unfiltered = (rows: Uint8Array) => ({ rows: withAll(axisOf(rows)), series: null });
    const table = yield* markDisclosiveCells(dataset, found, { measured, unfiltered, ...settings });
    const rows = table.rows.slice(0, -1);
    const allRow = table.rows.at(-1);
    if (allRow === undefined) throw new Error('the category of all respondents is missing');
    const baseOf = new Map(rows.map((row) => [row, row.total.count]));
    const isHidden =
      protection !== null &&
      findSuppressedFigures({ ...table, rows: [allRow] }, protection).totals[0] === true;
    return { table: { ...table, rows }, all: allRow.total, base: table.base, baseOf, isHidden };
  }
  const { metric, value } = config.variable;
  const { columnCode } = dimension.entry.spec;
  const wanted: Net[] =
    value === undefined ? [] : [{ columnCode, label: 'Total', values: [value], field: 'variable.value' }];
  const target = createDimensionAxis(dataset, dimension, {
    base: 'answering',
    nets: wanted,
    counting,
    bins: 'none',
    isNested: false,
  }).axis;
  const chosen = value === undefined ? undefined : target.categories.at(-1);
  const total = {
    steps: [],
    region: chosen?.region ?? target.base,
    missing: false,
    isNet: false,
    family: null,
  };
  const counts = yield* countCells(axis, { ...target, categories: [total] }, counting);
  const cell = (count: Count): ChartCell => ({
    value: metric === 'base' ? count.count : count.weight,
    count,
    percent: null,
    letters: [],
    se: null,
    extremeCount: null,
    share: null,
    largestContribution: null,
    isDisclosive: false,
  });
  const [chosenBase = NO_RESPONSES] = counts.columns;
  const rows = axis.categories.map((category, index): TableRow => {
    return { category, total: cell(counts.cells[index]?.[0] ?? NO_RESPONSES), cells: [] };
  });
  const chosenAnswers = answerRegion(target, total.region);
  const shared = protection?.shared?.mask === mask ? protection.shared : undefined;
  const hidden = [chosenAnswers, answerRegion(target, target.base)].map(
    (one) => shared?.hides([one]) === true,
  );
  return {
    table: {
      rows,
      series: null,
      base: chosenBase,
      seriesOverlap: false,
      rowsOverlap: false,
      regions: { rows: axis, series: null, mask, parts: [chosenAnswers], averaged: null },
      notes: [],
    },
    isHidden: hidden.includes(true),
    all: cell(chosenBase),
    base: counts.base,
    baseOf: new Map(rows.map((row, index) => [row, counts.rows[index] ?? NO_RESPONSES])),
  };
}

/** Returns null if the figure must be suppressed. A count is also suppressed if it excludes only a few respondents. */
function discloseFigure(
  cell: ChartCell,
  base: Count,
  { metric, protection }: VariableDisclosure,
): number | null {
  const { value, count } = cell;
  if (protection === null || value === null) return value;
  const isFew = (number: number) => number > 0 && number < protection.minBase;
  if (isFew(count.count) || isFew(base.count - count.count)) return null;
  if (metric === 'base' || metric === 'count') return protection.isRounded ? roundedCount(value) : value;
  if (isSensitive(cell, protection)) return null;
  return discloseMeasure(cell, metric === 'sum' ? 'sum' : 'mean', protection);
}

function findSuppressedRows(table: ChartTable, protection: Protection | null): ReadonlySet<TableRow> {
  if (protection === null) return new Set();
  const { totals } = findSuppressedFigures(table, protection);
  return new Set(table.rows.filter((_, index) => totals[index]));
}

function sparklinePoints(table: ChartTable, disclosure: VariableDisclosure) {
  const hidden = findSuppressedRows(table, disclosure.protection);
  return table.rows.map((row) => {
    const point = hidden.has(row) ? null : discloseFigure(row.total, row.total.count, disclosure);
    return { at: rowLabel(row), value: point, isEmpty: row.total.value === null };
  });
}

const rowLabel = ({ category }: TableRow): string => category.steps.at(-1)?.label ?? '';

/** A small line chart of one number without axes; the last value has a marker. */
export function drawSparkline(
  points: NonNullable<VariableFigure['sparkline']>,
  { theme, width, height }: { theme: ChartTheme; width: number; height: number },
): ChartDrawing {
  const { fill } = chooseFill(theme, { count: 1, palette: 'categorical' }, 0);
  const last = points.findLastIndex(({ value }) => value !== null);
  return {
    width,
    height,
    option: {
      ...STATIC_CHART,
      grid: { left: 4, right: 6, top: 6, bottom: 4, outerBoundsMode: 'none' },
      xAxis: { type: 'category', show: false, boundaryGap: false, data: points.map(({ at }) => at) },
      yAxis: { type: 'value', show: false, scale: true },
      series: [
        {
          ...STATIC_SERIES,
          type: 'line',
          data: points.map(({ value }, index) => ({
            value: value ?? '-',
            symbolSize: index === last ? 7 : 0,
          })),
          symbol: 'circle',
          showAllSymbol: true,
          lineStyle: { color: fill, width: 2, cap: 'round', join: 'round' },
          itemStyle: { color: fill, borderColor: theme.background, borderWidth: 1.5 },
          areaStyle: { color: fill, opacity: 0.1 },
        },
      ],
    },
  };
}
