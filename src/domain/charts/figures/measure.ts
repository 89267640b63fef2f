import { onlyAllowed } from '../../../lib/error-messages.ts';
import { unprocessableField } from '../../../lib/errors.ts';
import { typeOf } from '../../questions/registry.ts';
import type { CatalogColumn } from '../../dataset/column-catalog.ts';
import type { Column } from '../../columns/columns.ts';
import { noMeanReason, createNumberReader } from '../../dataset/read-numbers.ts';
import type { Count } from '../../statistics/base.ts';
import { withoutMissingCodes } from '../../statistics/crosstab/slot-moments.ts';
import {
  computeMoments,
  computeNetPromoterScore,
  computeQuantile,
  type MeanFigure,
  presentMean,
  tallyMoments,
} from '../../statistics/moments.ts';
import type { Tally } from '../../statistics/tally.ts';
import type { AggregationChoice, AggregationName } from '../chart-config.ts';

type MeasureName = Exclude<AggregationName, 'count' | 'percent' | 'rank_summary'>;

/** A number and the function computed from its values. */
export interface Measure {
  entry: CatalogColumn;
  name: MeasureName;
  /** For top_box: the codes in the box. For a mean of two codes, which is a share too: the higher one. Otherwise null. */
  box: ReadonlySet<number> | null;
}

/** The part of a measure that its figures depend on. */
type ComputedMeasure = Pick<Measure, 'name' | 'box'>;

const DEFAULT_BOX = 2;
const MAX_NPS = 10;

function notAllowed(field: string, message: string) {
  return unprocessableField('no_number', field, message);
}

/** Throws 422 if the type or level of measurement of the column does not allow the function. */
export function resolveMeasure(
  entry: CatalogColumn,
  { function: name, n }: AggregationChoice,
  field: string,
): Measure {
  const { spec, origin } = entry;
  if (name === 'count' || name === 'percent' || name === 'rank_summary')
    throw new Error(`${name} measures nothing`);
  const reason = noMeanReason(spec);
  if (reason !== null) throw notAllowed(field, reason);
  const numbers = spec.values.filter(({ missing }) => !missing).map(({ number }) => number);
  if (name === 'nps') {
    const isScore =
      origin.kind === 'question' && typeOf(origin.questionColumns.question).figures.hasNetPromoterScore;
    const fits = numbers.length > 0 && numbers.every((number) => number >= 0 && number <= MAX_NPS);
    if (!isScore && !(fits && Math.max(...numbers) === MAX_NPS))
      throw notAllowed(
        field,
        `nps ${onlyAllowed(`for a scale from 0 to 10; ${spec.columnCode} has another range`)}`,
      );
  }
  if (name === 'top_box' && numbers.length === 0)
    throw notAllowed(
      field,
      `${name} ${onlyAllowed(`for a column with a list of values; ${spec.columnCode} does not have one`)}`,
    );
  const size = name === 'top_box' ? (n ?? DEFAULT_BOX) : name === 'mean' && numbers.length === 2 ? 1 : null;
  const box = size === null ? null : new Set([...numbers].sort((a, b) => b - a).slice(0, size));
  return { entry, name, box };
}

/** By row; NaN if there is no answer or it is flagged as missing. */
export function readMeasureValues(column: Column, rowCount: number): Float64Array {
  if (column.kind === 'numeric') return withoutMissingCodes(column, column.spec, rowCount);
  const numbers = new Float64Array(rowCount);
  createNumberReader(column)(0, numbers);
  return numbers;
}

/** 100 for values in the box, 0 for others, so that their mean is the percent in the box. */
function boxTally(tally: Tally, box: Measure['box']): Tally {
  return regroupTally(tally, (value) => (box?.has(value) ? 100 : 0));
}

/** The mean of 100, 0 and -100 is the Net Promoter Score. */
const npsNumber = (value: number): -100 | 0 | 100 => (value >= 9 ? 100 : value <= 6 ? -100 : 0);
const npsTally = (tally: Tally): Tally => regroupTally(tally, npsNumber);

/** The number whose mean or sum is the measure. */
export const averagedNumber = ({ name }: Measure, value: number): number =>
  name === 'nps' ? npsNumber(value) : value;

function regroupTally(
  { values, counts, weights, squaredWeights }: Tally,
  groupOf: (value: number) => -100 | 0 | 100,
): Tally {
  const groups = Float64Array.of(-100, 0, 100);
  const add = (numbers: Float64Array) => {
    const sums = new Float64Array(groups.length);
    for (const [index, value] of values.entries()) {
      const group = groupOf(value) / 100 + 1;
      sums[group] = (sums[group] ?? 0) + (numbers[index] ?? 0);
    }
    return sums;
  };
  return { values: groups, counts: add(counts), weights: add(weights), squaredWeights: add(squaredWeights) };
}

/** Computes the measure of a tally; null without values. */
export function computeMeasure(tally: Tally, { name, box }: ComputedMeasure): number | null {
  switch (name) {
    case 'mean':
      return computeMoments(tally).mean;
    case 'sum': {
      const { mean, weight } = computeMoments(tally);
      return mean === null ? null : mean * weight;
    }
    case 'median':
      return computeQuantile(tally, 0.5);
    case 'min':
      return tally.values[0] ?? null;
    case 'max':
      return tally.values.at(-1) ?? null;
    case 'nps':
      return computeNetPromoterScore(tally);
    case 'top_box':
      return computeMoments(boxTally(tally, box)).mean;
  }
}

/** The tally whose mean is the measure. */
function averagedTally(tally: Tally, { name, box }: ComputedMeasure): Tally {
  return name === 'nps' ? npsTally(tally) : name === 'top_box' ? boxTally(tally, box) : tally;
}

/** The count in the box, for a measure that is compared as a share. Null: it is compared as a mean. */
export function countInBox(tally: Tally, { box }: Measure): Count | null {
  if (box === null) return null;
  const { counts, weights, squaredWeights } = boxTally(tally, box);
  return {
    count: counts.at(-1) ?? 0,
    weight: weights.at(-1) ?? 0,
    squaredWeight: squaredWeights.at(-1) ?? 0,
  };
}

/** The measure as a mean with its standard deviation, for significance tests. `designSize`: see presentMean. */
export function toComparableMean(
  tally: Tally,
  measure: ComputedMeasure,
  designSize: number | null,
): MeanFigure {
  return presentMean(tallyMoments(averagedTally(tally, measure)), designSize);
}

/** Two different values and how many responses have each. */
export interface TwoValues {
  low: number;
  high: number;
  /** Responses with the rarer value. */
  fewer: number;
  /** Weight of the responses with the higher value. */
  weight: number;
}

/** Returns the two values of a mean, sum, score or top box if all answers are one of two; otherwise null. */
export function findTwoValues(tally: Tally, measure: ComputedMeasure): TwoValues | null {
  if (measure.name === 'median' || measure.name === 'min' || measure.name === 'max') return null;
  const { values, counts, weights } = averagedTally(tally, measure);
  const present: { value: number; count: number; weight: number }[] = [];
  for (const [index, value] of values.entries()) {
    const count = counts[index] ?? 0;
    if (count > 0) present.push({ value, count, weight: weights[index] ?? 0 });
    if (present.length > 2) return null;
  }
  const [low, high] = present;
  if (low === undefined || high === undefined) return null;
  return {
    low: low.value,
    high: high.value,
    fewer: Math.min(low.count, high.count),
    weight: high.weight,
  };
}
