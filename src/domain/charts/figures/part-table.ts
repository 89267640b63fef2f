import type { Dataset } from '../../dataset/dataset.ts';
import { type Axis, type AxisCategory, emptyAxis } from '../../statistics/crosstab/axis.ts';
import type { TableNote } from '../../statistics/crosstab/table.ts';
import { buildMeasureTable } from '../chart-table.ts';
import { createDimensionAxis } from './dimension-axis.ts';
import { markDisclosiveCells, type ViewerFilters } from '../disclosure/differencing.ts';
import { readMeasuredValues } from './measured-values.ts';
import { type DisclosedTable, discloseTable } from '../disclosure/disclosure.ts';
import type { Dimension } from './chart-plan.ts';
import type { Base } from '../../statistics/base.ts';
import type { TableRows } from '../../statistics/crosstab/count-crossing.ts';
import type { ChartBase, ChartColumn, ChartNote, ChartSeries } from '../chart-data.ts';
import type { Protection } from '../disclosure/protection.ts';
import type { MeasuredPart, QuestionPart } from './composite-question.ts';

export interface CompositeSettings {
  counting: TableRows;
  protection: Protection | null;
  viewer: ViewerFilters | null;
  base: Base;
  /** The label of the measure. */
  label: string;
}

/** The figures of one part. */
export interface PartFigures {
  part: QuestionPart;
  base: ChartBase | null;
  /** The sort value of the part. */
  key: number | null;
  /** By series: the drawn value, its count and percent. */
  cells: PartCell[];
  suppressed: boolean;
}

export interface PartCell {
  value: number | null;
  count: number | null;
  percent: number | null;
  letters?: string[] | undefined;
}

/** A series over all parts. */
export type PartSeries = Pick<ChartSeries, 'name' | 'value' | 'function' | 'drawn_as' | 'is_rest' | 'base'>;

export interface PartTable {
  parts: PartFigures[];
  series: PartSeries[];
  seriesBy: ChartColumn | null;
  /** Whether each part has its own base. */
  hasPartBases: boolean;
  notes: ChartNote[];
}

/** A suppressed cell. */
export const SUPPRESSED_CELL: PartCell = { value: null, count: null, percent: null };

/** The figures of a series in one category. Suppressed without a series. */
export function partCell(series: ChartSeries | undefined, index: number): PartCell {
  if (series === undefined) return SUPPRESSED_CELL;
  const { values, counts, percents, letters } = series;
  const cell: PartCell = {
    value: values[index] ?? null,
    count: counts[index] ?? null,
    percent: percents[index] ?? null,
  };
  return letters === undefined ? cell : { ...cell, letters: letters[index] };
}

/** The series of a category of the axis that splits the parts. */
export function partSeries({ steps: [step] }: AxisCategory, base: ChartBase | null): PartSeries {
  if (step === undefined) throw new Error('a category that splits a question has no value');
  return { name: step.label, value: step.value, base };
}

/** The categories by which each part is split. */
export function createSeriesAxis(dataset: Dataset, series: Dimension, counting: TableRows): Axis {
  return createDimensionAxis(dataset, series, {
    base: 'answering',
    nets: [],
    counting,
    bins: 'auto',
    isNested: true,
  }).axis;
}

/** For figures that are neither stacked nor compared. */
export const UNSTACKED = { isStacked: false, level: null, rest: null } as const;

/** An axis with a single category: all counted responses. */
export function createTotalAxis(rowCount: number): Axis {
  const axis = emptyAxis(rowCount);
  const total = { steps: [], missing: false, isNet: false, family: null, region: axis.base };
  return { ...axis, categories: [total] };
}

interface PartMeasure extends MeasuredPart {
  series: Dimension | null;
  /** The confidence level of the letters; null: no comparison. */
  level: number | null;
}

/** Computes a measure of one part, in total or by series, as a chart of its column alone would show it. */
export function* computePartMeasure(
  dataset: Dataset,
  { measure, series, level }: PartMeasure,
  settings: CompositeSettings,
): Generator<void, { disclosed: DisclosedTable; notes: readonly TableNote[] }> {
  const { counting, protection, label } = settings;
  const { mask, weights } = counting;
  const createSplit = (within: Uint8Array) =>
    series === null ? null : createSeriesAxis(dataset, series, { mask: within, weights });
  const measured = readMeasuredValues(dataset, measure, settings);
  const needs = { counting, isPercent: false, isStacked: false, compares: level !== null };
  const axesOf = (rows: Uint8Array) => ({ rows: createTotalAxis(rows.length), series: createSplit(rows) });
  const found = yield* buildMeasureTable(axesOf(mask), measured, needs);
  const table = yield* markDisclosiveCells(dataset, found, {
    measured,
    unfiltered: axesOf,
    ...settings,
  });
  const disclosed = discloseTable(table, {
    ...UNSTACKED,
    level,
    label,
    protection,
    aggregation: measure.name,
  });
  return { disclosed, notes: table.notes };
}
