import type { StoredAnswer } from '../answers/codec.ts';
import type { CatalogColumn, QuestionColumns } from './columns/column-catalog.ts';
import { isAbsent } from './columns/option-absences.ts';
import type { Cell, ColumnSpec } from './columns/column-spec.ts';
import type { Dataset } from './dataset.ts';
import type { ResponseRow } from './response-row.ts';

/** Columns read from a response together: those of one question share one conversion. */
export interface CellGroup {
  read: (row: ResponseRow) => readonly Cell[];
  /** Position of each column in the requested list, and its index in the result of `read`; an index beyond its end means null. */
  columns: { position: number; index: number }[];
}

/**
 * Returns readers for the cells of these columns of whole responses. Timestamps become ISO 8601 in UTC. Derived columns are read from the
 * dataset, in which they must be computed. For a deleted response only metadata cells have values.
 */
export function groupCellReaders(columns: readonly CatalogColumn[], dataset: Dataset): CellGroup[] {
  const groups = new Map<unknown, CellGroup>();
  columns.forEach((entry, position) => {
    const { origin } = entry;
    const shared = origin.kind === 'question' && origin.part === 'column';
    const key = shared ? origin.questionColumns : entry;
    const read =
      origin.kind === 'metadata'
        ? createCellsReader(entry, dataset)
        : emptyIfDeleted(createCellsReader(entry, dataset));
    const group = groups.get(key) ?? { read, columns: [] };
    groups.set(key, group);
    group.columns.push({ position, index: shared ? origin.index : 0 });
  });
  return [...groups.values()];
}

const NO_CELLS: readonly Cell[] = [];

/** Returns no cells for a deleted response. */
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
      // Date metadata are milliseconds.
      const value = read(row);
      return [value !== null && spec.type === 'date' ? new Date(value).toISOString() : value];
    };
  }
  const { questionColumns, part, index } = origin;
  const { codec, question } = questionColumns;
  if (part === 'column') {
    const read = (row: ResponseRow) => codec.toCells(question, answerOf(row, questionColumns));
    const { columns } = questionColumns;
    if (columns.every(({ absentIn }) => absentIn === undefined)) return read;
    return (row) => read(row).map((cell, at) => (isNotOffered(columns[at], cell, row) ? null : cell));
  }
  const { rowSets } = codec;
  if (rowSets !== undefined)
    return (row) => [rowSets.toCell(question, answerOf(row, questionColumns), index)];
  return (row) => [codec.toSetCell?.(question, answerOf(row, questionColumns)) ?? null];
}

/** Whether the cell is 0 only because the version that the respondent answered does not offer the option. */
const isNotOffered = (spec: ColumnSpec | undefined, cell: Cell, { surveyVersion }: ResponseRow): boolean =>
  cell === 0 && spec?.absentIn !== undefined && isAbsent(spec.absentIn, surveyVersion);

function answerOf(row: ResponseRow, { question }: QuestionColumns): StoredAnswer | null | undefined {
  return Object.hasOwn(row.answers, question.code) ? row.answers[question.code] : undefined;
}
