import {
  formatList,
  onlyAllowed,
  quote,
  requiredField,
  unknownObject,
  unknownValue,
} from '../../../lib/error-messages.ts';
import { invalid, invalidReference, unprocessableField } from '../../../lib/errors.ts';
import { typeOf } from '../../questions/registry.ts';
import type { CatalogColumn, ColumnCatalog } from '../../dataset/column-catalog.ts';
import type { Histogram } from '../../statistics/histogram.ts';
import { isMeasure } from '../../statistics/crosstab/variable-axis.ts';
import {
  type AggregationChoice,
  type ChartOptions,
  type ColumnChoice,
  type FigureConfig,
  type FigureKind,
  isCounting,
  type Period,
} from '../chart-config.ts';
import { allowsMeans } from '../../columns/column-spec.ts';
import { type Measure, resolveMeasure } from './measure.ts';
import { createCombinedQuestion } from './combined-question.ts';
import {
  type CompositeParts,
  resolveCompositeParts,
  type CompositeQuestion,
  compositeAggregation,
  createCompositeQuestion,
} from './composite-question.ts';

/** A column used as categories. */
export interface Dimension {
  entry: CatalogColumn;
  /** Only for a date. Null: as fine as the data allow. */
  period: Period | null;
  /** Its path in the configuration. */
  field: string;
}

/** A configuration with the defaults of its chart type and question filled in. */
interface ResolvedConfig extends FigureConfig {
  aggregation: AggregationChoice;
  options: FigureConfig['options'] & { base: NonNullable<ChartOptions['base']>; stacked_percent: boolean };
}

interface SharedPlan {
  kind: FigureKind;
  config: ResolvedConfig;
  dimension: Dimension;
  /** How a number is binned: `options.bins`, or classes that the chart type chooses from the data. */
  bins: ChartOptions['bins'] | Histogram;
  series: Dimension | null;
}

/** An aggregation with its measure; null: responses are counted. */
export interface PlannedAggregation {
  aggregation: AggregationChoice;
  measure: Measure | null;
}

/** A plan whose dimension is a single column. */
interface ColumnPlan extends SharedPlan {
  composite: null;
  /** Null if responses are counted. */
  measure: Measure | null;
  /** The aggregation of a line drawn over bars. */
  line: PlannedAggregation | null;
}

/** A plan whose dimension is a question shown as a whole. */
export interface CompositePlan extends SharedPlan {
  composite: Pick<CompositeQuestion, 'kind' | 'partNoun'> & CompositeParts;
  measure: null;
  line: null;
}

/** A configuration with its columns resolved. */
export type ChartPlan = ColumnPlan | CompositePlan;

const MAX_LISTED = 6;
/** Default number of answers shown for an open text question. */
const DEFAULT_TEXT_LIMIT = 30;

/** Columns that identify one respondent; they cannot be categories. */
const IDENTIFYING: ReadonlySet<string> = new Set([
  'response_id',
  'submission_id',
  'respondent_id',
  'external_id',
]);

/** Resolves a column choice. Throws 400 if the column does not exist or the question has several columns. */
export function resolveColumnChoice(
  catalog: ColumnCatalog,
  choice: ColumnChoice,
  field: string,
): CatalogColumn {
  const { question_id: questionId, column_code: code } = choice;
  if (code === undefined) {
    if (questionId === undefined) throw new Error(`${field} names neither a question nor a column`);
    return columnOfQuestion(catalog, questionId, field);
  }
  const found = catalog.find(code);
  if (found === undefined) {
    const question = catalog.question(code);
    if (question !== undefined)
      throw severalColumns(question.columns, question.question.code, `${field}.column_code`);
    throw invalidReference(
      `${field}.column_code`,
      unknownObject({
        kind: 'column',
        idOrCode: code,
        scope: '',
        alternatives: { similar: catalog.similarCodes(code) },
      }),
    );
  }
  if (questionId !== undefined && found.spec.questionId !== questionId) {
    throw invalid(
      `${field}.column_code`,
      unknownValue(found.spec.columnCode, `a column of question ${questionId}`),
    );
  }
  return found;
}

function columnOfQuestion(catalog: ColumnCatalog, questionId: number, field: string): CatalogColumn {
  const origin = catalog.columns.find(({ spec }) => spec.questionId === questionId)?.origin;
  if (origin?.kind !== 'question') {
    throw invalidReference(
      `${field}.question_id`,
      unknownObject({ kind: 'question', idOrCode: questionId, scope: 'in this survey' }),
    );
  }
  const { question, columns } = origin.questionColumns;
  const own = catalog.find(question.code);
  if (own?.spec.questionId === questionId) return own;
  throw severalColumns(columns, question.code, `${field}.question_id`);
}

