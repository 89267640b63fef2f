import { answersEqual } from '../../answers/answers-equal.ts';
import type { ColumnCatalog, QuestionColumns } from '../columns/column-catalog.ts';
import { binaryColumnsOfSet } from '../columns/set-members.ts';
import { cellOf, type EditResult } from './edit-cells.ts';
import { type EditableAnswers, originalAnswer, answerState } from './edit-patch.ts';
import type { AnswerState } from './response-patch.ts';
import type { Cell } from '../columns/column-spec.ts';

/** What to restore: a whole question, or some of its columns. */
export interface RestoreTarget {
  columns: QuestionColumns;
  /** null: the whole answer. */
  columnCodes: ReadonlySet<string> | null;
}

/**
 * Resolves a code to the columns to restore; null if it is unknown. A question's own code means its whole answer, including the text of
 * "other" options.
 */
export function resolveRestoreTarget(catalog: ColumnCatalog, code: string): RestoreTarget | null {
  const wholeQuestion = catalog.question(code);
  if (wholeQuestion !== undefined) return { columns: wholeQuestion, columnCodes: null };
  const entry = catalog.find(code);
  if (entry?.origin.kind !== 'question') return null;
  const { questionColumns: of, part, index } = entry.origin;
  if (part === 'column') return { columns: of, columnCodes: new Set([entry.spec.columnCode]) };
  return {
    columns: of,
    columnCodes: new Set(binaryColumnsOfSet(of, index).map(({ columnCode }) => columnCode)),
  };
}

/** Restores every answer exactly as submitted, even if the question has changed since. */
export const restoreAllAnswers = (response: EditableAnswers): EditResult => ({
  ok: true,
  states: response.originals ?? {},
});

/** Restores some answers, or some of their cells, as submitted. */
export function restoreTargets(
  response: EditableAnswers,
  parts: readonly RestoreTarget[],
  catalog: ColumnCatalog,
): EditResult {
  const states = new Map<string, AnswerState>();
  for (const { columns: questionColumns, columnCodes } of parts) {
    const { question, codec } = questionColumns;
    const { code } = question;
    if (response.originals === null || !Object.hasOwn(response.originals, code)) continue;
    const original = originalAnswer(response, code);
    if (columnCodes === null) {
      states.set(code, original);
      continue;
    }
    const cells = new Map<string, Cell>();
    for (const columnCode of columnCodes)
      cells.set(columnCode, cellOf(catalog.find(columnCode)!, original[0]));
    const now = answerState(response.answers, code);
    const result = codec.fromCells(question, now[0], cells);
    if (!result.ok) return result;
    const isOriginal = answersEqual(result.answer, original[0] ?? null);
    states.set(code, isOriginal ? original : [result.answer]);
  }
  return { ok: true, states: Object.fromEntries(states) };
}
