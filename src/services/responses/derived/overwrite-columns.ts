import type { SurveyScope } from '../../../domain/access/scopes.ts';
import {
  cellOf,
  applyEdits,
  type QuestionEdit,
  notEditableReason,
} from '../../../domain/dataset/edits/edit-cells.ts';
import { answerState } from '../../../domain/dataset/edits/edit-patch.ts';
import type { AnswerStates } from '../../../domain/dataset/edits/response-patch.ts';
import type { Cell } from '../../../domain/dataset/columns/column-spec.ts';
import type { CatalogColumn, QuestionColumns } from '../../../domain/dataset/columns/column-catalog.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import { NOT_SHOWN } from '../../../domain/dataset/columns/missing.ts';
import { ALL_RESPONSES, selectRows } from '../../../domain/dataset/filter/select-rows.ts';
import { overwriteProblems } from '../../../domain/derived/recode-problems.ts';
import { changedMeanwhile } from '../../../lib/error-messages.ts';
import { conflict, invalidFields, unprocessableField } from '../../../lib/errors.ts';
import type { EditableRow } from '../../../repositories/data-changes.ts';
import { type ColumnRequest, type PlannedColumn, planColumns, type RuleFieldPath } from './column-plans.ts';
import type { DataChangeService, DataOperation, RowChange } from '../changes/data-changes.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import { readCatalog, lockInChunks } from '../changes/lock-in-chunks.ts';
import { toRowChange } from '../changes/row-change.ts';
import type { ColumnsOutcome } from './new-columns.ts';

interface OverwriteRequest {
  operation: DataOperation;
  columnRequests: readonly ColumnRequest[];
  rulePlace: RuleFieldPath;
  reason: string | null;
  dryRun: boolean;
}

/** The changed cells of one column. */
interface Replacement {
  source: CatalogColumn;
  of: QuestionColumns;
  responseIds: number[];
  before: Cell[];
  after: Cell[];
}

/**
 * Writes the result of a transform into its source column; originals are preserved. Cells without a result stay unchanged unless a rule
 * empties them; questions that were not shown stay so. If a single value is invalid for the question, nothing is written.
 */
export async function overwriteColumns(
  { datasets, changes }: { datasets: DatasetService; changes: DataChangeService },
  scope: SurveyScope,
  { operation, columnRequests, rulePlace, reason, dryRun }: OverwriteRequest,
): Promise<ColumnsOutcome> {
  const overwriteRequests = columnRequests.map((columnRequest) => ({ ...columnRequest, columnCode: null }));
  const { plans, counted, dataset } = await planColumns(datasets, scope.surveyId, overwriteRequests);
  const replacements = plans.map((plan) => planReplacement(plan, dataset, rulePlace));
  const columnCodes = plans.map(({ spec }) => spec.columnCode);
  const { changeId, rowsChanged, cellsChanged } = await changes.run(
    scope,
    { operation, columnCodes, reason, dryRun, details: { overwrite: true } },
    async (repositories, change) => {
      const catalog = await readCatalog(repositories, scope.surveyId);
      const byResponse = groupByResponse(replacements);
      const ids = [...byResponse.keys()].sort((a, b) => a - b);
      for await (const rows of lockInChunks(repositories, scope.surveyId, ids)) {
        const rowChanges = rows.flatMap((row): RowChange | RowChange[] => {
          const states = overwriteCells(row, byResponse.get(row.response_id)!);
          return toRowChange(catalog, row, states) ?? [];
        });
        await change.patchResponses(rowChanges);
      }
    },
  );
  return { plans, counted, changeId, rowsChanged, cellsChanged };
}

function planReplacement(plan: PlannedColumn, dataset: Dataset, rulePlace: RuleFieldPath): Replacement {
  const { resolved, definition, column } = plan;
  if (resolved.kind !== 'column') throw new Error('a computed column has nothing to overwrite');
  const { source, filter } = resolved;
  const { origin, spec } = source;
  const reason = notEditableReason(source) ?? whyNotStorable(definition.kind, source);
  if (reason !== null || origin.kind !== 'question') {
    const message = reason ?? spec.columnCode;
    throw unprocessableField('not_editable', 'overwrite', message);
  }
  if (definition.kind === 'recode') {
    const problems = overwriteProblems(definition.rules, spec, (rule) => rulePlace(rule, 'to'));
    if (problems.length > 0) throw invalidFields(problems);
  }
  const from = dataset.column(source);
  const mask = selectRows(dataset, { ...ALL_RESPONSES, filter: filter ?? undefined });
  const replacement: Replacement = {
    source,
    of: origin.questionColumns,
    responseIds: [],
    before: [],
    after: [],
  };
  // Empty texts, recode rules and `outside: missing` may empty a cell. Bins and scores without a result change nothing.
  const mayEmpty =
    definition.kind === 'recode' ||
    definition.kind === 'text' ||
    (definition.kind === 'normalize' && definition.outside === 'missing');
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0 || from.missing(row) === NOT_SHOWN) continue;
    const after = column.cell(row);
    const before = from.cell(row);
    if (after === before || (after === null && !mayEmpty)) continue;
    replacement.responseIds.push(dataset.responseIds[row]!);
    replacement.before.push(before);
    replacement.after.push(after);
  }
  return replacement;
}

function whyNotStorable(kind: PlannedColumn['definition']['kind'], { spec }: CatalogColumn): string | null {
  const { columnCode, type } = spec;
  if (kind === 'normalize' || kind === 'z_scores' || kind === 'bin')
    return type === 'number' ? null : `${columnCode} is of type ${type}; only a number can hold the result`;
  if (kind === 'recode' && (type === 'rank' || type === 'date'))
    return `${columnCode} is of type ${type}; create a new column`;
  return null;
}

/** The changed cells by response. */
function groupByResponse(
  replacements: readonly Replacement[],
): Map<number, { replacement: Replacement; index: number }[]> {
  const byResponse = new Map<number, { replacement: Replacement; index: number }[]>();
  for (const replacement of replacements) {
    replacement.responseIds.forEach((id, index) => {
      const cells = byResponse.get(id);
      if (cells === undefined) byResponse.set(id, [{ replacement, index }]);
      else cells.push({ replacement, index });
    });
  }
  return byResponse;
}

/** The answers of a response with the results applied. Throws 409 if they changed since the results were computed. */
function overwriteCells(
  row: EditableRow,
  cells: readonly { replacement: Replacement; index: number }[],
): AnswerStates {
  const edits = new Map<QuestionColumns, QuestionEdit>();
  for (const { replacement, index } of cells) {
    const { source, of } = replacement;
    const now = cellOf(source, answerState(row.answers, of.question.code)[0]);
    if (now !== replacement.before[index])
      throw conflict('data_changed', changedMeanwhile(`Response ${row.response_id}`));
    const edit = edits.get(of) ?? { columns: of, cells: new Map<string, Cell>() };
    edits.set(of, edit);
    edit.cells.set(source.spec.columnCode, replacement.after[index]!);
  }
  const result = applyEdits(row, [...edits.values()]);
  if (!result.ok) {
    const details = result.problems.map(({ field, message }) => {
      return { field, message: `${message} (response ${row.response_id})` };
    });
    throw invalidFields(details);
  }
  return result.states;
}