function severalColumns(columns: readonly { columnCode: string }[], code: string, field: string) {
  const codes = formatList(
    columns.map(({ columnCode }) => columnCode),
    MAX_LISTED,
    (code) => code,
  );
  return invalid(field, `question ${code} has several columns; set column_code to one of them: ${codes}`);
}

/** Resolves a question shown as a whole. Returns null if the choice refers to a single column. */
function resolveComposite(catalog: ColumnCatalog, choice: ColumnChoice): CompositeQuestion | null {
  const { question_id: questionId, column_code: code } = choice;
  const column = catalog.columns.find(({ spec }) => spec.questionId === questionId);
  const questionColumns =
    code === undefined
      ? column?.origin.kind === 'question'
        ? column.origin.questionColumns
        : undefined
      : catalog.find(code) === undefined
        ? catalog.question(code)
        : undefined;
  if (questionColumns === undefined) return createCombinedQuestion(catalog, choice);
  if (questionId !== undefined && questionColumns.question.id !== questionId) return null;
  return createCompositeQuestion(questionColumns);
}

/** Resolves a column used as categories; throws 422 if it has none. `isCounted`: only the number of answers is shown. */
export function resolveDimension(
  catalog: ColumnCatalog,
  choice: ColumnChoice,
  { field, isCounted = false }: { field: string; isCounted?: boolean },
): Dimension {
  const entry = resolveColumnChoice(catalog, choice, field);
  const { spec } = entry;
  const noCategories = (message: string) => unprocessableField('no_categories', field, message);
  if (IDENTIFYING.has(spec.columnCode) && spec.source === 'metadata')
    throw noCategories(`${spec.columnCode} identifies one response and cannot be used as categories`);
  if (spec.type === 'file' && !isCounted)
    throw noCategories(
      `${spec.columnCode} contains files, which cannot be used as categories; a kpi or gauge with the aggregation count shows how many answered`,
    );
  const { period = null } = choice;
  if (period !== null && (spec.type !== 'date' || spec.precision === 'time'))
    throw invalid(
      `${field}.period`,
      `${onlyAllowed('for a date')}; ${spec.columnCode} is of type ${spec.type}`,
    );
  return { entry, period, field };
}

/** Throws 400 for a value that no answer can have. Values that are only known from the data are checked once the data are loaded. */
export function checkValues(
  entry: CatalogColumn,
  values: readonly string[],
  position: (index: number) => string,
): void {
  const { spec, origin } = entry;
  const isClosed = spec.type === 'categorical' || spec.type === 'multiple' || origin.kind === 'question';
  if (!isClosed || spec.values.length === 0 || spec.type === 'rank' || isMeasure(entry)) return;
  values.forEach((wanted, index) => {
    if (spec.values.some(({ value }) => value === wanted)) return;
    const accepted = formatList(spec.values, MAX_LISTED, ({ value }) => quote(value));
    throw invalidReference(
      position(index),
      unknownValue(wanted, `a value of ${spec.columnCode}`, { accepted }),
    );
  });
}

/** The default aggregation of a chart of one column. */
function columnAggregation({ layout }: FigureKind, { spec, origin }: CatalogColumn): AggregationChoice {
  if (layout !== 'single') return { function: 'count' };
  if (origin.kind === 'question' && spec.type === 'number')
    return { function: typeOf(origin.questionColumns.question).figures.hasNetPromoterScore ? 'nps' : 'mean' };
  if (spec.type !== 'binary' && allowsMeans(spec)) return { function: 'mean' };
  const first =
    spec.type === 'binary'
      ? spec.values.at(-1)
      : spec.values.find(({ missing, value }) => !missing && !isRetired(origin, value));
  if (first === undefined || spec.source === 'metadata') return { function: 'count' };
  return { function: 'percent', value: [first.value] };
}

function isRetired(origin: CatalogColumn['origin'], value: string): boolean {
  if (origin.kind !== 'question') return false;
  return origin.questionColumns.question.options.some((option) => option.value === value && option.retired);
}

const isOpenText = ({ spec }: CatalogColumn) => spec.type === 'text' && spec.source !== 'metadata';

