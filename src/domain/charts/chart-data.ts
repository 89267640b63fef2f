import type { LevelOfMeasurement } from '../dataset/columns/column-spec.ts';
import type { TableNote } from '../statistics/crosstab/notes.ts';
import type { Histogram } from '../statistics/histogram.ts';
import type { AggregationName, FigureChart } from './chart-types.ts';
import type { AggregationChoice } from './config-parts.ts';
import type { VARIABLE_METRICS } from './chart-config.ts';

/** A column as charts name it. */
export interface ChartColumn {
  column_code: string;
  label: string;
  /** Whether its categories have an order, which decides how they are coloured. */
  measure: LevelOfMeasurement;
}

/** A base in its three sizes. */
export interface ChartBase {
  unweighted: number;
  weighted: number;
  effective: number;
}

export interface ChartCategory {
  code: number | null;
  /** Null for nets, the rest and a total. */
  value: string | null;
  label: string;
  is_net?: true;
  is_rest?: true;
  missing?: true;
  /** Of a row of a matrix, and of an option of a ranking whose percents are of those who ranked it: whom its percents are of. */
  base?: ChartBase;
}

/** Lists are parallel to the categories; null where there is nothing, or nothing to be told. */
export interface ChartSeries {
  name: string;
  /** Of a category of the series' column. */
  value?: string | null;
  /** Beside bars a line; `label`: its figures stand beside the names of the categories. */
  drawn_as?: 'line' | 'label';
  /** Of a stacked bar: the remainder of the other parts. */
  is_rest?: true;
  /** Where it is not that of the chart. */
  function?: AggregationName;
  /** What is drawn. */
  values: (number | null)[];
  /** Respondents, unweighted. */
  counts: (number | null)[];
  /** Of the base (of the category, with stacked_percent), 0 to 100, by weight where there is one. */
  percents: (number | null)[];
  letters?: string[][];
  /** Null: not to be told, or another one for each category. */
  base: ChartBase | null;
}

export interface ChartNote {
  code:
    | TableNote['code']
    | 'small_groups_hidden'
    | 'rounded'
    | 'binned'
    | 'rows_pooled'
    | 'rows_averaged'
    | 'texts_listed'
    | 'parts_overlap'
    | 'responses_counted';
  message: string;
}

/** The classes of a number (domain/statistics/histogram.ts). */
export interface ChartBinning {
  method: Histogram['method'];
  /** Null: not to be told. */
  classes: number | null;
  width: number;
  breaks: number[];
}

/** The figures of a chart as clients get them. */
export interface ChartFigures {
  chart_type: FigureChart;
  dimension: ChartColumn;
  series_by: ChartColumn | null;
  aggregation: AggregationChoice & { label: string };
  /** Of a number that is put into classes. */
  binning?: ChartBinning;
  categories: ChartCategory[];
  series: ChartSeries[];
  /** Null: too few for anything to be told. */
  base: ChartBase | null;
  suppressed?: true;
  notes: ChartNote[];
}

/** One number. */
export interface VariableFigure {
  chart_type: 'variable';
  dimension: ChartColumn;
  metric: (typeof VARIABLE_METRICS)[number];
  value: number | null;
  base: ChartBase | null;
  /** Of the wave before, and the value less that. */
  previous?: number | null;
  change?: number | null;
  /** The two waves that are compared, by their names. */
  waves?: { current: string | null; previous: string | null };
  sparkline?: { at: string; value: number | null }[];
  suppressed?: true;
  notes: ChartNote[];
}

/** What a filter element offers. */
export interface FilterChoices {
  chart_type: 'filter';
  dimension: ChartColumn;
  multiple: boolean;
  options: { value: string; label: string }[];
}
