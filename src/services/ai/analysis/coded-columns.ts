import { createHash } from 'node:crypto';
import { hasAccess, type SurveyScope } from '../../../domain/access/scopes.ts';
import type { ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import type { StoredColumnValue } from '../../../domain/columns/column-spec.ts';
import { type CodedDefinition, derivedOf, findDependents } from '../../../domain/derived/derived-column.ts';
import type { FrozenValues } from '../../../domain/derived/derive-column.ts';
import { alreadyUsed } from '../../../lib/error-messages.ts';
import type { Clock } from '../../../lib/clock.ts';
import { conflict, forbidden, notFound } from '../../../lib/errors.ts';
import { derivedColumnOf, type DerivedColumnRow } from '../../../repositories/derived-columns.ts';
import type { EngineModel } from '../../billing/credits.ts';
import { type DataChangeService, readCatalog } from '../../responses/changes/data-changes.ts';
import { refuseBadCode, refuseTakenCode, refuseTooMany } from '../../responses/derived/new-columns.ts';

const FIELD = 'save_as_column';

/** Code and name under which results are saved as a column. */
export interface ColumnToSave {
  columnCode: string;
  /** null: the column's current name, or a default name. */
  name: string | null;
}

/** One category per text, ready to be saved as a column. */
export interface Coding {
  operation: CodedDefinition['operation'];
  /** Code of the column that holds the texts. */
  texts: string;
  worker: EngineModel;
  /** Default name of the column. */
  name: string;
  measure: 'nominal' | 'ordinal';
  categories: readonly { value: string; label: string }[];
  responseIds: Float64Array;
  /** By response: index into the categories; -1: no category. */
  categoryOf: ArrayLike<number>;
}

export interface SavedColumn {
  column_code: string;
  label: string;
  responses: number;
  /** null: the column already had these values. */
  change_id: number | null;
}

/** Saves analysis results as a derived column of the data. */
export class CodedColumns {
  constructor(
    private readonly changes: DataChangeService,
    private readonly clock: Clock,
  ) {}

  /** Checked before any text is analyzed. Throws 403 without permission to edit data, 400 or 409 for a code that cannot be used. */
  refuseUnsavable({
    scope,
    columnToSave: { columnCode },
    coding,
    catalog,
  }: {
    scope: SurveyScope;
    columnToSave: ColumnToSave;
    coding: Pick<Coding, 'operation' | 'texts'>;
    catalog: ColumnCatalog;
  }): void {
    if (!hasAccess(scope.role, 'edit'))
      throw forbidden(`${FIELD}: You can view the data of this survey, but not change them`);
    refuseBadCode(columnCode, FIELD);
    const entry = catalog.find(columnCode);
    const definition = entry === undefined ? undefined : derivedOf(entry)?.definition;
    if (definition?.kind !== 'coded') refuseTakenCode(columnCode, FIELD, catalog);
    else refuseDifferentCoding(columnCode, definition, coding);
  }

  async save(scope: SurveyScope, { columnCode, name }: ColumnToSave, coding: Coding): Promise<SavedColumn> {
    const request = {
      operation: 'text_coding' as const,
      columnCodes: [columnCode],
      details: { of: coding.operation, texts: coding.texts, responses: coding.responseIds.length },
      dryRun: false,
    };
    const { changeId, result } = await this.changes.run(scope, request, async (repositories, change) => {
      const { derivedColumns } = repositories;
      const { columns } = await derivedColumns.loadCurrent(scope.surveyId);
      const catalog = await readCatalog(repositories, scope.surveyId);
      this.refuseUnsavable({ scope, columnToSave: { columnCode, name }, coding, catalog });
      if (catalog.find(coding.texts) === undefined) throw notFound('question');
      const now = columns.find((row) => row.column_code.toLowerCase() === columnCode.toLowerCase());
      if (now === undefined) refuseTooMany(catalog, 1);
      const column_values = mergeColumnValues(coding.categories, now, columns);
      const values = toFrozenValues(coding, column_values);
      const label = name ?? now?.label ?? coding.name;
      const digest = computeDigest(column_values, values);
      if (now?.definition.kind === 'coded' && now.definition.basis.digest === digest && now.label === label)
        return now;
      const columnId = now?.column_id ?? (await derivedColumns.reserveId());
      // Never overwrites values: a version number used by an undone refresh is not reused.
      const valuesVersion = (now?.version ?? 0) + 1;
      const basis = { responses: coding.responseIds.length, at: this.clock.now().toISOString(), digest };
      const { operation, texts, worker } = coding;
      const fields = {
        column_code: now?.column_code ?? columnCode,
        label,
        column_type: 'categorical' as const,
        measure: coding.measure,
        column_values,
        date_precision: null,
        definition: {
          kind: 'coded' as const,
          operation,
          texts,
          engine: worker.engine,
          model: worker.model,
          valuesVersion,
          basis,
        },
        sources: [texts],
        deleted_at: null,
      };
      await change.putColumn(columnId, fields);
      await derivedColumns.saveFrozenValues({
        surveyId: scope.surveyId,
        columnId,
        valuesVersion,
        frozenValues: values,
      });
      return fields;
    });
    return {
      column_code: result.column_code,
      label: result.label,
      responses: coding.responseIds.length,
      change_id: changeId,
    };
  }
}

function refuseDifferentCoding(
  code: string,
  previous: CodedDefinition,
  { operation, texts }: Pick<Coding, 'operation' | 'texts'>,
): void {
  if (previous.operation === operation && previous.texts.toLowerCase() === texts.toLowerCase()) return;
  throw conflict(
    'column_code_taken',
    `${FIELD}: ${alreadyUsed(code, `${previous.operation} of ${previous.texts}`)}; choose another code for ${operation} of ${texts}`,
  );
}

/** Categories keep the codes and labels that they had. Removed categories stay only if another column reads this one. */
function mergeColumnValues(
  categories: Coding['categories'],
  now: DerivedColumnRow | undefined,
  columns: readonly DerivedColumnRow[],
): StoredColumnValue[] {
  const before = now?.column_values ?? [];
  const isRead =
    now !== undefined && findDependents(now.column_code, columns.map(derivedColumnOf)).length > 0;
  const known = new Map(before.map((value) => [value.value, value]));
  let lastCode = Math.max(0, ...before.map(({ code }) => code));
  const values = categories.map(
    ({ value, label }) => known.get(value) ?? { code: (lastCode += 1), value, label, missing: false },
  );
  const named = new Set(categories.map(({ value }) => value));
  return isRead ? [...values, ...before.filter(({ value }) => !named.has(value))] : values;
}

function toFrozenValues(
  { responseIds, categoryOf }: Coding,
  values: readonly StoredColumnValue[],
): FrozenValues {
  const cells = Float64Array.from(responseIds, (_, index) => values[categoryOf[index] ?? -1]?.code ?? NaN);
  return { responseIds, cells };
}

function computeDigest(values: readonly StoredColumnValue[], { responseIds, cells }: FrozenValues): string {
  const bytes = ({ buffer, byteOffset, byteLength }: Float64Array) =>
    new Uint8Array(buffer, byteOffset, byteLength);
  return createHash('sha1')
    .update(JSON.stringify(values.map(({ code, value, label, missing }) => [code, value, label, missing])))
    .update(bytes(responseIds))
    .update(bytes(cells))
    .digest('hex');
}
