import type { LevelOfMeasurement } from '../columns/column-spec.ts';
import type { TableNote } from '../statistics/crosstab/table.ts';
import type { Histogram } from '../statistics/histogram.ts';
import type { AggregationChoice, AggregationName } from './chart-config.ts';

/** A column in the form of API replies. */
export interface ChartColumn {
  column_code: string;
  label: string;
  /** Whether its categories are ordered, which decides their colors. */
  measure: LevelOfMeasurement;
}

/** A base: unweighted, weighted and effective. */
export interface ChartBase {
  unweighted: number;
  weighted: number;
  effective: number;
}

export interface ChartCategory {
  code: number | null;
  /** Null for nets, the rest category and a total. */
  value: string | null;
  label: string;
  is_net?: true;
  is_rest?: true;
  missing?: true;
  /** The base of its percents. Only for rows of a matrix, and for options of a ranking with the base `answering`. */
  base?: ChartBase;
}

/** Lists are parallel to the categories. Null: no value, or suppressed. */
export interface ChartSeries {
  name: string;
  /** The value of the series column. */
  value?: string | null;
  /** `line`: drawn as a line over bars. `label`: its figures are appended to the category names. */
  drawn_as?: 'line' | 'label';
  /** In a stacked bar: the remainder of the other parts. */
  is_rest?: true;
  /** Present only if it differs from the function of the chart. */
  function?: AggregationName;
  /** The figures that are drawn. */
  values: (number | null)[];
  /** Respondents, unweighted. */
  counts: (number | null)[];
  /** Percent of the base (of the category if stacked_percent), 0 to 100, weighted if the chart is. */
  percents: (number | null)[];
  letters?: string[][];
  /** Null: suppressed, or different for each category. */
  base: ChartBase | null;
}

export interface ChartNote {
  code:
    | TableNote['code']
    | 'outside_base'
    | 'small_groups_hidden'
    | 'rounded'
    | 'binned'
    | 'rows_pooled'
    | 'rows_averaged'
    | 'texts_listed'
    | 'parts_overlap'
    | 'responses_counted'
    | 'test_responses_only'
    | 'net_promoter_score';
  message: string;
}

/** The bins of a number (domain/statistics/histogram.ts). */
export interface ChartBinning {
  method: Histogram['method'];
  /** Null: suppressed. */
  classes: number | null;
  width: number;
  breaks: number[];
}

/** The figures of a chart in the form of API replies. */
export interface ChartFigures {
  /** One of FIGURE_CHARTS (registry.ts). */
  chart_type: string;
  dimension: ChartColumn;
  series_by: ChartColumn | null;
  aggregation: AggregationChoice & { label: string };
  /** Only for a binned number. */
  binning?: ChartBinning;
  categories: ChartCategory[];
  series: ChartSeries[];
  /** Null: too few respondents to disclose anything. */
  base: ChartBase | null;
  suppressed?: true;
  notes: ChartNote[];
}

/** What a variable element counts or computes. */
export const VARIABLE_METRICS = ['base', 'count', 'sum', 'mean'] as const;

/** A single number. */
export interface VariableFigure {
  chart_type: 'variable';
  dimension: ChartColumn;
  metric: (typeof VARIABLE_METRICS)[number];
  value: number | null;
  base: ChartBase | null;
  /** The value of the previous wave, and the difference from it. */
  previous?: number | null;
  change?: number | null;
  /** The names of the two compared waves. */
  waves?: { current: string | null; previous: string | null };
  sparkline?: { at: string; value: number | null }[];
  suppressed?: true;
  notes: ChartNote[];
}

/** The options of a filter element. */
export interface FilterChoices {
  chart_type: 'filter';
  dimension: ChartColumn;
  multiple: boolean;
  options: { value: string; label: string }[];
}
