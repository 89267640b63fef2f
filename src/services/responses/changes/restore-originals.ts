import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import {
  notEditableReason,
  resolveRestoreTarget,
  restoreAllAnswers,
  type RestoreTarget,
  restoreTargets,
} from '../../../domain/dataset/edit-cells.ts';
import { type ErrorDetail, invalidFields, unprocessableField } from '../../../lib/errors.ts';
import type { DataChangeService, RowChange } from './data-changes.ts';
import { type EditOutcome, toSelectionOutcome } from './edit-outcome.ts';
import { readCatalog, lockInChunks } from './lock-in-chunks.ts';
import type { ResponseSelector } from './response-selector.ts';
import { toRowChange } from './row-change.ts';
import { requireColumn } from '../../datasets/requested-columns.ts';

const EDITED = 'edited';
const ROWS_PER_TURN = 500;
const MAX_DETAILS = 100;

interface RestoreRequest {
  responseIds: readonly number[] | null;
  filter: unknown;
  /** null: every column. */
  columnCodes: readonly string[] | null;
  reason: string | null;
  dryRun: boolean;
}

/** Restores the original answers of respondents, regardless of the number of edits. */
export class RestoreOriginalsService {
  constructor(
    private readonly dataChanges: DataChangeService,
    private readonly selector: ResponseSelector,
  ) {}

  async restore(scope: SurveyScope, request: RestoreRequest): Promise<EditOutcome> {
    const { responseIds, filter, columnCodes, reason, dryRun } = request;
    const selected = await this.selector.select(
      scope,
      { responseIds, filter, requiresCondition: false },
      (catalog) => {
        resolveParts(catalog, columnCodes);
        return [EDITED];
      },
      (dataset, row) => dataset.column(EDITED).cell(row) === 1,
    );
    const changed = await this.dataChanges.run(
      scope,
      { operation: 'restore_originals', columnCodes: columnCodes ?? [], reason, dryRun },
      async (repositories, change) => {
        const catalog = await readCatalog(repositories, scope.surveyId);
        const parts = resolveParts(catalog, columnCodes);
        const problems: ErrorDetail[] = [];
        for await (const rows of lockInChunks(repositories, scope.surveyId, selected.ids)) {
          const changes: RowChange[] = [];
          for (const [index, row] of rows.entries()) {
            if (index > 0 && index % ROWS_PER_TURN === 0) await nextTurn();
            const result = parts === null ? restoreAllAnswers(row) : restoreTargets(row, parts, catalog);
            if (!result.ok) {
              for (const { field, message } of result.problems)
                problems.push({ field, message: `response ${row.response_id}: ${message}` });
              continue;
            }
            const restored = toRowChange(catalog, row, result.states);
            if (restored !== null) changes.push(restored);
          }
          if (problems.length >= MAX_DETAILS) break;
          await change.patchResponses(changes);
        }
        if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_DETAILS));
      },
    );
    return toSelectionOutcome(changed, selected);
  }
}

/** Parts of each question to restore; null: everything. */
function resolveParts(catalog: ColumnCatalog, columnCodes: readonly string[] | null): RestoreTarget[] | null {
  if (columnCodes === null) return null;
  const parts = new Map<unknown, RestoreTarget>();
  for (const [index, code] of columnCodes.entries()) {
    const field = `column_codes[${index}]`;
    const part = resolveRestoreTarget(catalog, code);
    if (part === null) {
      const message = notEditableReason(requireColumn(catalog, code, field)) ?? 'holds no answers';
      throw unprocessableField('not_editable', field, message);
    }
    const before = parts.get(part.columns);
    const isWhole = before?.columnCodes === null || part.columnCodes === null;
    parts.set(part.columns, {
      columns: part.columns,
      columnCodes: isWhole ? null : new Set([...(before?.columnCodes ?? []), ...part.columnCodes!]),
    });
  }
  return [...parts.values()];
}