/** The configuration with its defaults (documented in docs/reference/charts.md). */
function applyDefaults(
  kind: FigureKind,
  config: FigureConfig,
  { dimension, composite }: { dimension: CatalogColumn; composite: CompositeQuestion | null },
): ResolvedConfig {
  const { options, series } = config;
  const aggregation =
    config.aggregation ??
    (composite === null ? columnAggregation(kind, dimension) : compositeAggregation(kind, composite));
  if (options.stacked_percent === true && series === undefined && composite === null)
    throw invalid(
      'options.stacked_percent',
      onlyAllowed('with a series: without one, a category has one part'),
    );
  const isListed = isOpenText(dimension) && options.limit === undefined && kind.layout !== 'single';
  return {
    ...config,
    aggregation,
    options: {
      ...options,
      ...(isListed && { limit: DEFAULT_TEXT_LIMIT, show_rest: false }),
      base: options.base ?? composite?.base ?? 'answering',
      stacked_percent:
        options.stacked_percent ??
        (kind.layout === 'stack' &&
          (series !== undefined || composite !== null) &&
          isCounting(aggregation.function)),
    },
  };
}

/** Resolves the columns of a configuration. Throws 400 or 422 with the field of a wrong column. */
export function resolveChartPlan(kind: FigureKind, input: FigureConfig, catalog: ColumnCatalog): ChartPlan {
  const composite = resolveComposite(catalog, input.dimension);
  const isCounted = kind.layout === 'single' && (input.aggregation?.function ?? 'count') === 'count';
  const dimension =
    composite === null
      ? resolveDimension(catalog, input.dimension, { field: 'dimension', isCounted })
      : { entry: composite.entry, period: null, field: 'dimension' };
  const series =
    input.series === undefined ? null : resolveDimension(catalog, input.series, { field: 'series' });
  const config = applyDefaults(kind, input, { dimension: dimension.entry, composite });
  if (composite !== null) {
    const { parts, measured } = resolveCompositeParts(kind, config, composite);
    if (composite.kind === 'categories' && config.aggregation.value !== undefined)
      checkValues(parts[0].entry, config.aggregation.value, (position) => `aggregation.value[${position}]`);
    return {
      kind,
      config,
      dimension,
      bins: config.options.bins,
      series,
      measure: null,
      line: null,
      composite: { kind: composite.kind, partNoun: composite.partNoun, parts, measured },
    };
  }
  const measure = (aggregation: AggregationChoice, name: string): Measure | null => {
    if (isCounting(aggregation.function)) return null;
    if (aggregation.function === 'rank_summary')
      throw invalid(`${name}.function`, `rank_summary ${onlyAllowed('for a ranking shown as a whole')}`);
    const { column_code: code } = aggregation;
    if (code === undefined && kind.layout !== 'single')
      throw invalid(
        `${name}.column_code`,
        requiredField(`with the function ${aggregation.function}: the column of its numbers`),
      );
    if (aggregation.value !== undefined)
      throw invalid(`${name}.value`, onlyAllowed(`with count and percent, not with ${aggregation.function}`));
    const field = code === undefined ? 'dimension' : `${name}.column_code`;
    const entry =
      code === undefined ? dimension.entry : resolveColumnChoice(catalog, { column_code: code }, name);
    return resolveMeasure(entry, aggregation, field);
  };
  const { aggregation, line_aggregation: line, nets = [] } = config;
  nets.forEach(({ values }, index) =>
    checkValues(dimension.entry, values, (position) => `nets[${index}].values[${position}]`),
  );
  const { value = [] } = aggregation;
  checkValues(
    dimension.entry,
    value,
    (position) => `aggregation.value${value.length > 1 ? `[${position}]` : ''}`,
  );
  return {
    kind,
    config,
    dimension,
    bins: config.options.bins,
    composite: null,
    series,
    measure: measure(aggregation, 'aggregation'),
    line: line === undefined ? null : { aggregation: line, measure: measure(line, 'line_aggregation') },
  };
}

/** The columns that a plan reads. */
export function columnsOfPlan({ dimension, composite, series, measure, line }: ChartPlan): CatalogColumn[] {
  const main = composite === null ? [dimension.entry] : composite.parts.map(({ entry }) => entry);
  const found = [...main, series?.entry, measure?.entry, line?.measure?.entry];
  return found.filter((entry) => entry !== undefined);
}

/** Whether a chart shows only the number of answers to an open text question, not the answers. */
export function countsAnswersOnly({ kind, config }: ChartPlan): boolean {
  const { function: name, value } = config.aggregation;
  return kind.layout === 'single' && name === 'count' && value === undefined;
}

/** Adds the question id of the column: elements can be requested by it. */
export function withQuestion<Choice extends ColumnChoice>(choice: Choice, { spec }: CatalogColumn): Choice {
  return spec.questionId === null ? choice : { ...choice, question_id: spec.questionId };
}
