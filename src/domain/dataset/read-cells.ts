import type { StoredAnswer } from '../questions/answers/codec.ts';
import { type CatalogColumn, cellReaderOf, type QuestionColumns } from './column-catalog.ts';
import type { Column } from '../columns/columns.ts';
import type { Cell, ColumnSpec } from '../columns/column-spec.ts';
import { type NoAnswerChoice, noAnswerReasonOf } from '../columns/no-answer.ts';
import type { MetadataColumn } from '../responses/metadata-columns.ts';
import { isAbsent } from '../columns/option-absences.ts';
import type { Dataset } from './dataset.ts';
import type { ResponseRow } from '../responses/response-row.ts';

/** Writes the cells of a response into an array, parallel to the columns of the reader. */
type RowReader = (row: ResponseRow, cells: Cell[]) => void;

/** Whether a dataset has the cells of a question's column exactly as the answers have them. */
export const hasExactCells = (dataset: Dataset, { origin, spec, loadCodes }: CatalogColumn): boolean =>
  origin.kind === 'question' &&
  // A set has the order in which its options were chosen, and a reason instead of an answer has a code.
  origin.part === 'column' &&
  spec.noAnswers === undefined &&
  loadCodes.every((code) => dataset.isLoaded(code) && dataset.isLossless(code));

/**
 * Returns a reader of these columns of whole responses; columns of one question share one conversion. Timestamps become ISO 8601 in UTC.
 * Derived columns are read from the dataset, in which they must be computed. For a deleted response only metadata cells have values.
 * `stored`: a dataset from which the columns are read of which it has the exact cells; the answers to their questions are then not needed.
 */
export function createRowReader(
  columns: readonly CatalogColumn[],
  dataset: Dataset,
  stored: Dataset | null = null,
): RowReader {
  const metadataReaders: RowReader[] = [];
  const dataReaders: RowReader[] = [];
  const dataPositions: number[] = [];
  const targetsByQuestion = new Map<QuestionColumns, Target[]>();
  const storedColumns: { position: number; column: Column }[] = [];
  columns.forEach((entry, position) => {
    const { origin } = entry;
    if (origin.kind === 'metadata') {
      metadataReaders.push(intoPosition(position, createMetadataReader(origin.metadata)));
      return;
    }
    dataPositions.push(position);
    if (origin.kind === 'derived')
      dataReaders.push(intoPosition(position, createDerivedReader(entry, dataset)));
    else if (stored !== null && hasExactCells(stored, entry))
      storedColumns.push({ position, column: stored.column(entry) });
    else if (origin.part === 'set')
      dataReaders.push(intoPosition(position, createSetReader(origin.questionColumns, origin.index)));
    else {
      const targets = targetsByQuestion.get(origin.questionColumns) ?? [];
      targets.push({ position, index: origin.index });
      targetsByQuestion.set(origin.questionColumns, targets);
    }
  });
  for (const [questionColumns, targets] of targetsByQuestion)
    dataReaders.push(createQuestionReader(questionColumns, targets));
  if (stored !== null) dataReaders.push(createStoredReader(stored, storedColumns));
  return (row, cells) => {
    for (const read of metadataReaders) read(row, cells);
    if (row.isDeleted) for (const position of dataPositions) cells[position] = null;
    else for (const read of dataReaders) read(row, cells);
  };
}

/** Returns the reason that a response gives instead of the answer in a column; null: it gives none. */
export type ReasonReader = (row: ResponseRow) => NoAnswerChoice | null;

/** Returns readers of reasons, parallel to the columns; null: the column has none. */
export function createReasonReaders(columns: readonly CatalogColumn[]): (ReasonReader | null)[] {
  return columns.map(({ spec, origin }) => {
    const { noAnswers = [] } = spec;
    if (origin.kind !== 'question' || noAnswers.length === 0 || !isAskedOfAll(origin)) return null;
    const readAnswer = createAnswerReader(origin.questionColumns);
    return (row) => {
      const reason = row.isDeleted ? null : noAnswerReasonOf(readAnswer(row));
      return reason === null ? null : (noAnswers.find((choice) => choice.reason === reason) ?? null);
    };
  });
}

/** Whether all who were shown the question were asked for the column: the text of an option is asked of those who chose it. */
const isAskedOfAll = ({
  questionColumns: { codec, question },
  part,
  index,
}: Extract<CatalogColumn['origin'], { kind: 'question' }>): boolean =>
  part === 'set' || codec.cellAsker?.(question)(null, index) !== false;

/** The position of a column among those of a reader, and the index of its cell among those of its question. */
interface Target {
  position: number;
  index: number;
}

const intoPosition =
  (position: number, read: (row: ResponseRow) => Cell): RowReader =>
  (row, cells) => {
    cells[position] = read(row);
  };

function createStoredReader(
  stored: Dataset,
  columns: readonly { position: number; column: Column }[],
): RowReader {
  return ({ responseId }, cells) => {
    const row = stored.rowOf(responseId);
    if (row < 0) throw new Error(`response ${responseId} is not among those with stored cells`);
    for (const { position, column } of columns) cells[position] = column.cell(row);
  };
}

function createQuestionReader(questionColumns: QuestionColumns, targets: readonly Target[]): RowReader {
  const readAnswer = createAnswerReader(questionColumns);
  const readCells = cellReaderOf(questionColumns);
  const { columns } = questionColumns;
  const areAlwaysOffered = columns.every(({ absentIn }) => absentIn === undefined);
  return (row, cells) => {
    const answerCells = readCells(readAnswer(row));
    for (const { position, index } of targets) {
      const cell = answerCells[index] ?? null;
      cells[position] = areAlwaysOffered || !isNotOffered(columns[index], cell, row) ? cell : null;
    }
  };
}

/** Whether the cell is 0 only because the version that the respondent answered does not offer the option. */
const isNotOffered = (spec: ColumnSpec | undefined, cell: Cell, { surveyVersion }: ResponseRow): boolean =>
  cell === 0 && spec?.absentIn !== undefined && isAbsent(spec.absentIn, surveyVersion);

function createMetadataReader({ read, spec }: MetadataColumn): (row: ResponseRow) => Cell {
  if (spec.type !== 'date') return read;
  // Date metadata are milliseconds.
  return (row) => {
    const value = read(row);
    return value === null ? null : new Date(value).toISOString();
  };
}

function createDerivedReader(entry: CatalogColumn, dataset: Dataset): (row: ResponseRow) => Cell {
  const column = dataset.column(entry);
  return ({ responseId }) => {
    const row = dataset.rowOf(responseId);
    return row < 0 ? null : column.cell(row);
  };
}

function createSetReader(questionColumns: QuestionColumns, index: number): (row: ResponseRow) => Cell {
  const { codec, question } = questionColumns;
  const readAnswer = createAnswerReader(questionColumns);
  const { rowSets } = codec;
  if (rowSets !== undefined) return (row) => rowSets.toCell(question, readAnswer(row), index);
  return (row) => codec.toSetCell?.(question, readAnswer(row)) ?? null;
}

function createAnswerReader({
  question: { code },
}: QuestionColumns): (row: ResponseRow) => StoredAnswer | null | undefined {
  // The answers are an object of JSON.parse: only the names of its prototype are not answers.
  if (code in Object.prototype)
    return ({ answers }) => (Object.hasOwn(answers, code) ? answers[code] : undefined);
  return ({ answers }) => answers[code];
}
