import { mustBe } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import type { StoredAnswer } from '../../answers/codec.ts';
import type { CatalogColumn, ColumnCatalog, QuestionColumns } from '../columns/column-catalog.ts';
import { type Cell, valueNotFound } from '../columns/column-spec.ts';
import { binaryColumnsOfSet } from '../columns/set-members.ts';
import { type EditableAnswers, originalAnswer, answerState } from './edit-patch.ts';
import type { AnswerState, AnswerStates } from './response-patch.ts';

/** New cell values of one question, by column code. */
export interface QuestionEdit {
  columns: QuestionColumns;
  cells: Map<string, Cell>;
}

export type EditResult = { ok: true; states: AnswerStates } | { ok: false; problems: ErrorDetail[] };

/** Returns why a column cannot be edited, or null if it can. */
export function notEditableReason({ spec, origin }: CatalogColumn): string | null {
  if (origin.kind === 'metadata') return `${spec.columnCode} describes the response and is set by the server`;
  if (origin.kind === 'derived')
    return `${spec.columnCode} is made from other columns; edit those, or change what it is made by`;
  return spec.editable ? null : `${spec.columnCode} holds files, which only respondents upload`;
}

/** Returns the cell of a question's column or multiple-response set in an answer. */
export function cellOf(entry: CatalogColumn, answer: StoredAnswer | null | undefined): Cell {
  const { origin } = entry;
  if (origin.kind !== 'question') return null;
  const { codec, question } = origin.questionColumns;
  if (origin.part === 'column') return codec.toCells(question, answer)[origin.index] ?? null;
  if (codec.toSetCell) return codec.toSetCell(question, answer);
  const cells = codec.toCells(question, answer);
  // A matrix has one set per row, with one cell per option.
  const start = origin.index * question.options.length;
  if (cells[start] == null) return null;
  return entry.spec.values.flatMap(({ value }, index) => (cells[start + index] === 1 ? [value] : []));
}

/** Adds a changed cell in the form that the question's codec accepts. Returns a problem, or null. */
export function addCellEdit(edit: QuestionEdit, entry: CatalogColumn, cell: Cell): string | null {
  const { origin, spec } = entry;
  const isRowSet =
    origin.kind === 'question' && origin.part === 'set' && !origin.questionColumns.codec.toSetCell;
  if (!isRowSet) {
    edit.cells.set(spec.columnCode, cell);
    return null;
  }
  if (cell !== null && !Array.isArray(cell)) return mustBe('a list of option values', cell);
  const chosen = new Set(cell);
  const newValue = [...chosen].find((value) => !spec.values.some((known) => known.value === value));
  if (newValue !== undefined) return valueNotFound(spec, newValue);
  binaryColumnsOfSet(edit.columns, origin.index).forEach(({ columnCode }, index) => {
    // An explicitly given 0/1 cell takes precedence over the set.
    if (!edit.cells.has(columnCode))
      edit.cells.set(columnCode, cell === null ? null : Number(chosen.has(spec.values[index]!.value)));
  });
  return null;
}

/**
 * Applies cell edits to the answers of a response. Editing a question that was not shown answers it; if no value remains, it is not shown
 * again. The field of a problem is the column code.
 */
export function applyEdits(response: EditableAnswers, edits: readonly QuestionEdit[]): EditResult {
  const states = new Map<string, AnswerState>();
  const problems: ErrorDetail[] = [];
  for (const { columns: questionColumns, cells } of edits) {
    const { code } = questionColumns.question;
    const now = answerState(response.answers, code);
    const result = questionColumns.codec.fromCells(questionColumns.question, now[0], cells);
    if (!result.ok) problems.push(...result.problems);
    else if (result.answer !== null) states.set(code, [result.answer]);
    else states.set(code, originalAnswer(response, code).length === 0 ? [] : [null]);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, states: Object.fromEntries(states) };
}

/** Counts the cells in which two versions of the same answers differ. */
export function countChangedCells(catalog: ColumnCatalog, before: AnswerStates, after: AnswerStates): number {
  let count = 0;
  for (const [code, [previous]] of Object.entries(before)) {
    const questionColumns = catalog.question(code);
    // A permanently deleted question counts as one cell.
    if (questionColumns === undefined) count++;
    else {
      const cells = questionColumns.codec.toCells(questionColumns.question, after[code]?.[0]);
      questionColumns.codec.toCells(questionColumns.question, previous).forEach((cell, index) => {
        if (cell !== cells[index]) count++;
      });
    }
  }
  return count;
}
