import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { InclusionCounts } from '../../../domain/dataset/filter/select-rows.ts';
import { type DerivedColumn, findCycle } from '../../../domain/derived/derived-column.ts';
import { resolveDefinition } from '../../../domain/derived/derive-column.ts';
import { codeProblem, MAX_COLUMN_CODE } from '../../../domain/survey/questions/question-codes.ts';
import { alreadyUsed, limitReached, listedTwice } from '../../../lib/error-messages.ts';
import { conflict, invalid, unprocessable } from '../../../lib/errors.ts';
import type { DerivedColumnFields } from '../../../repositories/tables/responses.ts';
import { type ColumnRequest, definitionError, type PlannedColumn, planColumns } from './column-plans.ts';
import type { DataChangeService, DataOperation } from '../changes/data-changes.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import { readCatalog } from '../changes/lock-in-chunks.ts';

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
    throw conflict('too_many_columns', limitReached('A survey', MAX_DERIVED_COLUMNS, 'derived column'));
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
  return catalog.columns.flatMap(({ origin }) => (origin.kind === 'derived' ? [origin.derived] : []));
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
        const { columnCode, field } = columnRequests[index]!;
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
    if (seen.has(folded)) throw invalid(field, listedTwice(columnCode));
    seen.add(folded);
  }
}
