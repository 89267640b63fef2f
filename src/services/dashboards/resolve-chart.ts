import { computeChartFigures, type ChartSettings } from '../../domain/charts/chart.ts';
import {
  type FigureConfig,
  type FilterConfig,
  isFigureChart,
  type VariableConfig,
} from '../../domain/charts/chart-config.ts';
import type { ChartFigures, FilterChoices, VariableFigure } from '../../domain/charts/chart-data.ts';
import type { ViewerChoice } from '../../domain/charts/differencing.ts';
import { computeFilterChoices, resolveFilterElement } from '../../domain/charts/filter-choices.ts';
import { columnsOfPlan, countsAnswersOnly, resolveChartPlan } from '../../domain/charts/chart-plan.ts';
import {
  columnsOfVariable,
  resolveVariablePlan,
  computeVariableFigure,
} from '../../domain/charts/variable.ts';
import type { CatalogColumn, ColumnCatalog } from '../../domain/dataset/columns/column-catalog.ts';
import type { Dataset } from '../../domain/dataset/dataset.ts';
import { type CompiledFilter, readFilter } from '../../domain/dataset/filter/filter.ts';
import type { ResponseScope } from '../../domain/dataset/filter/select-rows.ts';
import { comparisonsIn } from '../../domain/survey/logic/condition.ts';
import { invalid, invalidFields, unprocessable } from '../../lib/errors.ts';
import { collectLoadCodes, requireWeightColumn } from '../datasets/requested-columns.ts';
import { type ChartRequest, isChoices } from './chart-request.ts';

type ChartResult = ChartFigures | VariableFigure | FilterChoices;

/** A dashboard filter that narrowed a chart. */
export interface AppliedFilter {
  column_code: string;
  label: string;
  /** null if it is not a choice of values. */
  values: string[] | null;
}

/** A chart with its columns, filters and weight resolved. */
export interface ResolvedChart {
  figures: (dataset: Dataset, settings: ChartSettings) => Generator<void, ChartResult>;
  weight: CatalogColumn | null;
  /** Filter of the element, and filters of the dashboard. */
  filter: CompiledFilter;
  filters: CompiledFilter;
  /** Which test and flagged responses the element counts. */
  counting: Pick<ResponseScope, 'includeTest' | 'includeConfirmed'>;
  /** A filter that selects every response. */
  noFilter: CompiledFilter;
  /** The choices in `filters`. Empty if `filters` is a condition, which only callers with access to the survey can send. */
  choices: readonly (Omit<ViewerChoice, 'matches'> & { filter: CompiledFilter })[];
  filtersApplied: AppliedFilter[];
  loadCodes: string[];
}

/** Compiles each distinct filter once. */
export class FilterCache {
  private readonly compiled = new Map<string, CompiledFilter>();

  constructor(private readonly catalog: ColumnCatalog) {}

  /** Throws 400 for an invalid filter. */
  compile(input: unknown, field: string): CompiledFilter {
    const key = JSON.stringify(input ?? null);
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    const result = readFilter(input, this.catalog, field);
    if (!result.ok) throw invalidFields(result.problems);
    this.compiled.set(key, result.filter);
    return result.filter;
  }
}

/** Resolves the columns, filters and weight of a chart. Throws errors with field paths in its configuration. */
export function resolveChart(
  request: ChartRequest,
  catalog: ColumnCatalog,
  cache: FilterCache,
  showsTexts: boolean,
): ResolvedChart {
  const { columns, figures, showsNoTexts = false } = planChart(request, catalog);
  if (!showsTexts && !showsNoTexts) columns.forEach(refuseVerbatims);
  const {
    weight_column: weightCode,
    filter: own,
    include_test: includeTest,
    quality,
  } = optionalSettings(request);
  const weight = weightCode === undefined ? null : requireWeightColumn(catalog, weightCode, 'weight_column');
  const filter = cache.compile(own, 'filter');
  const filters = cache.compile(request.filters, 'filters');
  return {
    figures,
    weight,
    filter,
    filters,
    counting: { includeTest, includeConfirmed: quality === 'include_all' },
    noFilter: cache.compile(undefined, 'filters'),
    choices: resolveChoices(request.filters, catalog, cache),
    filtersApplied: filters.codes.map((code) => describeFilter(code, filters, catalog)),
    loadCodes: [...collectLoadCodes([...columns, weight], filter), ...filters.loadCodes],
  };
}

