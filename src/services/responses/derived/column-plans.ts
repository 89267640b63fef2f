import type { CatalogColumn, ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { ColumnSpec } from '../../../domain/dataset/columns/column-spec.ts';
import type { Column } from '../../../domain/dataset/columns/columns.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import {
  type CountedResponses,
  ALL_RESPONSES,
  selectAndCountRows,
  selectRows,
} from '../../../domain/dataset/filter/select-rows.ts';
import { noMeanReason } from '../../../domain/dataset/read-numbers.ts';
import { computedForm, type DerivedForm } from '../../../domain/derived/derived-spec.ts';
import type {
  ComputedType,
  DerivedDefinition,
  FrozenDefinition,
} from '../../../domain/derived/definition.ts';
import { parameterRows, computeSourceSpread } from '../../../domain/derived/derive-column.ts';
import { countOutside } from '../../../domain/derived/scale-column.ts';
import { recodeProblems } from '../../../domain/derived/recode-problems.ts';
import {
  type DefinitionProblem,
  type ResolvedDefinition,
  resolveDefinition,
} from '../../../domain/derived/resolve-definition.ts';
import {
  completeDefinition,
  draftDefinition,
  describeParameters,
  type Transform,
} from '../../../domain/derived/transform.ts';
import { type Distribution, computeDistribution } from '../../../domain/statistics/distribution.ts';
import { type AppError, invalidFields, unprocessable } from '../../../lib/errors.ts';
import { runToCompletion } from '../../../lib/run-to-completion.ts';
import type { DatasetService } from '../../datasets/datasets.ts';

export type RuleFieldPath = (rule: number, part: 'from' | 'to') => string;

/** How a column is computed. */
export type ColumnRecipe =
  | {
      kind: 'transform';
      transform: Transform;
      source: string;
      filter: unknown;
      /** Field names of the source and of the values of a rule in the request. */
      sourceField: string;
      rulePlace: RuleFieldPath;
    }
  | { kind: 'computed'; expression: string; type: ComputedType | null };

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
  definition: RecipeDefinition;
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
  counted: CountedResponses;
  catalog: ColumnCatalog;
  /** Must be read before the next await. */
  dataset: Dataset;
}

type RecipeDefinition = Exclude<DerivedDefinition, FrozenDefinition>;
type ResolvedRecipe = { definition: RecipeDefinition; resolved: ResolvedDefinition; sources: string[] };

/** 400 for missing columns, 422 for columns that exist but are not suitable. */
export function definitionError({ code, details }: DefinitionProblem): AppError {
  const [first] = details;
  if (code === 'invalid') return invalidFields(details);
  return unprocessable(code, first ? `${first.field}: ${first.message}` : 'cannot be computed', details);
}

/** Throws the problems of the definition. Bins and frozen parameters are not computed yet. */
function resolveRecipe(recipe: ColumnRecipe, catalog: ColumnCatalog): ResolvedRecipe {
  const type = recipe.kind === 'computed' ? (recipe.type ?? inferType(recipe.expression, catalog)) : null;
  const definition: RecipeDefinition =
    recipe.kind === 'computed'
      ? { kind: 'computed', expression: recipe.expression, type: type! }
      : draftDefinition(recipe.transform, recipe.source, recipe.filter as string | undefined);
  const source = recipe.kind === 'transform' ? recipe.sourceField : 'column_code';
  const result = resolveDefinition(definition, catalog, {
    source,
    filter: 'filter',
    expression: 'expression',
    weight: 'weight_column',
  });
  if (!result.ok) throw definitionError(result.problem);
  const { resolved, sources } = result;
  if (recipe.kind === 'transform' && resolved.kind === 'column') refuseNominal(recipe, resolved.source.spec);
  if (recipe.kind === 'transform' && recipe.transform.kind === 'recode' && resolved.kind === 'column') {
    const rulePath = (rule: number) => recipe.rulePlace(rule, 'from');
    const problems = recodeProblems(recipe.transform.rules, resolved.source.spec, rulePath);
    if (problems.length > 0) throw invalidFields(problems);
  }
  if (resolved.kind === 'computed') return { definition, resolved, sources };
  // Uses the column code in the spelling of the catalog, and the filter in its compiled form.
  const named = { ...resolved.definition, source: resolved.source.spec.columnCode };
  if (resolved.filter !== null) named.filter = resolved.filter.condition;
  if (named.kind === 'z_scores' && resolved.weight !== null) named.weight = resolved.weight.spec.columnCode;
  return { definition: named, resolved: { ...resolved, definition: named }, sources };
}

