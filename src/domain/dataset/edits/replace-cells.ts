import { quote } from '../../../lib/quote.ts';
import type { CatalogColumn } from '../columns/column-catalog.ts';
import type { Cell, ColumnSpec } from '../columns/column-spec.ts';
import { cellOf, addCellEdit, type QuestionEdit, describeValues } from './edit-cells.ts';
import { type EditableAnswers, answerState } from './edit-patch.ts';
import { createLiteralSearch, type LiteralSearchInput } from '../filter/literal-search.ts';

/** How one column is searched. */
export interface ColumnReplacement {
  entry: CatalogColumn;
  /** `isShown`: an empty cell of a question that was not shown is no empty cell. */
  matches: (cell: Cell, isShown: boolean) => boolean;
  /** null: the text would be longer than any may be. */
  replace: (cell: Cell) => { cell: Cell } | null;
}

/** A column whose cells are one of some values: their codes are found whole, for "1" is not meant to be found in "10". */
const isCoded = ({ values }: ColumnSpec): boolean => values.length > 0;

/** What the column may not hold, and does hold: said before anything is looked for. null: nothing is wrong. */
export function replacementProblem({ spec }: CatalogColumn, replace: string): string | null {
  if (!isCoded(spec) || replace === '' || spec.values.some(({ value }) => value === replace)) return null;
  return `${spec.columnCode} has no value ${quote(replace)}; ${describeValues(spec)}`;
}

/**
 * Texts, dates and the digits of numbers are searched for a part of them; a column with values for one of its values, and a
 * multiple-response set among those chosen.
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

/** The cells of a response that a replacement changes, by question; problems name the column. */
export function findReplacements(
  response: EditableAnswers,
  columns: readonly ColumnReplacement[],
): { edits: QuestionEdit[]; problems: string[] } {
  const edits = new Map<unknown, QuestionEdit>();
  const problems: string[] = [];
  for (const { entry, matches: isFound, replace: replaced } of columns) {
    const { origin, spec } = entry;
    if (origin.kind !== 'question') continue;
    const state = answerState(response.answers, origin.of.question.code);
    const cell = cellOf(entry, state[0]);
    if (!isFound(cell, state.length > 0)) continue;
    const result = replaced(cell);
    const edit = edits.get(origin.of) ?? { columns: origin.of, cells: new Map<string, Cell>() };
    edits.set(origin.of, edit);
    const problem = result === null ? 'would become too long' : addCellEdit(edit, entry, result.cell);
    if (problem !== null) problems.push(`${spec.columnCode} ${problem}`);
  }
  return { edits: [...edits.values()], problems };
}
