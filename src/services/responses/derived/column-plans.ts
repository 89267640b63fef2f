import { type CatalogColumn, type ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { ColumnSpec } from '../../../domain/dataset/columns/column-spec.ts';
import type { Column } from '../../../domain/dataset/columns/columns.ts';
import { expressionColumns } from '../../../domain/dataset/columns/expression-columns.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import { type InclusionCounts, selectAndCountRows } from '../../../domain/dataset/filter/select-rows.ts';
import {
  completeDefinition,
  type DefinitionProblem,
  describeParameters,
  draftDefinition,
  type ResolvedDefinition,
  resolveDefinition,
  type ResolvedTransform,
} from '../../../domain/derived/derive-column.ts';
import { type Distribution, computeDistribution } from '../../../domain/statistics/distribution.ts';
import { computed, type ComputedRequest } from '../../../domain/transforms/computed.ts';
import { type ColumnDefinition, type Transform, transformOf } from '../../../domain/transforms/registry.ts';
import type { DerivedForm } from '../../../domain/transforms/transform.ts';
import { type AppError, invalidFields, unprocessable } from '../../../lib/errors.ts';
import type { DatasetService } from '../../datasets/datasets.ts';

/** Returns how the request names a field of a transform, such as `mapping.1` for `rules[0].from`. */
export type SentField = (field: string) => string;

interface TransformRecipe {
  kind: 'transform';
  transform: Transform;
  source: string;
  filter: unknown;
  /** The name of the source in the request. */
  sourceField: string;
  sentField: SentField;
}

/** How a column is computed. */
export type ColumnRecipe = TransformRecipe | ComputedRequest;

export interface ColumnRequest {
  /** null: overwrite the source column. */
  columnCode: string | null;
  label: (source: ColumnSpec | null) => string;
  recipe: ColumnRecipe;
}

/** A column as it would be created. */
export interface PlannedColumn {
  entry: CatalogColumn;
  spec: ColumnSpec;
  definition: ColumnDefinition;
  sources: string[];
  parameters: Record<string, unknown> | null;
  /** Over the complete responses. */
  preview: Distribution;
  /** Values by row of the dataset. */
  column: Column;
  resolved: ResolvedDefinition;
}

interface ColumnPlans {
  plans: PlannedColumn[];
  /** Responses counted in previews; parameters count only those that match the filter. */
  counted: InclusionCounts;
  catalog: ColumnCatalog;
  /** Must be read before the next await. */
  dataset: Dataset;
}

/** A recipe whose columns exist and fit. Breaks and frozen parameters are not computed yet. */
interface ResolvedRecipe {
  resolved: ResolvedDefinition;
  sources: string[];
}

/** 400 for missing columns, 422 for columns that exist but are not suitable. */
export function definitionError({ code, details }: DefinitionProblem): AppError {
  const [first] = details;
  if (code === 'invalid') return invalidFields(details);
  return unprocessable(code, first ? `${first.field}: ${first.message}` : 'cannot be computed', details);
}

/** Throws the problems of the definition. */
function resolveRecipe(recipe: ColumnRecipe, catalog: ColumnCatalog): ResolvedRecipe {
  const definition =
    recipe.kind === 'computed'
      ? computed.draft(recipe, expressionColumns(catalog))
      : draftDefinition(recipe.transform, recipe.source, recipe.filter as string | undefined);
  const result = resolveDefinition(definition, catalog, {
    source: recipe.kind === 'transform' ? recipe.sourceField : 'column_code',
    filter: 'filter',
    expression: 'expression',
    weight: 'weight_column',
  });
  if (!result.ok) throw definitionError(result.problem);
  const { resolved, sources } = result;
  if (recipe.kind === 'computed' || resolved.kind === 'computed') return { resolved, sources };
  refuseUnsuitable(recipe, resolved.source.spec);
  return { resolved: withCatalogNames(resolved), sources };
}

function refuseUnsuitable({ transform, sourceField, sentField }: TransformRecipe, source: ColumnSpec): void {
  const { source: sourceRules, request } = transformOf(transform);
  const message = sourceRules.newColumnProblem?.(source) ?? null;
  if (message !== null)
    throw definitionError({ code: 'wrong_column_type', details: [{ field: sourceField, message }] });
  const problems = request.problems?.(transform, source) ?? [];
  if (problems.length > 0)
    throw invalidFields(problems.map((problem) => ({ ...problem, field: sentField(problem.field) })));
}

/** Uses the column codes in the spelling of the catalog, and the filter in its compiled form. */
function withCatalogNames(resolved: ResolvedTransform): ResolvedTransform {
  const { source, filter, weight } = resolved;
  const definition = { ...resolved.definition, source: source.spec.columnCode };
  if (filter !== null) definition.filter = filter.condition;
  if (weight !== null) definition.weight = weight.spec.columnCode;
  return { ...resolved, definition };
}

/** Computes columns with the current data without storing them. */
export async function planColumns(
  datasets: DatasetService,
  surveyId: number,
  columnRequests: readonly ColumnRequest[],
): Promise<ColumnPlans> {
  const open = await datasets.openFor(surveyId, (catalog) => {
    const drafts = columnRequests.map(({ recipe }) => resolveRecipe(recipe, catalog));
    const sources = drafts.flatMap((draft) => draft.sources);
    return { drafts, loadCodes: sources.flatMap((code) => catalog.loadCodesOf(code) ?? []) };
  });
  const completed = open.resolved.drafts.map((draft, index) =>
    completePlan(draft, columnRequests[index]!, open.dataset),
  );
  const entries = completed.map(({ entry }) => entry);
  const { trialResults: results, dataset, catalog } = await datasets.computeTrial(surveyId, entries, open);
  const { mask: rows, counted } = selectAndCountRows(dataset);
  const plans = completed.map(({ resolved, sources, entry }, index): PlannedColumn => {
    const column = results[index]!;
    const preview = computeDistribution(dataset, entry, { rows }, column);
    const parameters = describeParameters(dataset, resolved);
    const { definition } = resolved;
    return { entry, spec: entry.spec, definition, sources, parameters, preview, column, resolved };
  });
  return { plans, counted, catalog, dataset };
}

function completePlan(draft: ResolvedRecipe, { recipe, columnCode, label }: ColumnRequest, dataset: Dataset) {
  const { sources } = draft;
  const { resolved, form } = completeRecipe(draft, recipe, dataset);
  const source = resolved.kind === 'column' ? resolved.source.spec : null;
  const spec: ColumnSpec =
    columnCode === null
      ? source!
      : {
          columnCode,
          label: label(source),
          questionId: null,
          source: 'derived',
          editable: false,
          retired: false,
          ...form,
        };
  return { resolved, sources, entry: createTrialEntry(spec, resolved.definition, sources, dataset.catalog) };
}

/** Computes breaks and frozen parameters from the current data. Throws 422 if the data do not have them. */
function completeRecipe(
  { resolved, sources }: ResolvedRecipe,
  recipe: ColumnRecipe,
  dataset: Dataset,
): { resolved: ResolvedDefinition; form: DerivedForm } {
  if (resolved.kind === 'computed') {
    const dates = sources.map((code) => dataset.catalog.find(code)?.spec.precision);
    return { resolved, form: computed.form(resolved.definition.type, dates.includes('datetime')) };
  }
  if (recipe.kind === 'computed') throw new Error('an expression has no source column');
  const result = completeDefinition(dataset, recipe.transform, resolved);
  if (result.ok) return { resolved: { ...resolved, definition: result.definition }, form: result.form };
  const { code, message } = result;
  const field = result.field === 'column_code' ? recipe.sourceField : result.field;
  if (code === 'invalid') throw invalidFields([{ field, message }]);
  throw unprocessable(code, `${field}: ${message}`, [{ field, message }]);
}

function createTrialEntry(
  spec: ColumnSpec,
  definition: ColumnDefinition,
  sources: readonly string[],
  catalog: ColumnCatalog,
): CatalogColumn {
  const loadCodes = new Set(sources.flatMap((code) => catalog.loadCodesOf(code) ?? []));
  return {
    spec,
    loadCodes: [...loadCodes],
    origin: {
      kind: 'derived',
      derived: { columnId: 0, version: 0, spec, definition, sources },
      missingSources: [],
    },
  };
}
