import { invalid, unprocessable } from '../../lib/errors.ts';
import { listed } from '../../lib/listed.ts';
import { quote } from '../../lib/quote.ts';
import type { CatalogColumn, ColumnCatalog } from '../dataset/columns/column-catalog.ts';
import { similarHint } from '../dataset/columns/nearest.ts';
import { isMeasure } from '../statistics/crosstab/variable-axis.ts';
import { isSingleFigure, isCounting, type FigureChart } from './chart-types.ts';
import type { AggregationChoice, ColumnChoice } from './config-parts.ts';
import type { FigureConfig } from './figure-config.ts';
import { type Measure, measureOf } from './measure.ts';
import type { Period } from './periods.ts';

/** A column that makes categories. */
export interface Dimension {
  entry: CatalogColumn;
  /** Of a date; null: as fine as the data allow. */
  period: Period | null;
  /** Where it stands in the configuration. */
  field: string;
}

/** A configuration whose columns were found. */
export interface ChartPlan {
  chartType: FigureChart;
  config: FigureConfig;
  dimension: Dimension;
  series: Dimension | null;
  /** Null where responses are counted. */
  measure: Measure | null;
  /** Of a line beside bars: its own aggregation. */
  line: { aggregation: AggregationChoice; measure: Measure | null } | null;
}

const MAX_LISTED = 6;

/** They tell one person from all others: no category of a chart. */
const IDENTIFYING: ReadonlySet<string> = new Set([
  'response_id',
  'submission_id',
  'respondent_id',
  'external_id',
]);

/** The column that a choice means. 400 for one that is not there, or for a question that has several. */
export function chosenColumn(catalog: ColumnCatalog, choice: ColumnChoice, field: string): CatalogColumn {
  const { question_id: questionId, column_code: code } = choice;
  if (code === undefined) return columnOfQuestion(catalog, questionId!, field);
  const found = catalog.find(code);
  if (found === undefined) {
    const question = catalog.question(code);
    if (question !== undefined)
      throw severalColumns(question.columns, question.question.code, `${field}.column_code`);
    throw invalid(`${field}.column_code`, `no column ${quote(code)}${similarHint(catalog.nearest(code))}`);
  }
  if (questionId !== undefined && found.spec.questionId !== questionId) {
    throw invalid(`${field}.column_code`, `${found.spec.columnCode} is no column of question ${questionId}`);
  }
  return found;
}

function columnOfQuestion(catalog: ColumnCatalog, questionId: number, field: string): CatalogColumn {
  const origin = catalog.columns.find(({ spec }) => spec.questionId === questionId)?.origin;
  if (origin?.kind !== 'question') {
    throw invalid(`${field}.question_id`, `the survey has no question ${questionId}`);
  }
  const { question, columns } = origin.of;
  const own = catalog.find(question.code);
  if (own?.spec.questionId === questionId) return own;
  throw severalColumns(columns, question.code, `${field}.question_id`);
}

function severalColumns(columns: readonly { columnCode: string }[], code: string, field: string) {
  const codes = listed(
    columns.map(({ columnCode }) => columnCode),
    MAX_LISTED,
    (code) => code,
  );
  return invalid(field, `question ${code} has several columns; name one of them as column_code: ${codes}`);
}

/** A column that is to make categories; 422 for one that makes none. */
export function dimensionOf(catalog: ColumnCatalog, choice: ColumnChoice, field: string): Dimension {
  const entry = chosenColumn(catalog, choice, field);
  const { spec } = entry;
  const refused = (message: string) =>
    unprocessable('no_categories', `${field}: ${message}`, [{ field, message }]);
  if (IDENTIFYING.has(spec.columnCode) && spec.source === 'metadata')
    throw refused(`${spec.columnCode} tells one response from all others and makes no categories`);
  if (spec.type === 'file') throw refused(`${spec.columnCode} holds files, which make no categories`);
  const { period = null } = choice;
  if (period !== null && (spec.type !== 'date' || spec.precision === 'time'))
    throw invalid(`${field}.period`, `is only of a date; ${spec.columnCode} is of type ${spec.type}`);
  return { entry, period, field };
}

/** 400 for a value that no answer can have. Of columns whose values are found in the data, that is seen when these are at hand. */
export function checkValues(
  entry: CatalogColumn,
  values: readonly string[],
  place: (index: number) => string,
): void {
  const { spec, origin } = entry;
  const isClosed = spec.type === 'categorical' || spec.type === 'multiple' || origin.kind === 'question';
  if (!isClosed || spec.values.length === 0 || spec.type === 'rank' || isMeasure(entry)) return;
  values.forEach((wanted, index) => {
    if (spec.values.some(({ value }) => value === wanted)) return;
    const known = listed(spec.values, MAX_LISTED, ({ value }) => quote(value));
    throw invalid(place(index), `${quote(wanted)} is no value of ${spec.columnCode}; values: ${known}`);
  });
}

/** Finds the columns of a configuration in a survey's catalog; 400 or 422 with the field that names a wrong one. */
export function readChart(chartType: FigureChart, config: FigureConfig, catalog: ColumnCatalog): ChartPlan {
  const dimension = dimensionOf(catalog, config.dimension, 'dimension');
  const series = config.series === undefined ? null : dimensionOf(catalog, config.series, 'series');
  const measure = (aggregation: AggregationChoice, name: string): Measure | null => {
    if (isCounting(aggregation.function)) return null;
    const { column_code: code } = aggregation;
    const field = code === undefined && isSingleFigure(chartType) ? 'dimension' : `${name}.column_code`;
    const entry = code === undefined ? dimension.entry : chosenColumn(catalog, { column_code: code }, name);
    return measureOf(entry, aggregation, field);
  };
  const { aggregation, line_aggregation: line, nets = [] } = config;
  nets.forEach(({ values }, index) =>
    checkValues(dimension.entry, values, (place) => `nets[${index}].values[${place}]`),
  );
  const { value = [] } = aggregation;
  checkValues(dimension.entry, value, (place) => `aggregation.value${value.length > 1 ? `[${place}]` : ''}`);
  return {
    chartType,
    config,
    dimension,
    series,
    measure: measure(aggregation, 'aggregation'),
    line: line === undefined ? null : { aggregation: line, measure: measure(line, 'line_aggregation') },
  };
}

/** The columns that a plan reads. */
export function columnsOfPlan({ dimension, series, measure, line }: ChartPlan): CatalogColumn[] {
  const found = [dimension.entry, series?.entry, measure?.entry, line?.measure?.entry];
  return found.filter((entry) => entry !== undefined);
}
