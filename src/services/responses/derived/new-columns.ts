import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import type { ColumnSpec } from '../../../domain/columns/column-spec.ts';
import type { Column } from '../../../domain/columns/columns.ts';
import { expressionColumns } from '../../../domain/dataset/expression-columns.ts';
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
import { type DerivedColumn, derivedOf, findCycle } from '../../../domain/derived/derived-column.ts';
import { computeDistribution, type Distribution } from '../../../domain/statistics/distribution.ts';
import { codeProblem, MAX_COLUMN_CODE } from '../../../domain/survey/question-codes.ts';
import { computedTransform, type ComputedRequest } from '../../../domain/transforms/computed.ts';
import { type ColumnDefinition, type Transform, transformOf } from '../../../domain/transforms/registry.ts';
import type { DerivedForm } from '../../../domain/transforms/transform.ts';
import { alreadyUsed, limitReached, duplicateItem } from '../../../lib/error-messages.ts';
import { type AppError, conflict, invalid, invalidFields, unprocessable } from '../../../lib/errors.ts';
import { requireItem, requireValue } from '../../../lib/require-value.ts';
import type { DerivedColumnFields } from '../../../repositories/tables/responses.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import { type DataChangeService, type DataOperation, readCatalog } from '../changes/data-changes.ts';

/** All of them are recomputed when responses change. */
const MAX_DERIVED_COLUMNS = 1_000;

export interface ColumnsOutcome {
  plans: PlannedColumn[];
  counted: InclusionCounts;
  changeId: number | null;
  /** Only if values were written into responses. */
  rowsChanged: number;
  cellsChanged: number;
}

/** Throws 400 for a code that cannot name a derived column; `field` is its name in the request. */
export function refuseBadCode(code: string, field: string): void {
  const problem = codeProblem(code, MAX_COLUMN_CODE);
  if (problem === null) return;
  throw invalid(field, problem);
}

/** Codes of questions, their columns and sets, metadata and derived columns share one namespace. */
export function refuseTakenCode(code: string, field: string, catalog: ColumnCatalog): void {
  const existingColumn = catalog.find(code)?.spec.columnCode ?? catalog.question(code)?.question.code;
  if (existingColumn !== undefined) {
    throw conflict(
      'column_code_taken',
      `${field}: ${alreadyUsed(existingColumn, 'another column of this survey')} (codes are not case-sensitive)`,
    );
  }
}

/** Throws 409 if `more` columns would exceed the limit. */
export function refuseTooMany(catalog: ColumnCatalog, more: number): void {
  if (listDerived(catalog).length + more > MAX_DERIVED_COLUMNS)
    throw conflict(
      'too_many_columns',
      limitReached({ owner: 'A survey', max: MAX_DERIVED_COLUMNS, unit: 'derived column' }),
    );
}

/** Throws 422 if the column would depend on itself. */
export function refuseCycle(
  code: string,
  sources: readonly string[],
  derived: readonly DerivedColumn[],
): void {
  const path = findCycle(code, sources, derived);
  if (path !== null) throw unprocessable('cycle', `${code} would depend on itself: ${path.join(' → ')}`);
}

function listDerived(catalog: ColumnCatalog): DerivedColumn[] {
  return catalog.columns.flatMap((entry) => derivedOf(entry) ?? []);
}

export function toColumnFields({
  spec,
  definition,
  sources,
}: Pick<PlannedColumn, 'spec' | 'definition' | 'sources'>): DerivedColumnFields {
  return {
    column_code: spec.columnCode,
    label: spec.label,
    column_type: spec.type,
    measure: spec.measure,
    column_values: spec.values,
    date_precision: spec.precision,
    definition,
    sources,
    deleted_at: null,
  };
}

