import type { Dataset } from '../dataset/dataset.ts';
import { type Axis, emptyAxis } from '../statistics/crosstab/axis.ts';
import type { TableNote } from '../statistics/crosstab/notes.ts';
import { measuredTable } from './chart-table.ts';
import { dimensionAxis } from './dimension-axis.ts';
import { withRevealing } from './filter-differences.ts';
import { type Measure, numbersOf } from './measure.ts';
import { presentTable, type Told } from './present-chart.ts';
import type { Dimension } from './read-chart.ts';
import type { Base } from '../statistics/base.ts';
import type { TableRows } from '../statistics/crosstab/count-crossing.ts';
import type { ChartBase, ChartColumn, ChartNote, ChartSeries } from './chart-data.ts';
import type { ViewerFilters } from './filter-differences.ts';
import type { Protection } from './protection.ts';
import type { QuestionPart } from './whole-question.ts';

export interface WholeSettings {
  counting: TableRows;
  protection: Protection | null;
  viewer: ViewerFilters | null;
  base: Base;
  /** What a measure is called. */
  label: string;
}

/** The figures of one part. */
export interface PartFigures {
  part: QuestionPart;
  base: ChartBase | null;
  /** By what the parts are sorted. */
  key: number | null;
  /** By series: what is drawn, how many it is of, and the percent. */
  cells: PartCell[];
  suppressed: boolean;
}

export interface PartCell {
  value: number | null;
  count: number | null;
  percent: number | null;
  letters?: string[] | undefined;
}

/** What the cells of every part are of. */
export type PartSeries = Pick<ChartSeries, 'name' | 'value' | 'function' | 'drawn_as' | 'is_rest' | 'base'>;

export interface PartTable {
  parts: PartFigures[];
  series: PartSeries[];
  seriesBy: ChartColumn | null;
  /** Whether each part has a separate base. */
  hasOwnBases: boolean;
  notes: ChartNote[];
}

/** A cell that must not be shown. */
export const NOT_TOLD: PartCell = { value: null, count: null, percent: null };

/** The categories by which each part is split. */
export function seriesAxis(dataset: Dataset, series: Dimension, counting: TableRows): Axis {
  return dimensionAxis(dataset, series, { base: 'answering', nets: [], counting, bins: 'auto', apart: true })
    .axis;
}

/** Of figures that are neither stacked nor compared. */
export const PLAIN = { isStacked: false, level: null, rest: null } as const;

/** One category: all who count. */
export function totalAxis(rowCount: number): Axis {
  const axis = emptyAxis(rowCount);
  const total = { steps: [], missing: false, isNet: false, family: null, region: axis.base };
  return { ...axis, categories: [total] };
}

interface PartMeasure {
  measure: Measure;
  series: Dimension | null;
  /** From which level on letters are shown; null: nothing is compared. */
  level: number | null;
}

/** A measure of one part, in all or by the categories of a series, as a chart of its column alone would show it. */
export function* measuredPart(
  dataset: Dataset,
  { entry }: QuestionPart,
  { measure, series, level }: PartMeasure,
  settings: WholeSettings,
): Generator<void, { told: Told; notes: readonly TableNote[] }> {
  const { counting, protection, label } = settings;
  const { mask, weights } = counting;
  const splitIn = (within: Uint8Array) =>
    series === null ? null : seriesAxis(dataset, series, { mask: within, weights });
  const values = numbersOf(dataset.column(entry), mask.length);
  const needs = { counting, isPercent: false, isStacked: false, compares: level !== null };
  const found = yield* measuredTable(totalAxis(mask.length), splitIn(mask), values, measure, needs);
  const unfiltered = (all: Uint8Array) => ({ rows: totalAxis(all.length), series: splitIn(all) });
  const table = yield* withRevealing(dataset, found, measure, values, unfiltered, settings);
  const told = presentTable(table, { ...PLAIN, level, label, protection, aggregation: measure.name });
  return { told, notes: table.notes };
}
