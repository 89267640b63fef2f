import type { Schema } from '../data/api.ts';
import { type ChartType, isOneNumber, isStack } from '../results/chart-types.ts';
import type { Figure } from '../results/figure-kind.ts';

export type Aggregation = Schema<'AggregationOutput'>;
export type MeasureName = Aggregation['function'];
type Kind = Figure['kind'];

/** The first is the default of the API, except that figures which the results show in percent begin with percent. */
const MEASURES_OF_CATEGORIES: Readonly<Record<Kind, readonly MeasureName[]>> = {
  choices: ['percent', 'count'],
  scale: ['percent', 'count'],
  nps: ['percent', 'count'],
  histogram: ['percent', 'count'],
  dates: ['count', 'percent'],
  texts: ['count', 'percent'],
  files: ['count'],
  matrix: ['percent', 'count', 'mean', 'top_box'],
  ranking: ['rank_summary', 'percent', 'mean'],
  numbers: ['mean', 'median', 'sum'],
  row_numbers: ['mean', 'median', 'sum'],
};

/** The parts of a stacked bar are options or ranks, so a mean has no parts. */
const MEASURES_OF_STACKS: Partial<Record<Kind, readonly MeasureName[]>> = {
  matrix: ['percent', 'count'],
  ranking: ['percent'],
};

const MEASURES_OF_ONE_NUMBER: Readonly<Record<Kind, readonly MeasureName[]>> = {
  choices: ['count'],
  scale: ['mean', 'median', 'top_box', 'count'],
  nps: ['nps', 'mean', 'median', 'count'],
  histogram: ['mean', 'median', 'sum', 'min', 'max', 'count'],
  dates: ['count'],
  texts: ['count'],
  files: ['count'],
  matrix: ['mean', 'count'],
  // One number of these is that of one option, which the API gives a value.
  ranking: [],
  numbers: [],
  row_numbers: [],
};

/** Returns the measures that suit a figure in a type of chart. */
export function measuresOf(kind: Kind, type: ChartType): readonly MeasureName[] {
  if (isOneNumber(type)) return MEASURES_OF_ONE_NUMBER[kind];
  return (isStack(type) ? MEASURES_OF_STACKS[kind] : undefined) ?? MEASURES_OF_CATEGORIES[kind];
}

/** Whether an aggregation is more than its function, such as the mean of another column or the percent of chosen answers. */
export const isSpecialAggregation = ({ column_code: code, n, value }: Aggregation): boolean =>
  code !== undefined || n !== undefined || value !== undefined;
