import type { SurveyScope } from '../../../domain/access/scopes.ts';
import { type CatalogColumn, ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import type { StoredColumnValue } from '../../../domain/columns/column-spec.ts';
import { findDependents } from '../../../domain/derived/derived-column.ts';
import {
  describeParameters,
  readsDataForParameters,
  resolveDefinition,
} from '../../../domain/derived/derive-column.ts';
import {
  COLUMN_KINDS,
  columnKindOf,
  isColumnDefinition,
  readsSource,
  transformOf,
} from '../../../domain/transforms/registry.ts';
import { concurrentChange, notAllowedFor, unknownObject, unknownValue } from '../../../lib/error-messages.ts';
import { conflict, invalid, invalidFields, notFound } from '../../../lib/errors.ts';
import { requireItem, requireValue } from '../../../lib/require-value.ts';
import {
  derivedColumnOf,
  derivedFieldsOf,
  type DerivedColumnRow,
} from '../../../repositories/derived-columns.ts';
import type { DerivedColumnFields } from '../../../repositories/tables/responses.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';
import { type ColumnRecipe, planColumns, refuseCycle, toColumnFields } from './new-columns.ts';
import type { DataChangeService } from '../changes/data-changes.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import { codeNotFound } from '../../datasets/requested-columns.ts';

/** A derived column with its current state. */
export interface DescribedColumn {
  row: DerivedColumnRow;
  parameters: Record<string, unknown> | null;
  /** Derived columns that use it as a source. */
  usedBy: string[];
  /** Why it has no values; null if it has. */
  problem: string | null;
}

/** Changes of a derived column; absent members stay unchanged. */
export interface ColumnChanges {
  label?: string | undefined;
  /** Changes labels and missing flags of existing values. */
  values?:
    readonly { value: string; label?: string | undefined; missing?: boolean | undefined }[] | undefined;
  /** null: removes the filter. */
  filter?: unknown;
  /** Request fields that depend on the kind of the column. */
  fields: Readonly<Record<string, unknown>>;
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
    const { columns: rows } = await this.store.read.derivedColumns.loadCurrent(scope.surveyId);
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
  async update({
    scope,
    columnCode,
    changes,
    changeOptions: { reason, dryRun },
  }: {
    scope: SurveyScope;
    columnCode: string;
    changes: ColumnChanges;
    changeOptions: ChangeOptions;
  }): Promise<{ kept: DescribedColumn; changeId: number | null }> {
    const { row: before } = await this.find(scope, columnCode);
    const after = await this.applyChanges(scope, before, changes);
    const { changeId, result } = await this.changes.run(
      scope,
      { operation: 'column_changed', columnCodes: [before.column_code], reason, dryRun },
      async (repositories, change) => {
        const { columns } = await repositories.derivedColumns.loadCurrent(scope.surveyId);
        const now = columns.find(({ column_id: id }) => id === before.column_id);
        if (now === undefined) throw notFound('derived column');
        if (now.version !== before.version)
          throw conflict('changed_meanwhile', `${concurrentChange(now.column_code)}`);
        if (JSON.stringify(derivedFieldsOf(now)) === JSON.stringify(after)) return now;
        await refuseBrokenReaders({ repositories, scope, columns, after: { ...now, ...after } });
        await change.putColumn(before.column_id, after);
        const current = await repositories.derivedColumns.loadCurrent(scope.surveyId);
        return requireValue(
          current.columns.find(({ column_id: id }) => id === before.column_id),
          'changed column',
        );
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
        const { columns } = await repositories.derivedColumns.loadCurrent(scope.surveyId);
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
    const recipe = changedRecipe(before, changes);
    if (recipe === null)
      return {
        ...derivedFieldsOf(before),
        label,
        column_values: relabelValues(before.column_values, changes),
      };
    const columnRequest = { columnCode: before.column_code, label: () => label, recipe };
    const { plans } = await planColumns(this.datasets, scope.surveyId, [columnRequest]);
    const fields = preserveValues(before, toColumnFields(requireItem(plans, 0, 'plan')), changes);
    return { ...fields, column_values: relabelValues(fields.column_values, changes) };
  }

  private async describe(scope: SurveyScope, rows: readonly DerivedColumnRow[]): Promise<DescribedColumn[]> {
    const derived = rows.map(derivedColumnOf);
    const { catalog, dataset } = await this.datasets.open(scope.surveyId, (known) =>
      rows.flatMap((row) =>
        isColumnDefinition(row.definition) && readsDataForParameters(row.definition)
          ? sourcesToLoad(row, known)
          : [],
      ),
    );
    return rows.map((row) => {
      const { definition } = row;
      const usedBy = findDependents(row.column_code, derived).map(({ spec }) => spec.columnCode);
      if (!isColumnDefinition(definition)) return { row, parameters: null, usedBy, problem: null };
      const result = resolveDefinition(definition, catalog);
      const missing = missingSources(catalog.find(row.column_code));
      if (missing.length > 0 || !result.ok) {
        const problem = missing.length > 0 ? unknownObject({ kind: 'column', idOrCode: missing[0] }) : '';
        const [first] = result.ok ? [] : result.problem.details;
        return {
          row,
          parameters: null,
          usedBy,
          problem: problem || (first?.message ?? 'cannot be computed'),
        };
      }
      return { row, parameters: describeParameters(dataset, result.resolved), usedBy, problem: null };
    });
  }
}

const isSameCode = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

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
async function refuseBrokenReaders({
  repositories,
  scope,
  columns,
  after,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  columns: readonly DerivedColumnRow[];
  after: DerivedColumnRow;
}): Promise<void> {
  const definition = await repositories.definitions.loadDraft(scope.surveyId);
  const next = columns.map((row) => (row.column_id === after.column_id ? after : row)).map(derivedColumnOf);
  refuseCycle(after.column_code, after.sources, next);
  const previousCatalog = new ColumnCatalog(definition, columns.map(derivedColumnOf));
  const nextCatalog = new ColumnCatalog(definition, next);
  const broken = next.filter(({ spec, definition: other }) => {
    if (!isColumnDefinition(other) || isSameCode(spec.columnCode, after.column_code)) return false;
    return resolveDefinition(other, previousCatalog).ok && !resolveDefinition(other, nextCatalog).ok;
  });
  if (broken.length > 0)
    throw columnInUseError(
      after.column_code,
      broken.map(({ spec }) => spec.columnCode),
    );
}

/** Returns the recipe after the changes, or null if they do not affect it. Throws 400 for fields that the kind does not have. */
function changedRecipe(
  { definition, column_values: values }: DerivedColumnRow,
  changes: ColumnChanges,
): ColumnRecipe | null {
  refuseForeignFields(definition, changes);
  const isAffected = changes.filter !== undefined || Object.keys(changes.fields).length > 0;
  if (!isAffected || !isColumnDefinition(definition)) return null;
  const labels = values.map(({ label }) => label);
  const request = columnKindOf(definition).update(definition, changes.fields, labels);
  if (request.kind === 'computed') return request;
  if (!readsSource(definition)) throw new Error('a transform needs a source column');
  const { request: requestRules } = transformOf(definition);
  return {
    kind: 'transform',
    transform: request,
    source: definition.source,
    filter: changes.filter === undefined ? definition.filter : (changes.filter ?? undefined),
    sourceField: 'column_code',
    sentField: (field) => requestRules.sentField?.(changes.fields, field) ?? field,
  };
}

function refuseForeignFields(
  definition: DerivedColumnRow['definition'],
  { filter, fields }: ColumnChanges,
): void {
  const given = new Set([...Object.keys(fields), ...(filter === undefined ? [] : ['filter'])]);
  const own = isColumnDefinition(definition) ? Object.keys(columnKindOf(definition).changes.fields) : [];
  for (const field of [...own, ...(readsSource(definition) ? ['filter'] : [])]) given.delete(field);
  const foreign = COLUMN_KINDS.flatMap((kind) => {
    const { errorFields = {} } = kind.changes;
    const names = [...Object.keys(kind.changes.fields), 'filter'].filter((field) => given.has(field));
    return names.map((field) => errorFields[field] ?? field);
  });
  if (foreign.length === 0) return;
  const message = notAllowedFor(`a column of kind ${definition.kind}`);
  throw invalidFields([...new Set(foreign)].map((field) => ({ field, message })));
}

/** Preserves labels and missing flags of values that the changes do not replace. */
function preserveValues(
  before: DerivedColumnFields,
  after: DerivedColumnFields,
  { fields }: ColumnChanges,
): DerivedColumnFields {
  const { definition } = after;
  const replaced = isColumnDefinition(definition)
    ? (columnKindOf(definition).changes.replacedParts?.(fields) ?? [])
    : [];
  const known = new Map(before.column_values.map((value) => [value.value, value]));
  const values = after.column_values.map((value) => {
    const { label, missing } = known.get(value.value) ?? value;
    return {
      ...value,
      label: replaced.includes('label') ? value.label : label,
      missing: replaced.includes('missing') ? value.missing : missing,
    };
  });
  return { ...after, column_values: values };
}

/** Throws 400 for a value that the column does not have. */
function relabelValues(
  values: readonly StoredColumnValue[],
  { values: wanted = [] }: ColumnChanges,
): StoredColumnValue[] {
  const changed = values.map((value) => ({ ...value }));
  wanted.forEach(({ value, label, missing }, index) => {
    const known = changed.find((one) => one.value === value);
    if (known === undefined)
      throw invalid(`values[${index}].value`, unknownValue(value, 'a value of this column'));
    known.label = label ?? known.label;
    known.missing = missing ?? known.missing;
  });
  return changed;
}
