import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import { applyEdits, CellEditReader, type ReadEdits } from '../../../domain/dataset/edit-cells.ts';
import type { ResponseRow } from '../../../domain/responses/response-row.ts';
import { duplicateItem, unknownObject } from '../../../lib/error-messages.ts';
import { type ErrorDetail, invalidFields, notFound, unprocessable } from '../../../lib/errors.ts';
import { requireEntry, requireRow, requireValue } from '../../../lib/require-value.ts';
import type { EditableRow } from '../../../repositories/data-changes.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import {
  type ChangedData,
  type DataChangeService,
  lockInChunks,
  type OpenChange,
  readCatalog,
  type RowChange,
  toRowChange,
} from './data-changes.ts';

interface ResponseError {
  response_id: number;
  details: ErrorDetail[];
}

/** The result of an edit of several responses, or of its dry run. */
export interface EditOutcome {
  changeId: number | null;
  /** Responses that the request names or selects. */
  processed: number;
  updated: number;
  cellsUpdated: number;
  unchanged: number;
  failed: number;
  errors: ResponseError[];
}

function toEditOutcome(
  { changeId, rowsChanged, cellsChanged }: ChangedData<unknown>,
  processed: number,
  errors: ResponseError[],
): EditOutcome {
  return {
    changeId,
    processed,
    updated: rowsChanged,
    cellsUpdated: cellsChanged,
    unchanged: processed - rowsChanged - errors.length,
    failed: errors.length,
    errors,
  };
}

/** For changes of selected responses: unknown ids are reported, the other responses are changed. */
export function toSelectionOutcome(
  changed: ChangedData<unknown>,
  { count, missing }: { count: number; missing: readonly number[] },
): EditOutcome {
  const errors = missing.map((id) => responseNotFound(id));
  return toEditOutcome(changed, count + errors.length, errors);
}

/** An error for a response that belongs to another survey, was deleted, or does not exist. */
const responseNotFound = (responseId: number, field = 'response_ids'): ResponseError => ({
  response_id: responseId,
  details: [
    { field, message: unknownObject({ kind: 'response', idOrCode: responseId, scope: 'in this survey' }) },
  ],
});

const ROWS_PER_TURN = 200;
const MAX_DETAILS = 100;

interface EditOptions {
  reason: string | null;
  dryRun: boolean;
}

interface RowValues {
  responseId: number;
  /** By column code, as sent by the client. */
  values: Readonly<Record<string, unknown>>;
}

interface EditedRow {
  changeId: number | null;
  row: ResponseRow;
  columns: readonly CatalogColumn[];
  /** Source of the derived columns. */
  dataset: Dataset;
}

/** Edits single cells. */
export class ResponseEditService {
  constructor(
    private readonly dataChanges: DataChangeService,
    private readonly datasets: DatasetService,
  ) {}

  async editRow(scope: SurveyScope, given: RowValues, options: EditOptions): Promise<EditedRow> {
    const columnCodes: string[] = [];
    const changed = await this.dataChanges.run(
      scope,
      { operation: 'edit', columnCodes, ...options },
      async (repositories, change) => {
        const edit = new RowEditor(repositories, scope, await readCatalog(repositories, scope.surveyId));
        const read = edit.reader.read(given.values, 'values');
        await edit.write(change, new Map([[given.responseId, { read, field: 'values' }]]));
        columnCodes.push(...edit.reader.columnCodes);
        if (edit.missing.length > 0) throw notFound('response');
        edit.refuseProblems();
        const { surveyId } = scope;
        const survey = requireValue(await repositories.responseData.findSurveyState(surveyId), 'survey');
        const page = { surveyId, dayZone: survey.day_zone, responseIds: [given.responseId] };
        return requireRow(await repositories.responseData.listByIds(page), 'responses');
      },
    );
    const { dataset, catalog } = await this.datasets.open(scope.surveyId, ({ columns }) =>
      columns.flatMap(({ origin, loadCodes }) => (origin.kind === 'derived' ? loadCodes : [])),
    );
    return { changeId: changed.changeId, row: changed.result, columns: catalog.columns, dataset };
  }