function resolveChoices(
  filters: unknown,
  catalog: ColumnCatalog,
  cache: FilterCache,
): ResolvedChart['choices'] {
  if (!isChoices(filters)) return [];
  return Object.entries(filters).map(([key, values]) => {
    const filter = cache.compile({ [key]: values }, 'filters');
    // Uses the compiled filter, in which ids and labels have been resolved to codes and values.
    const [choice] = typeof filter.condition === 'string' ? [] : comparisonsIn(filter.condition);
    return {
      entry: catalog.find(choice?.left.code ?? key) ?? null,
      values: new Set([choice?.right ?? []].flat().map(String)),
      filter,
    };
  });
}

type OptionalMember = 'weight_column' | 'filter' | 'include_test' | 'quality';

interface ChartPlan {
  columns: CatalogColumn[];
  figures: ResolvedChart['figures'];
  /** The chart counts answers to an open question without showing their texts. */
  showsNoTexts?: boolean;
}

function planChart({ chartType, config }: ChartRequest, catalog: ColumnCatalog): ChartPlan {
  if (isFigureChart(chartType)) {
    const plan = resolveChartPlan(chartType, config as FigureConfig, catalog);
    return {
      columns: columnsOfPlan(plan),
      showsNoTexts: countsAnswersOnly(plan),
      figures: (dataset: Dataset, settings: ChartSettings) => computeChartFigures(dataset, plan, settings),
    };
  }
  if (chartType === 'variable') {
    const plan = resolveVariablePlan(config as VariableConfig, catalog);
    return {
      columns: columnsOfVariable(plan),
      figures: (dataset: Dataset, settings: ChartSettings) => computeVariableFigure(dataset, plan, settings),
    };
  }
  if (chartType === 'filter') {
    const element = config as FilterConfig;
    const dimension = resolveFilterElement(element, catalog);
    return {
      columns: [dimension.entry],
      figures: (dataset: Dataset, settings: ChartSettings) =>
        computeFilterChoices(dataset, dimension, element, settings),
    };
  }
  throw invalid('chart_type', 'a text has no figures');
}

function optionalSettings({ config }: ChartRequest): Partial<Pick<FigureConfig, OptionalMember>> {
  return 'dimension' in config ? config : {};
}

/** Texts of respondents may identify them. */
function refuseVerbatims({ spec }: CatalogColumn): void {
  if (spec.type !== 'text' || spec.source === 'metadata') return;
  throw unprocessable(
    'no_verbatims',
    `dimension: ${spec.columnCode} contains texts of respondents, which are not shown here; a kpi or gauge with the aggregation count shows the number of answers`,
    [{ field: 'dimension', message: 'contains texts of respondents, which are not shown here' }],
  );
}

function describeFilter(code: string, { condition }: CompiledFilter, catalog: ColumnCatalog): AppliedFilter {
  const spec = catalog.find(code)?.spec;
  const question = catalog.question(code)?.question;
  const chosen = typeof condition === 'string' ? [] : comparisonsIn(condition);
  const values = chosen.flatMap(({ left, operator, right }) =>
    left.code === code && operator === 'in' && Array.isArray(right) ? right.map(String) : [],
  );
  return {
    column_code: spec?.columnCode ?? code,
    label: spec?.label ?? question?.text ?? code,
    values: values.length === 0 ? null : values,
  };
}
