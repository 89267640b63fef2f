import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import { notEditableReason } from '../../../domain/dataset/edits/edit-cells.ts';
import {
  type RestoreTarget,
  resolveRestoreTarget,
  restoreTargets,
  restoreAllAnswers,
} from '../../../domain/dataset/edits/restore-answers.ts';
import { type ErrorDetail, invalidFields, unprocessable } from '../../../lib/errors.ts';
import type { DataChanges, RowChange } from './data-changes.ts';
import { type EditOutcome, selectionOutcome } from './edit-outcome.ts';
import { catalogWithin, lockedChunks } from './locked-chunks.ts';
import type { ResponseSelector } from './response-selector.ts';
import { rowChange } from './row-change.ts';
import { columnNamed } from '../../datasets/requested-columns.ts';

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

/** Puts answers back as respondents gave them, whatever edits came after each other. */
export class RestoreOriginalsService {
  private readonly dataChanges: DataChanges;
  private readonly selector: ResponseSelector;

  constructor(dataChanges: DataChanges, selector: ResponseSelector) {
    this.dataChanges = dataChanges;
    this.selector = selector;
  }

  async restore(scope: SurveyScope, request: RestoreRequest): Promise<EditOutcome> {
    const { responseIds, filter, columnCodes, reason, dryRun } = request;
    const selected = await this.selector.select(
      scope,
      { responseIds, filter, mustNarrow: false },
      (catalog) => {
        partsOf(catalog, columnCodes);
        return [EDITED];
      },
      (dataset, row) => dataset.column(EDITED).cell(row) === 1,
    );
    const changed = await this.dataChanges.run(
      scope,
      { operation: 'restore_originals', columnCodes: columnCodes ?? [], reason, dryRun },
      async (repositories, change) => {
        const catalog = await catalogWithin(repositories, scope.surveyId);
        const parts = partsOf(catalog, columnCodes);
        const problems: ErrorDetail[] = [];
        for await (const rows of lockedChunks(repositories, scope.surveyId, selected.ids)) {
          const changes: RowChange[] = [];
          for (const [index, row] of rows.entries()) {
            if (index > 0 && index % ROWS_PER_TURN === 0) await nextTurn();
            const result = parts === null ? restoreAllAnswers(row) : restoreTargets(row, parts, catalog);
            if (!result.ok) {
              for (const { field, message } of result.problems)
                problems.push({ field, message: `response ${row.response_id}: ${message}` });
              continue;
            }
            const restored = rowChange(catalog, row, result.states);
            if (restored !== null) changes.push(restored);
          }
          if (problems.length >= MAX_DETAILS) break;
          await change.patch(changes);
        }
        if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_DETAILS));
      },
    );
    return selectionOutcome(changed, selected);
  }
}

/** What is to be restored of each question; null: everything. */
function partsOf(catalog: ColumnCatalog, columnCodes: readonly string[] | null): RestoreTarget[] | null {
  if (columnCodes === null) return null;
  const parts = new Map<unknown, RestoreTarget>();
  for (const [index, code] of columnCodes.entries()) {
    const field = `column_codes[${index}]`;
    const part = resolveRestoreTarget(catalog, code);
    if (part === null) {
      const message = notEditableReason(columnNamed(catalog, code, field)) ?? 'holds no answers';
      throw unprocessable('not_editable', `${field}: ${message}`, [{ field, message }]);
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
