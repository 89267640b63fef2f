import {
  type AggregationChoice,
  type FigureConfig,
  type FigureKind,
  isCounting,
} from '../charts/chart-config.ts';
import type { ChartFigures, VariableFigure } from '../charts/chart-data.ts';
import type { ChartPlan } from '../charts/figures/chart-plan.ts';
import {
  formatBase,
  formatChange,
  formatFigure,
  formatNumber,
  lettersNote,
} from '../charts/figures/figure-texts.ts';
import { figureTypeOf } from '../charts/registry.ts';
import { resolveVariablePlan, type VariableConfig } from '../charts/types/variable.ts';
import type { CatalogColumn, ColumnCatalog } from '../dataset/column-catalog.ts';
import { readFilter } from '../dataset/filter/filter.ts';
import { typeOf } from '../questions/registry.ts';
import { type Comparison, comparisonsIn } from '../questions/condition.ts';
import { describeCondition, type OperandLabels } from '../survey/logic/describe-condition.ts';
import type { DeckNumber, DeckProblem } from './deck.ts';

/** Returns `Filter: “Gender?” is “Female”`, or an expression as its author wrote it; null without a filter. */
export function describeFilter(filter: unknown, catalog: ColumnCatalog): string | null {
  const read = readFilter(filter, catalog);
  if (!read.ok) return null;
  const { condition } = read.filter;
  if (typeof condition === 'string') return `Filter: ${condition}`;
  if (comparisonsIn(condition).length === 0) return null;
  return `Filter: ${describeCondition(condition, labelsFromCatalog(catalog))}`;
}

/** Returns the labels of columns in a filter. */
const labelsFromCatalog =
  (catalog: ColumnCatalog) =>
  ({ code, row_code: rowCode }: Comparison['left']): OperandLabels | undefined => {
    const question = catalog.question(code)?.question;
    const parts = question && typeOf(question).comparison.parts;
    if (rowCode !== undefined && parts) {
      const row = parts.list(question).find((part) => part.code === rowCode)?.label;
      return { text: question.text, row, values: question.options, retired: question.retired };
    }
    const spec = catalog.find(code)?.spec;
    if (spec !== undefined) return { text: spec.label, values: spec.values, retired: spec.retired };
    return question && { text: question.text, values: question.options, retired: question.retired };
  };

/** Returns the source lines of a chart: question, measure, base, filter, weight and notes. */
export function chartSourceLines(
  config: FigureConfig,
  figures: ChartFigures,
  catalog: ColumnCatalog,
): string[] {
  const chartType = figureTypeOf(figures);
  const plan = chartType.plan(config, catalog);
  const { dimension, series, measure, line, config: resolved, composite } = plan;
  const { options, aggregation } = resolved;
  const main = measure?.entry ?? dimension.entry;
  const splits = [dimension.entry, series?.entry].flatMap((entry) =>
    entry === undefined || entry === main ? [] : [entry.spec.label],
  );
  const shown =
    composite === null
      ? describeMeasure(aggregation, options.base, options.stacked_percent)
      : describeMultiColumnMeasure(chartType, composite, { aggregation, base: options.base });
  const answers =
    chartType.layout === 'single' && (composite === null || composite.kind === 'categories')
      ? chosenAnswers(aggregation, dimension.entry)
      : '';
  const letters = lettersNote(figures);
  return [
    questionLine(main),
    ...(splits.length > 0 ? [`By: ${splits.join(', ')}`] : []),
    line === null
      ? `Shown: ${shown}${answers}`
      : `Bars: ${shown}. Line: ${describeMeasure(line.aggregation, options.base, false)}` +
        (line.measure === null ? '' : ` of “${line.measure.entry.spec.label}”`),
    formatBase(figures.base),
    ...selectionLines(config, catalog),
    ...(letters === null ? [] : [letters]),
    ...figures.notes.map(({ message }) => message),
  ];
}

/** Returns the source lines of a variable element. */
export function variableSourceLines(
  config: VariableConfig,
  figure: VariableFigure,
  catalog: ColumnCatalog,
): string[] {
  const { dimension } = resolveVariablePlan(config, catalog);
  const { metric, value } = config.variable;
  const wave = figure.waves?.current ?? null;
  const shown = { base: 'number of respondents', count: 'number of respondents', sum: 'sum', mean: 'mean' }[
    metric
  ];
  return [
    questionLine(dimension.entry),
    `Shown: ${shown}${value === undefined ? '' : ` who answered “${labelOf(dimension.entry, value)}”`}${wave === null ? '' : `, ${wave}`}`,
    formatBase(figure.base),
    ...selectionLines(config, catalog),
    ...figure.notes.map(({ message }) => message),
  ];
}

/** Returns the filter and weight lines. */
export function selectionLines(
  { filter, weight_column: weight }: { filter?: unknown; weight_column?: string | undefined },
  catalog: ColumnCatalog,
): string[] {
  const filtered = filter === undefined || filter === null ? null : describeFilter(filter, catalog);
  return [
    ...(filtered === null ? [] : [filtered]),
    ...(weight === undefined ? [] : [`Weight: ${catalog.find(weight)?.spec.label ?? weight}`]),
  ];
}

