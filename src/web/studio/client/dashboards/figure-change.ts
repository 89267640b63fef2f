import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { questionLabel } from '../data/question-label.ts';
import { textInWords } from '../editor/piping/pipes.ts';
import { CHART_LABELS, type ChartType, hasSeries, isOneNumber } from '../results/chart-types.ts';
import type { Figure } from '../results/figure-kind.ts';
import type { SplitColumns } from '../survey/split-columns.ts';
import { isSpecialAggregation, measuresOf } from './chart-measures.ts';

export type FigureChart = Schema<'FigureDashboardChart'>;
type Config = FigureChart['chart_config'];
type Question = Schema<'Question'>;

const t = texts.dashboards.chart;
/** Keeps an aggregation that the form does not offer. */
const CURRENT = 'current';
const MEASURE_NAMES = Object.keys(t.measures) as (keyof typeof t.measures)[];

/** What the form knows of a chart with figures. */
export interface ShownFigure {
  chart: FigureChart;
  kind: Figure['kind'];
  /** Of the survey. */
  questions: readonly Question[];
  splitColumns: SplitColumns;
}

export function columnLabel(code: string, questions: readonly Question[]): string {
  const question = questions.find((each) => each.question_code === code);
  return question === undefined ? code : questionLabel(question);
}

/** The measures of a type of chart, and the current one, also if the form does not offer it. */
export function measureOptions(
  { chart, kind, questions }: Omit<ShownFigure, 'splitColumns'>,
  type: ChartType,
): { value: string; options: [value: string, label: string][] } {
  const { aggregation } = chart.chart_config;
  const names = measuresOf(kind, type);
  const options = names.map((name): [string, string] => [name, t.measures[name]]);
  const defaults = { value: names[0] ?? '', options };
  if (aggregation === undefined || isOneNumber(type) !== isOneNumber(chart.chart_type)) return defaults;
  const isSpecial = isSpecialAggregation(aggregation);
  if (names.includes(aggregation.function) && !isSpecial) return { value: aggregation.function, options };
  if (type !== chart.chart_type && !isSpecial) return defaults;
  return { value: CURRENT, options: [[CURRENT, aggregationInWords(chart, questions)], ...options] };
}

/** Such as "Mean of How many cups?" and "Percent of Coffee, Tea". */
function aggregationInWords(
  { chart_config: { aggregation, dimension } }: FigureChart,
  questions: readonly Question[],
): string {
  if (aggregation === undefined) return '';
  const { function: name, column_code: code, value = [] } = aggregation;
  const question = questions.find(({ question_id: id }) => id === dimension.question_id);
  const labelOf = (each: string) =>
    textInWords(
      question?.options.find((option) => option.option_value === each)?.option_label ?? each,
      questions,
    );
  const subject = code === undefined ? value.map(labelOf).join(', ') : columnLabel(code, questions);
  return subject === '' ? t.measures[name] : t.measureOf(t.measures[name], subject);
}

/** The column that a chart is split by; empty: none. */
export function seriesCode({ series }: Config, questions: readonly Question[]): string {
  if (series === undefined) return '';
  const question = questions.find(({ question_id: id }) => id === series.question_id);
  return series.column_code ?? question?.question_code ?? String(series.question_id);
}

export interface FigureChange {
  chart_type: ChartType;
  chart_config: Schema<'FigureChartConfig'>;
}

/**
 * Reads the type and the configuration from the values of the form. What the form does not show stays as it is, except what charts of the
 * new type cannot have and what needs a series that the chart no longer has.
 */
export function readFigureChange(
  chart: FigureChart,
  values: ReadonlyMap<string, string>,
  hasFilter: boolean,
): FigureChange {
  const { chart_type: previousType, chart_config: config } = chart;
  const types = Object.keys(CHART_LABELS) as ChartType[];
  const type = types.find((each) => each === values.get('chart_type')) ?? previousType;
  const changed: Config = { ...config, options: { ...config.options } };
  const measure = values.get('aggregation');
  const name = MEASURE_NAMES.find((each) => each === measure);
  if (name !== undefined) changed.aggregation = { function: name };
  else if (measure !== CURRENT) delete changed.aggregation;
  const split = values.get('series');
  if (split === '' || (split === undefined && type !== previousType)) delete changed.series;
  // The same column keeps its other members, such as the period of a date.
  else if (split !== undefined && split !== config.series?.column_code)
    changed.series = { column_code: split };
  if (type !== previousType) delete changed.line_aggregation;
  if (type !== previousType && !hasSeries(type)) delete changed.nets;
  if (changed.series === undefined && config.series !== undefined) {
    delete changed.compare;
    delete changed.options.stacked_percent;
  }
  if (!hasFilter) delete changed.filter;
  return { chart_type: type, chart_config: changed };
}