/** Scaling and binning need an ordered measure. Existing columns stay when their source becomes nominal. */
function refuseNominal(
  { transform, sourceField }: ColumnRecipe & { kind: 'transform' },
  spec: ColumnSpec,
): void {
  if (transform.kind === 'recode' || transform.kind === 'text') return;
  const message = noMeanReason(spec);
  if (message !== null)
    throw definitionError({ code: 'wrong_column_type', details: [{ field: sourceField, message }] });
}

function inferType(expression: string, catalog: ColumnCatalog): ComputedType {
  for (const type of ['number', 'text', 'boolean', 'date'] as const) {
    const result = resolveDefinition({ kind: 'computed', expression, type }, catalog);
    if (result.ok) return type;
  }
  return 'number';
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
  const plans = completed.map(({ draft, entry, definition }, index): PlannedColumn => {
    const column = results[index]!;
    const preview = computeDistribution(dataset, entry, { rows }, column);
    const { resolved, sources } = draft;
    const parameters = computeParameters(dataset, resolved, definition);
    return { entry, spec: entry.spec, definition, sources, parameters, preview, column, resolved };
  });
  return { plans, counted, catalog, dataset };
}

/** The scaling or binning parameters with the current data. */
export function computeParameters(
  dataset: Dataset,
  resolved: ResolvedDefinition,
  definition: RecipeDefinition,
): Record<string, unknown> | null {
  if (resolved.kind !== 'column') return null;
  const { source, filter } = resolved;
  return describeParameters(
    definition,
    () => runToCompletion(computeSourceSpread(dataset, resolved)),
    (range) => {
      // Includes responses that do not count for the parameters, such as test responses.
      const rows = selectRows(dataset, { ...ALL_RESPONSES, filter: filter ?? undefined });
      return countOutside(dataset.column(source), rows, range);
    },
  );
}

function completePlan(draft: ResolvedRecipe, { recipe, columnCode, label }: ColumnRequest, dataset: Dataset) {
  const { resolved, sources } = draft;
  let { definition } = draft;
  let form: DerivedForm;
  if (resolved.kind === 'computed') {
    const dates = sources.map((code) => dataset.catalog.find(code)?.spec.precision);
    form = computedForm(resolved.definition.type, dates.includes('datetime'));
  } else {
    if (recipe.kind !== 'transform') throw new Error('a transform makes no computed column');
    const { source } = resolved;
    const counted = parameterRows(dataset, resolved);
    const column = dataset.column(source);
    const result = completeDefinition(recipe.transform, resolved.definition, source, column, counted, () =>
      runToCompletion(computeSourceSpread(dataset, resolved)),
    );
    if (!result.ok) {
      const field = result.field === 'column_code' ? recipe.sourceField : result.field;
      const problem = { field, message: result.message };
      if (field === 'labels') throw invalidFields([problem]);
      throw unprocessable('no_spread', `${field}: ${result.message}`, [problem]);
    }
    ({ definition, form } = result);
  }
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
  return { draft, definition, entry: createTrialEntry(spec, definition, sources, dataset.catalog) };
}

function createTrialEntry(
  spec: ColumnSpec,
  definition: RecipeDefinition,
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