/** Returns `Question: How satisfied are you?`, or `Variable: …` for metadata and derived columns. */
export function questionLine({ spec }: CatalogColumn): string {
  const { source, label, retired } = spec;
  if (source !== 'question') return `Variable: ${label}`;
  return `Question: ${label}${retired ? ' (no longer asked)' : ''}`;
}

const BASE_PHRASES = {
  answering: 'of respondents who answered',
  shown: 'of respondents who were shown the question',
  total: 'of all respondents',
} as const;

function describeMeasure(
  { function: name, n = 2 }: AggregationChoice,
  base: keyof typeof BASE_PHRASES,
  isStacked: boolean,
): string {
  if (isCounting(name)) {
    if (name === 'count') return 'number of respondents';
    return isStacked ? 'percent within each category' : `percent ${BASE_PHRASES[base]}`;
  }
  const measured = {
    mean: 'mean',
    sum: 'sum',
    median: 'median',
    min: 'lowest value',
    max: 'highest value',
    nps: 'Net Promoter Score, the percentage of 9 and 10 minus the percentage of 0 to 6',
    top_box:
      n === 1 ? 'percent who gave the highest answer' : `percent who gave one of the ${n} highest answers`,
    rank_summary: 'percent who ranked it first and in the top three, and mean rank',
  };
  return measured[name];
}

/** Describes the measure of each part of a question. */
function describeMultiColumnMeasure(
  { layout }: FigureKind,
  { kind, parts, partNoun }: NonNullable<ChartPlan['composite']>,
  { aggregation, base }: { aggregation: AggregationChoice; base: keyof typeof BASE_PHRASES },
): string {
  const { function: name, n = 2 } = aggregation;
  const isSingle = layout === 'single';
  if (kind === 'numbers')
    return `${describeMeasure(aggregation, base, false)} of ${isSingle ? `“${parts[0].label}”` : `each ${partNoun}`}`;
  if (kind === 'categories') {
    if (name === 'count') return isSingle ? 'number of respondents' : 'number of respondents for each row';
    const measureText = name === 'percent' ? 'percent' : describeMeasure(aggregation, base, false);
    if (isSingle) return `${measureText}, on average over the rows`;
    if (name === 'percent' && layout === 'slices') return 'percent of the answers to all rows';
    return name === 'percent' ? `percent of each row, ${BASE_PHRASES[base]}` : `${measureText} of each row`;
  }
  const option = isSingle ? `“${parts[0].label}”` : 'it';
  const basePhrase = base === 'answering' ? 'of respondents who ranked the option' : BASE_PHRASES[base];
  if (layout === 'stack')
    return name === 'count'
      ? 'number of respondents by rank, and mean rank'
      : `percent by rank and mean rank, ${basePhrase}`;
  if (name === 'top_box')
    return `percent who ranked ${option} ${n === 1 ? 'first' : `in the top ${n}`}, ${basePhrase}`;
  if (name === 'rank_summary') return `${describeMeasure(aggregation, base, false)}; percents ${basePhrase}`;
  if (name === 'count') return `number of respondents who ranked ${option}`;
  return name === 'percent'
    ? `percent who ranked ${option}, ${basePhrase}`
    : `${describeMeasure(aggregation, base, false)} of the ranks${isSingle ? ` of ${option}` : ''}`;
}

function chosenAnswers({ value }: AggregationChoice, entry: CatalogColumn): string {
  if (value === undefined) return '';
  return `, with the answer ${value.map((one) => `“${labelOf(entry, one)}”`).join(' or ')}`;
}

const labelOf = ({ spec }: CatalogColumn, value: string): string =>
  spec.values.find((one) => one.value === value)?.label ?? value;

type FormattedNumber = Pick<DeckNumber, 'value' | 'change' | 'sparkline'>;

const TOO_FEW_RESPONDENTS: DeckProblem = { problem: 'Hidden: too few respondents' };
const NO_ANSWERS: DeckProblem = { problem: 'No answers yet' };

/** Formats a variable figure with its change since the previous wave. */
export function formatVariableFigure(
  { variable }: Pick<VariableConfig, 'variable'>,
  { metric, value, change, waves, sparkline = [], suppressed }: VariableFigure,
): FormattedNumber {
  const { prefix = '', suffix = '', decimals = metric === 'mean' ? 2 : 0 } = variable;
  if (value === null)
    return { value: suppressed ? TOO_FEW_RESPONDENTS : NO_ANSWERS, change: null, sparkline };
  const since = waves?.previous ?? 'the previous wave';
  return {
    value: `${prefix}${formatNumber(value, decimals)}${suffix}`,
    change:
      change == null
        ? null
        : {
            direction: change > 0 ? 'up' : change < 0 ? 'down' : 'same',
            text: `${formatChange(change, decimals)}${suffix} since ${since}`,
          },
    sparkline,
  };
}

/** The one figure of a gauge or kpi. */
export function formatSingleFigure(figures: ChartFigures, decimals: number | undefined): FormattedNumber {
  const value = figures.series[0]?.values[0] ?? null;
  const text =
    value === null
      ? figures.base === null || figures.suppressed
        ? TOO_FEW_RESPONDENTS
        : { problem: figureTypeOf(figures).emptyText.title }
      : formatFigure(value, figures.aggregation.function, decimals);
  return { value: text, change: null, sparkline: [] };
}
