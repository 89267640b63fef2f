import type { CatalogColumn } from '../columns/column-catalog.ts';
import { type Cell, type ColumnSpec, valueNotFound } from '../columns/column-spec.ts';
import { cellOf, addCellEdit, type QuestionEdit } from './edit-cells.ts';
import { type EditableAnswers, answerState } from './edit-patch.ts';
import { createLiteralSearch, type LiteralSearchInput } from '../filter/literal-search.ts';

/** Search and replacement for one column. */
export interface ColumnReplacement {
  entry: CatalogColumn;
  /** `isShown`: an empty cell only matches if the question was shown. */
  matches: (cell: Cell, isShown: boolean) => boolean;
  /** Returns null if the text would become too long. */
  replace: (cell: Cell) => { cell: Cell } | null;
}

/** Whether cells match only as complete values, so that "1" does not match "10". */
const isCoded = ({ values }: ColumnSpec): boolean => values.length > 0;

/** Returns why the column cannot hold the replacement, or null. Checked before the search. */
export function replacementProblem({ spec }: CatalogColumn, replace: string): string | null {
  if (!isCoded(spec) || replace === '' || spec.values.some(({ value }) => value === replace)) return null;
  return valueNotFound(spec, replace);
}

/**
 * Texts, dates and numbers are searched for a substring; columns with values for a whole value, and multiple-response sets for a chosen
 * value.
 */
export function createColumnReplacement(entry: CatalogColumn, input: LiteralSearchInput): ColumnReplacement {
  const { spec } = entry;
  const search = createLiteralSearch({ ...input, matchEntireCell: input.matchEntireCell || isCoded(spec) });
  const findsEmpty = input.find === '' && input.matchEntireCell;
  return {
    entry,
    matches(cell, isShown) {
      if (cell === null) return findsEmpty && isShown;
      if (findsEmpty) return false;
      return Array.isArray(cell) ? cell.some((value) => search.matches(value)) : search.matches(String(cell));
    },
    replace(cell) {
      if (Array.isArray(cell)) {
        const values = cell.map((value) => (search.matches(value) ? input.replace : value));
        return { cell: [...new Set(values)].filter((value) => value !== '') };
      }
      if (cell === null) return { cell: input.replace };
      const text = search.replaceAll(String(cell));
      return text === null ? null : { cell: text };
    },
  };
}

/** Returns the cells of a response that a replacement changes, by question. Problems name the column. */
export function findReplacements(
  response: EditableAnswers,
  columns: readonly ColumnReplacement[],
): { edits: QuestionEdit[]; problems: string[] } {
  const edits = new Map<unknown, QuestionEdit>();
  const problems: string[] = [];
  for (const { entry, matches: isFound, replace: replaced } of columns) {
    const { origin, spec } = entry;
    if (origin.kind !== 'question') continue;
    const state = answerState(response.answers, origin.questionColumns.question.code);
    const cell = cellOf(entry, state[0]);
    if (!isFound(cell, state.length > 0)) continue;
    const result = replaced(cell);
    const edit = edits.get(origin.questionColumns) ?? {
      columns: origin.questionColumns,
      cells: new Map<string, Cell>(),
    };
    edits.set(origin.questionColumns, edit);
    const problem = result === null ? 'would become too long' : addCellEdit(edit, entry, result.cell);
    if (problem !== null) problems.push(`${spec.columnCode} ${problem}`);
  }
  return { edits: [...edits.values()], problems };
}
