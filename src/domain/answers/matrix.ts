import { mustBe, required, unknownValue } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { Cell, ColumnSpec } from '../dataset/columns/column-spec.ts';
import type { QuestionWithType } from '../survey/definition.ts';
import { readChoice, readSelection } from './read-options.ts';
import type { AnswerCodec, ReadResult, StoredAnswer } from './codec.ts';
import {
  formatOptionCode,
  FLAG_VALUES,
  joinLabels,
  optionValues,
  questionColumn,
} from './question-columns.ts';
import { formatList } from '../../lib/format-list.ts';
import { quote } from '../../lib/quote.ts';
import {
  accept,
  isNoAnswer,
  isRecord,
  NO_ANSWER,
  unknownColumnProblem,
  readFlag,
  reject,
  rejectAll,
  satisfiesRequired,
  type Strictness,
} from './read-result.ts';

type MatrixQuestion = QuestionWithType<'matrix'>;
type RowAnswer = string | string[];

const LISTED_ROWS = 5;
const MAX_PROBLEMS = 20;

function isMultiple(question: MatrixQuestion): boolean {
  return question.settings.matrix_type === 'multiple';
}

/** Returns the answer of a row. Own properties only: a row can be called `constructor`. */
function rowAnswer(answer: StoredAnswer | null | undefined, rowCode: string): RowAnswer | undefined {
  return isRecord(answer) && Object.hasOwn(answer, rowCode) ? answer[rowCode] : undefined;
}

/** `Q3_<row>`, keeping the case of the row_code; no two rows differ by case alone. */
function rowColumnCode(question: MatrixQuestion, rowCode: string): string {
  return `${question.code}_${rowCode}`;
}

function readRow(question: MatrixQuestion, input: unknown, strictness: Strictness): ReadResult {
  if (isNoAnswer(input)) {
    return isMultiple(question) && Array.isArray(input) ? accept([]) : NO_ANSWER;
  }
  if (isMultiple(question)) {
    const result = readSelection(question.options, input, strictness, false);
    return result.ok ? accept(result.chosen.map(({ option }) => option.value)) : rejectAll(result.problems);
  }
  const result = readChoice(question.options, input, strictness, false);
  return result.ok ? accept(result.chosen.option.value) : rejectAll([result.problem]);
}

function unknownRow(question: MatrixQuestion, rowCode: string): string {
  const accepted = formatList(question.settings.rows, LISTED_ROWS, (row) => quote(row.row_code));
  return unknownValue(rowCode, `a row of ${question.code}`, { accepted });
}

function read(question: MatrixQuestion, input: unknown, strictness: Strictness): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  if (!isRecord(input)) {
    return reject(mustBe('an object of row codes such as {"r1": "2"}', input));
  }
  const { rows, require_all_rows: requireAll } = question.settings;
  const known = new Set(rows.map((row) => row.row_code));
  const problems: ErrorDetail[] = Object.keys(input)
    .filter((rowCode) => !known.has(rowCode))
    .map((rowCode) => ({ field: '', message: unknownRow(question, rowCode) }));

  // Where every row is required, a row with nothing ticked is unanswered.
  const needsEveryRow = requireAll && strictness === 'answer';
  const stored: { [rowCode: string]: RowAnswer } = {};
  const missing: string[] = [];
  for (const { row_code: rowCode } of rows) {
    const result = readRow(question, Object.hasOwn(input, rowCode) ? input[rowCode] : null, strictness);
    if (!result.ok) {
      problems.push(...result.problems.map(({ field, message }) => ({ field: rowCode + field, message })));
    } else if (result.answer === null || (needsEveryRow && !satisfiesRequired(result.answer))) {
      missing.push(rowCode);
    } else {
      stored[rowCode] = result.answer as RowAnswer;
    }
  }
  const answeredRows = rows.length - missing.length;
  if (problems.length > 0) return rejectAll(problems.slice(0, MAX_PROBLEMS));
  if (answeredRows === 0) return NO_ANSWER;
  if (needsEveryRow && missing.length > 0) {
    return rejectAll(
      missing.slice(0, MAX_PROBLEMS).map((rowCode) => ({
        field: rowCode,
        message: required('in every row'),
      })),
    );
  }
  return accept(stored);
}

