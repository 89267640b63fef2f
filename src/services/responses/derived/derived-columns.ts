import type { SurveyScope } from '../../../domain/access/scopes.ts';
import { type CatalogColumn, ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import { findDependents } from '../../../domain/derived/dependents.ts';
import { resolveDefinition } from '../../../domain/derived/resolve-definition.ts';
import { changedMeanwhile, unknownObject } from '../../../lib/error-messages.ts';
import { conflict, notFound } from '../../../lib/errors.ts';
import {
  derivedColumnOf,
  derivedFieldsOf,
  type DerivedColumnRow,
} from '../../../repositories/derived-columns.ts';
import type { DerivedColumnFields } from '../../../repositories/tables/responses.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';
import { computeParameters, planColumns } from './column-plans.ts';
import type { DataChangeService } from '../changes/data-changes.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import { type ColumnChanges, mergeRecipe, preserveUnchangedParts, relabelValues } from './column-changes.ts';
import { toColumnFields, refuseCycle } from './new-columns.ts';
import { codeNotFound } from '../../datasets/code-not-found.ts';

/** A derived column with its current state. */
export interface DescribedColumn {
  row: DerivedColumnRow;
  parameters: Record<string, unknown> | null;
  /** Derived columns that use it as a source. */
  usedBy: string[];
  /** Why it has no values; null if it has. */
  problem: string | null;
}

interface ChangeOptions {
  reason: string | null;
  dryRun: boolean;
}

/** The derived columns of a survey, including weights. */
export class DerivedColumnService {
  constructor(
    private readonly store: Store,
    private readonly datasets: DatasetService,
    private readonly changes: DataChangeService,
  ) {}

  /** In the order of their creation. */
  async list(scope: SurveyScope): Promise<DescribedColumn[]> {
    const { columns: rows } = await this.store.read.derivedColumns.current(scope.surveyId);
    return this.describe(scope, rows);
  }

  async find(scope: SurveyScope, columnCode: string): Promise<DescribedColumn> {
    const columns = await this.list(scope);
    const current = columns.find(({ row }) => isSameCode(row.column_code, columnCode));
    if (current === undefined)
      throw codeNotFound(
        'derived column',
        columnCode,
        columns.map(({ row }) => row.column_code),
      );
    return current;
  }

  /** Changes the given members. Throws 409 if a column that reads this one would break. */
  async update(
    scope: SurveyScope,
    columnCode: string,
    changes: ColumnChanges,
    { reason, dryRun }: ChangeOptions,
  ): Promise<{ kept: DescribedColumn; changeId: number | null }> {
    const { row: before } = await this.find(scope, columnCode);
    const after = await this.applyChanges(scope, before, changes);
    const { changeId, result } = await this.changes.run(
      scope,
      { operation: 'column_changed', columnCodes: [before.column_code], reason, dryRun },
      async (repositories, change) => {
        const { columns } = await repositories.derivedColumns.current(scope.surveyId);
        const now = columns.find(({ column_id: id }) => id === before.column_id);
        if (now === undefined) throw notFound('derived column');
        if (now.version !== before.version)
          throw conflict('changed_meanwhile', `${changedMeanwhile(now.column_code)}`);
        if (JSON.stringify(derivedFieldsOf(now)) === JSON.stringify(after)) return now;
        await refuseBrokenReaders(repositories, scope, columns, { ...now, ...after });
        await change.putColumn(before.column_id, after);
        const current = await repositories.derivedColumns.current(scope.surveyId);
        return current.columns.find(({ column_id: id }) => id === before.column_id)!;
      },
    );
    if (!dryRun) return { kept: await this.find(scope, before.column_code), changeId };
    return { kept: { ...(await this.find(scope, before.column_code)), row: result }, changeId };
  }

  /** The change log keeps the definition, so that the deletion can be undone. */
  async remove(scope: SurveyScope, columnCode: string): Promise<void> {
    const { row } = await this.find(scope, columnCode);
    await this.changes.run(
      scope,
      { operation: 'column_deleted', columnCodes: [row.column_code], dryRun: false },
      async (repositories, change) => {
        const { columns } = await repositories.derivedColumns.current(scope.surveyId);
        const now = columns.find(({ column_id: id }) => id === row.column_id);
        if (now === undefined) throw notFound('derived column');
        const readers = findDependents(now.column_code, columns.map(derivedColumnOf));
        if (readers.length > 0)
          throw columnInUseError(
            now.column_code,
            readers.map(({ spec }) => spec.columnCode),
          );
        await change.putColumn(now.column_id, {
          ...derivedFieldsOf(now),
          deleted_at: new Date().toISOString(),
        });
      },
    );
  }

  private async applyChanges(
    scope: SurveyScope,
    before: DerivedColumnRow,
    changes: ColumnChanges,
  ): Promise<DerivedColumnFields> {
    const label = changes.label ?? before.label;
    const recipe = mergeRecipe(before, changes);
    if (recipe === null)
      return {
        ...derivedFieldsOf(before),
        label,
        column_values: relabelValues(before.column_values, changes),
      };
    const columnRequest = { columnCode: before.column_code, label: () => label, recipe };
    const { plans } = await planColumns(this.datasets, scope.surveyId, [columnRequest]);
    const fields = preserveUnchangedParts(before, toColumnFields(plans[0]!), changes);
    return { ...fields, column_values: relabelValues(fields.column_values, changes) };
  }

  private async describe(scope: SurveyScope, rows: readonly DerivedColumnRow[]): Promise<DescribedColumn[]> {
    const derived = rows.map(derivedColumnOf);
    const { catalog, dataset } = await this.datasets.open(scope.surveyId, (known) =>
      rows.flatMap((row) => (needsData(row) ? sourcesToLoad(row, known) : [])),
    );
    return rows.map((row) => {
      const { definition } = row;
      const usedBy = findDependents(row.column_code, derived).map(({ spec }) => spec.columnCode);
      if (definition.kind === 'weight' || definition.kind === 'coded')
        return { row, parameters: null, usedBy, problem: null };
      const result = resolveDefinition(definition, catalog);
      const missing = missingSources(catalog.find(row.column_code));
      if (missing.length > 0 || !result.ok) {
        const problem = missing.length > 0 ? unknownObject('column', missing[0]) : '';
        const [first] = result.ok ? [] : result.problem.details;
        return {
          row,
          parameters: null,
          usedBy,
          problem: problem || (first?.message ?? 'cannot be computed'),
        };
      }
      return {
        row,
        parameters: computeParameters(dataset, result.resolved, definition),
        usedBy,
        problem: null,
      };
    });
  }
}

const isSameCode = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Whether parameters follow the data, or values outside the range are counted. */
function needsData({ definition }: DerivedColumnRow): boolean {
  return (
    definition.kind === 'normalize' || (definition.kind === 'z_scores' && definition.frozen === undefined)
  );
}

function sourcesToLoad(row: DerivedColumnRow, catalog: ColumnCatalog): string[] {
  return row.sources.flatMap((code) => catalog.loadCodesOf(code) ?? []);
}

function missingSources(entry: CatalogColumn | undefined): readonly string[] {
  return entry?.origin.kind === 'derived' ? entry.origin.missingSources : [];
}

function columnInUseError(code: string, readers: readonly string[]) {
  const details = readers.map((reader) => ({ field: reader, message: `is derived from ${code}` }));
  return conflict(
    'column_in_use',
    `${code} is used by ${readers.join(', ')}; delete or change them first`,
    details,
  );
}

/** Throws 409 if a column that reads this one could no longer be computed. */
async function refuseBrokenReaders(
  repositories: Repositories,
  scope: SurveyScope,
  columns: readonly DerivedColumnRow[],
  after: DerivedColumnRow,
): Promise<void> {
  const definition = await repositories.definitions.draft(scope.surveyId);
  const next = columns.map((row) => (row.column_id === after.column_id ? after : row)).map(derivedColumnOf);
  refuseCycle(after.column_code, after.sources, next);
  const previousCatalog = new ColumnCatalog(definition, columns.map(derivedColumnOf));
  const nextCatalog = new ColumnCatalog(definition, next);
  const broken = next.filter(({ spec, definition: other }) => {
    if (other.kind === 'weight' || other.kind === 'coded' || isSameCode(spec.columnCode, after.column_code))
      return false;
    return resolveDefinition(other, previousCatalog).ok && !resolveDefinition(other, nextCatalog).ok;
  });
  if (broken.length > 0)
    throw columnInUseError(
      after.column_code,
      broken.map(({ spec }) => spec.columnCode),
    );
}