/** Creates all derived columns or none. */
export async function addColumns(
  { datasets, changes }: { datasets: DatasetService; changes: DataChangeService },
  scope: SurveyScope,
  request: {
    operation: DataOperation;
    columnRequests: readonly (ColumnRequest & { columnCode: string; field: string })[];
    reason: string | null;
    dryRun: boolean;
  },
): Promise<ColumnsOutcome> {
  const { operation, columnRequests, reason, dryRun } = request;
  for (const { columnCode, field } of columnRequests) refuseBadCode(columnCode, field);
  refuseDuplicateCodes(columnRequests);
  const { plans, counted } = await planColumns(datasets, scope.surveyId, columnRequests);
  const columnCodes = columnRequests.map(({ columnCode }) => columnCode);
  const details = { sources: [...new Set(plans.flatMap(({ sources }) => sources))] };
  const { changeId } = await changes.run(
    scope,
    { operation, columnCodes, reason, dryRun, details },
    async (repositories, change) => {
      const catalog = await readCatalog(repositories, scope.surveyId);
      const derived = listDerived(catalog);
      refuseTooMany(catalog, plans.length);
      for (const [index, plan] of plans.entries()) {
        const { columnCode, field } = requireItem(columnRequests, index, 'column request');
        refuseTakenCode(columnCode, field, catalog);
        refuseCycle(columnCode, plan.sources, derived);
        // The sources may have been deleted since the plan was made.
        const still = resolveDefinition(plan.definition, catalog);
        if (!still.ok) throw definitionError(still.problem);
        await change.putColumn(await repositories.derivedColumns.reserveId(), toColumnFields(plan));
      }
    },
  );
  return { plans, counted, changeId, rowsChanged: 0, cellsChanged: 0 };
}

function refuseDuplicateCodes(columnRequests: readonly { columnCode: string; field: string }[]): void {
  const seen = new Set<string>();
  for (const { columnCode, field } of columnRequests) {
    const folded = columnCode.toLowerCase();
    if (seen.has(folded)) throw invalid(field, duplicateItem(columnCode));
    seen.add(folded);
  }
}

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
function definitionError({ code, details }: DefinitionProblem): AppError {
  const [first] = details;
  if (code === 'invalid') return invalidFields(details);
  return unprocessable(code, first ? `${first.field}: ${first.message}` : 'cannot be computed', details);
}

/** Throws the problems of the definition. */
function resolveRecipe(recipe: ColumnRecipe, catalog: ColumnCatalog): ResolvedRecipe {
  const definition =
    recipe.kind === 'computed'
      ? computedTransform.draft(recipe, expressionColumns(catalog))
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
    completePlan(draft, requireItem(columnRequests, index, 'column request'), open.dataset),
  );
  const entries = completed.map(({ entry }) => entry);
  const { trialResults, dataset, catalog } = await datasets.computeTrial(surveyId, entries, open);
  const { mask: rows, counted } = selectAndCountRows(dataset);
  const plans = completed.map(({ resolved, sources, entry }, index): PlannedColumn => {
    const column = requireItem(trialResults, index, 'trial column');
    const preview = computeDistribution(dataset, entry, { rows, column });
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
      ? requireValue(source, 'source column')
      : {
          columnCode,
          label: label(source),
          questionId: null,
          source: 'derived',
          editable: false,
          retired: false,
          ...form,
        };
  return {
    resolved,
    sources,
    entry: createTrialEntry({ spec, definition: resolved.definition, sources, catalog: dataset.catalog }),
  };
}

/** Computes breaks and frozen parameters from the current data. Throws 422 if the data do not have them. */
function completeRecipe(
  { resolved, sources }: ResolvedRecipe,
  recipe: ColumnRecipe,
  dataset: Dataset,
): { resolved: ResolvedDefinition; form: DerivedForm } {
  if (resolved.kind === 'computed') {
    const dates = sources.map((code) => dataset.catalog.find(code)?.spec.precision);
    return { resolved, form: computedTransform.form(resolved.definition.type, dates.includes('datetime')) };
  }
  if (recipe.kind === 'computed') throw new Error('an expression has no source column');
  const result = completeDefinition(dataset, recipe.transform, resolved);
  if (result.ok) return { resolved: { ...resolved, definition: result.definition }, form: result.form };
  const { code, message } = result;
  const field = result.field === 'column_code' ? recipe.sourceField : result.field;
  if (code === 'invalid') throw invalidFields([{ field, message }]);
  throw unprocessable(code, `${field}: ${message}`, [{ field, message }]);
}

function createTrialEntry({
  spec,
  definition,
  sources,
  catalog,
}: {
  spec: ColumnSpec;
  definition: ColumnDefinition;
  sources: readonly string[];
  catalog: ColumnCatalog;
}): CatalogColumn {
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