function columns(question: MatrixQuestion): ColumnSpec[] {
  return question.settings.rows.flatMap(({ row_code: rowCode, row_label: rowLabel }) => {
    const rowColumn = rowColumnCode(question, rowCode);
    if (!isMultiple(question)) {
      return questionColumn(question, {
        columnCode: rowColumn,
        label: joinLabels(question.text, rowLabel),
        type: 'categorical',
        measure: question.settings.measure,
        values: optionValues(question.options),
      });
    }
    return question.options.map((option) =>
      questionColumn(question, {
        columnCode: `${rowColumn}_${formatOptionCode(option)}`,
        label: joinLabels(question.text, rowLabel, option.label),
        type: 'binary',
        measure: 'nominal',
        values: [...FLAG_VALUES],
        retired: question.retired || option.retired,
      }),
    );
  });
}

/** In a matrix with multiple answers, a skipped row is null in all its columns; a row with none ticked is 0 in all. */
function toCells(question: MatrixQuestion, answer: StoredAnswer | null | undefined): Cell[] {
  return question.settings.rows.flatMap(({ row_code: rowCode }): Cell[] => {
    const row = rowAnswer(answer, rowCode);
    if (!isMultiple(question)) return [typeof row === 'string' ? row : null];
    return question.options.map((option) =>
      Array.isArray(row) ? (row.includes(option.value) ? 1 : 0) : null,
    );
  });
}

/** Applies the changed cells of one row and removes them from `left`. Returns undefined if the row has no changed cell. */
function changedRow(
  question: MatrixQuestion,
  rowColumn: string,
  before: RowAnswer | undefined,
  left: Map<string, Cell>,
): { field: string; result: ReadResult } | undefined {
  const take = (columnCode: string) => {
    const cell = left.get(columnCode);
    left.delete(columnCode);
    return cell;
  };
  if (!isMultiple(question)) {
    const cell = take(rowColumn);
    return cell === undefined ? undefined : { field: rowColumn, result: readRow(question, cell, 'edit') };
  }
  const selected = new Set(before ?? []);
  const flags: (boolean | null)[] = [];
  let field: string | null = null;
  for (const option of question.options) {
    const flagCode = `${rowColumn}_${formatOptionCode(option)}`;
    const cell = take(flagCode);
    if (cell === undefined) continue;
    const flag = readFlag(cell);
    if (flag === undefined) {
      return { field: flagCode, result: reject(mustBe('1, 0 or null', cell)) };
    }
    field = flagCode;
    flags.push(flag);
    if (flag) selected.add(option.value);
    else selected.delete(option.value);
  }
  if (field === null) return undefined;
  const isCleared = selected.size === 0 && !flags.includes(false);
  return { field, result: readRow(question, isCleared ? null : [...selected], 'edit') };
}

function fromCells(
  question: MatrixQuestion,
  answer: StoredAnswer | null | undefined,
  changes: ReadonlyMap<string, Cell>,
): ReadResult {
  const problems: ErrorDetail[] = [];
  const left = new Map(changes);
  const stored: { [rowCode: string]: RowAnswer } = {};
  for (const { row_code: rowCode } of question.settings.rows) {
    const before = rowAnswer(answer, rowCode);
    const changed = changedRow(question, rowColumnCode(question, rowCode), before, left);
    if (changed === undefined) {
      if (before !== undefined) stored[rowCode] = before;
    } else if (!changed.result.ok) {
      problems.push(...changed.result.problems.map(({ message }) => ({ field: changed.field, message })));
    } else if (changed.result.answer !== null) {
      stored[rowCode] = changed.result.answer as RowAnswer;
    }
  }
  problems.push(...[...left.keys()].map((code) => unknownColumnProblem(code, question.code)));
  if (problems.length > 0) return rejectAll(problems);
  return Object.keys(stored).length === 0 ? NO_ANSWER : accept(stored);
}

/**
 * Codec for one or several answers per row: `{"r1": "2"}`, `{"r1": ["1","3"]}`. Unanswered rows are absent; `{"r1": []}` means that none is
 * ticked.
 */
export const matrixCodec: AnswerCodec<MatrixQuestion> = {
  read: (question, input, strictness = 'answer') => read(question, input, strictness),
  columns,
  toCells,
  fromCells,
};