  /** With `atomic` one invalid row refuses all; otherwise valid rows are written together and invalid ones are reported. */
  async editRows(
    scope: SurveyScope,
    rows: readonly RowValues[],
    options: EditOptions & { atomic: boolean },
  ): Promise<EditOutcome> {
    refuseRepeated(rows);
    const { atomic, reason, dryRun } = options;
    const columnCodes: string[] = [];
    const changed = await this.dataChanges.run(
      scope,
      { operation: 'edit', columnCodes, reason, dryRun },
      async (repositories, change) => {
        const edit = new RowEditor(repositories, scope, await readCatalog(repositories, scope.surveyId));
        const requestedRows = new Map<number, RequestedRow>();
        for (const [index, { responseId, values }] of rows.entries()) {
          if (index > 0 && index % ROWS_PER_TURN === 0) await nextTurn();
          const field = `rows[${index}].values`;
          requestedRows.set(responseId, { read: edit.reader.read(values, field), field });
        }
        await edit.write(change, requestedRows);
        columnCodes.push(...edit.reader.columnCodes);
        const indexById = new Map(rows.map(({ responseId }, index) => [responseId, index]));
        const indexOf = (id: number) => requireEntry(indexById, id, 'row of response');
        for (const id of edit.missing)
          edit.errors.push(responseNotFound(id, `rows[${indexOf(id)}].response_id`));
        edit.errors.sort((a, b) => indexOf(a.response_id) - indexOf(b.response_id));
        if (atomic) edit.refuseProblems();
        return edit.errors;
      },
    );
    return toEditOutcome(changed, rows.length, changed.result);
  }
}

interface RequestedRow {
  read: ReadEdits;
  field: string;
}

/** An edit of several rows in progress. */
class RowEditor {
  readonly reader: CellEditReader;
  readonly errors: ResponseError[] = [];
  missing: number[] = [];
  /** True if a different input could fix one of the problems (400); otherwise the edit is impossible (422). */
  private isInvalid = false;

  constructor(
    private readonly repositories: Repositories,
    private readonly scope: SurveyScope,
    private readonly catalog: ColumnCatalog,
  ) {
    this.reader = new CellEditReader(catalog);
  }

  /** Writes the valid rows and records the problems of the others. */
  async write(change: OpenChange, requestedRows: ReadonlyMap<number, RequestedRow>): Promise<void> {
    const ids = [...requestedRows.keys()].sort((a, b) => a - b);
    const missing = new Set(ids);
    for await (const rows of lockInChunks(this.repositories, this.scope.surveyId, ids)) {
      const changes: RowChange[] = [];
      for (const [index, row] of rows.entries()) {
        if (index > 0 && index % ROWS_PER_TURN === 0) await nextTurn();
        missing.delete(row.response_id);
        const { read, field } = requireEntry(requestedRows, row.response_id, 'response');
        const edited = this.editRow(row, read, field);
        if (edited !== null) changes.push(edited);
      }
      await change.patchResponses(changes);
    }
    this.missing = [...missing];
    if (missing.size > 0) this.isInvalid = true;
  }

  private editRow(row: EditableRow, { edits, problems, notEditable }: ReadEdits, field: string) {
    if (problems.length > 0 || notEditable.length > 0) {
      this.recordError(row, [...problems, ...notEditable], problems.length > 0);
      return null;
    }
    const result = applyEdits(row, edits);
    if (!result.ok) {
      this.recordError(
        row,
        result.problems.map((problem) => ({ ...problem, field: `${field}.${problem.field}` })),
        true,
      );
      return null;
    }
    return toRowChange(this.catalog, row, result.states);
  }

  private recordError(row: EditableRow, details: ErrorDetail[], isInvalid: boolean): void {
    this.errors.push({ response_id: row.response_id, details });
    if (isInvalid) this.isInvalid = true;
  }

  /** Throws the recorded problems, at most `MAX_DETAILS`. */
  refuseProblems(): void {
    const details = this.errors.flatMap((error) => error.details).slice(0, MAX_DETAILS);
    const [first] = details;
    if (first === undefined) return;
    if (this.isInvalid) throw invalidFields(details);
    throw unprocessable('not_editable', `${first.field}: ${first.message}`, details);
  }
}

function refuseRepeated(rows: readonly RowValues[]): void {
  const seen = new Set<number>();
  const repeated = rows.flatMap(({ responseId }, index) => {
    if (!seen.has(responseId)) {
      seen.add(responseId);
      return [];
    }
    return [{ field: `rows[${index}].response_id`, message: duplicateItem(`response ${responseId}`) }];
  });
  if (repeated.length > 0) throw invalidFields(repeated.slice(0, MAX_DETAILS));
}
