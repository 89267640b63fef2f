import { isRecord } from '../../domain/questions/answers/read-answer.ts';
import type { FigureConfig } from '../../domain/charts/chart-config.ts';
import type { ResolvedElement } from '../../domain/charts/chart-type.ts';
import type { ViewerChoice } from '../../domain/charts/disclosure/differencing.ts';
import { type ChartConfig, type ChartType, chartTypeOf } from '../../domain/charts/registry.ts';
import type { CatalogColumn, ColumnCatalog } from '../../domain/dataset/column-catalog.ts';
import { type CompiledFilter, readFilter } from '../../domain/dataset/filter/filter.ts';
import type { ResponseScope } from '../../domain/dataset/filter/select-rows.ts';
import { comparisonsIn } from '../../domain/questions/condition.ts';
import { invalidFields, unprocessable } from '../../lib/errors.ts';
import { collectLoadCodes, requireWeightColumn } from '../datasets/requested-columns.ts';

/** A chart to compute; the configuration matches the chart type. */
export interface ChartRequest {
  chartType: ChartType;
  /** Output of chartConfigSchema. */
  config: ChartConfig;
  /** The survey whose data are shown; the caller has checked that the viewer may see its figures. null for a text. */
  surveyId: number | null;
  /**
   * Values chosen in the dashboard filters, as sent by the client; undefined without a choice. Applied in addition to the filter of the
   * element.
   */
  filters?: unknown;
}

/** Values chosen in the dashboard filters by column code: one value or several. */
export type ChosenValues = Readonly<Record<string, unknown>>;

/** Whether the filter is a map of values by column rather than a condition. */
export const isChoices = (filter: unknown): filter is ChosenValues =>
  isRecord(filter) &&
  !['conditions', 'connector', 'operator', 'left'].some((name) => Object.hasOwn(filter, name));

/** A dashboard filter that narrowed a chart. */
export interface AppliedFilter {
  column_code: string;
  label: string;
  /** null if it is not a choice of values. */
  values: string[] | null;
}

/** A chart with its columns, filters and weight resolved. */
export interface ResolvedChart {
  compute: ResolvedElement['compute'];
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
export function resolveChart({
  request,
  catalog,
  cache,
  showsTexts,
}: {
  request: ChartRequest;
  catalog: ColumnCatalog;
  cache: FilterCache;
  showsTexts: boolean;
}): ResolvedChart {
  const element = chartTypeOf(request.chartType).resolve(request.config, catalog);
  const { columns } = element;
  if (!showsTexts && element.showsTexts) columns.forEach(refuseVerbatims);
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
    compute: (dataset, settings) => element.compute(dataset, settings),
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
