import type { StoredAnswer } from '../answers/codec.ts';
import type { CatalogColumn, QuestionColumns } from './columns/column-catalog.ts';
import type { Cell } from './columns/column-spec.ts';
import type { Dataset } from './dataset.ts';
import type { ResponseRow } from './response-row.ts';

/** Columns that are read from a response together: those of one question, whose cells are made once for all of them. */
export interface CellGroup {
  read: (row: ResponseRow) => readonly Cell[];
  /** Where each column stands in the list that was grouped, and in what `read` gives; beyond its end is null. */
  columns: { place: number; index: number }[];
}

/**
 * How to read the cells of these columns from whole responses. Moments become ISO 8601, UTC. Derived columns are in no response:
 * they are read from the dataset, in which they must have been made. Of a deleted response only the metadata are told.
 */
export function groupCellReaders(columns: readonly CatalogColumn[], dataset: Dataset): CellGroup[] {
  const groups = new Map<unknown, CellGroup>();
  columns.forEach((entry, place) => {
    const { origin } = entry;
    const shared = origin.kind === 'question' && origin.part === 'column';
    const key = shared ? origin.of : entry;
    const read =
      origin.kind === 'metadata'
        ? createCellsReader(entry, dataset)
        : emptyIfDeleted(createCellsReader(entry, dataset));
    const group = groups.get(key) ?? { read, columns: [] };
    groups.set(key, group);
    group.columns.push({ place, index: shared ? origin.index : 0 });
  });
  return [...groups.values()];
}

const NO_CELLS: readonly Cell[] = [];

/** A cell that is not there is null. */
const emptyIfDeleted =
  (read: CellGroup['read']): CellGroup['read'] =>
  (row) =>
    row.isDeleted ? NO_CELLS : read(row);

function createCellsReader(entry: CatalogColumn, dataset: Dataset): CellGroup['read'] {
  const { origin } = entry;
  if (origin.kind === 'derived') {
    const column = dataset.column(entry);
    return ({ responseId }) => {
      const row = dataset.rowOf(responseId);
      return [row < 0 ? null : column.cell(row)];
    };
  }
  if (origin.kind === 'metadata') {
    const { read, spec } = origin.metadata;
    return (row) => {
      // Both kinds of metadata read from a whole row.
      const value = read(row);
      return [value !== null && spec.type === 'date' ? new Date(value).toISOString() : value];
    };
  }
  const { of, part, index } = origin;
  const { codec, question } = of;
  if (part === 'column') return (row) => codec.toCells(question, answerOf(row, of));
  if (question.type !== 'matrix') return (row) => [codec.toSetCell?.(question, answerOf(row, of)) ?? null];
  const rowCode = question.settings.rows[index]?.row_code ?? '';
  return (row) => [matrixRowCell(answerOf(row, of), rowCode)];
}

function answerOf(row: ResponseRow, { question }: QuestionColumns): StoredAnswer | null | undefined {
  return Object.hasOwn(row.answers, question.code) ? row.answers[question.code] : undefined;
}

function matrixRowCell(answer: StoredAnswer | null | undefined, rowCode: string): Cell {
  if (
    typeof answer !== 'object' ||
    answer === null ||
    Array.isArray(answer) ||
    !Object.hasOwn(answer, rowCode)
  )
    return null;
  return (answer as Record<string, string[]>)[rowCode] ?? null;
}
