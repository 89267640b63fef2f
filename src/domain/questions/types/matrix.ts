import { z } from 'zod';
import type { ErrorDetail } from '../../../lib/errors.ts';
import {
  duplicateOf,
  formatList,
  mustBe,
  quote,
  requiredField,
  unknownValue,
} from '../../../lib/error-messages.ts';
import {
  type CellCodec,
  type CellReader,
  FLAG_VALUES,
  formatOptionCode,
  joinLabels,
  optionValues,
  questionColumn,
  type ReadResult,
  type StoredAnswer,
} from '../answers/codec.ts';
import {
  acceptAnswer,
  isNoAnswer,
  isRecord,
  NO_ANSWER,
  readChoice,
  readFlag,
  readSelection,
  rejectAnswer,
  rejectAnswerForAll,
  satisfiesRequired,
  type Strictness,
  unknownColumnProblem,
} from '../answers/read-answer.ts';
import type { Cell, ColumnSpec } from '../../columns/column-spec.ts';
import { NO_ANSWER_KEY } from '../../columns/no-answer.ts';
import { generateScaleOption, pickOptions } from '../generate-answers.ts';
import { commonSettings, defineSettings, measureSchema, textSetting } from '../common-settings.ts';
import type { TypedQuestion } from '../question.ts';
import type {
  ImportedColumn,
  QuestionAnswers,
  QuestionTypeModule,
  SeededQuestion,
} from '../question-type.ts';
import { choiceCodes, choiceLabels, choiceOperand, hasOnlyFlagged, withoutChoices } from './choice-lists.ts';
import {
  listLabels,
  listOptions,
  PLAIN_ANSWERS,
  PLAIN_FIGURES,
  PLAIN_SEEDING,
  PLAIN_TYPE,
} from './plain-type.ts';
import { rowsFromOptions } from './matrix-from-options.ts';
import { isSatisfiableByChoice, isSatisfiableBySelection } from './possible-operands.ts';

const settings = defineSettings(() =>
  z.strictObject({
    ...commonSettings,
    rows: z
      .array(
        z.strictObject({
          row_code: z
            .string()
            .regex(/^[A-Za-z0-9][A-Za-z0-9_]{0,23}$/, 'must be letters, digits and _, 24 at most')
            .refine(
              (code) => code !== NO_ANSWER_KEY,
              `must not be ${NO_ANSWER_KEY}, which has another meaning`,
            ),
          row_label: textSetting(1_000).min(1),
        }),
      )
      .min(1, 'must not be empty')
      .max(200),
    matrix_type: z.enum(['single', 'multiple']).default('single').describe('One or several answers per row'),
    measure: measureSchema.default('ordinal').describe('Measure of the rows of a single matrix'),
    require_all_rows: z.boolean().default(false).describe('Whether every row needs an answer'),
    shuffle_rows: z.boolean().default(false).describe('Whether rows are in random order for each respondent'),
  }),
);

type MatrixSettings = z.infer<typeof settings>;
type MatrixQuestion = TypedQuestion<'matrix', MatrixSettings>;
type RowAnswer = string | string[];

const LISTED_ROWS = 5;
const MAX_PROBLEMS = 20;

function isMultiple(question: MatrixQuestion): boolean {
  return question.settings.matrix_type === 'multiple';
}

/** Returns the answer of a row. Own properties only: a row can be called `constructor`. */
function rowAnswer(answer: StoredAnswer | null | undefined, rowCode: string): RowAnswer | undefined {
  return isRecord(answer) && Object.hasOwn(answer, rowCode) ? (answer[rowCode] as RowAnswer) : undefined;
}

/** `Q3_<row>`, keeping the case of the row_code; no two rows differ by case alone. */
function rowColumnCode(question: MatrixQuestion, rowCode: string): string {
  return `${question.code}_${rowCode}`;
}

function readRow(question: MatrixQuestion, input: unknown, strictness: Strictness): ReadResult {
  if (isNoAnswer(input)) {
    return isMultiple(question) && Array.isArray(input) ? acceptAnswer([]) : NO_ANSWER;
  }
  if (isMultiple(question)) {
    const result = readSelection(question.options, input, strictness, false);
    return result.ok
      ? acceptAnswer(result.chosen.map(({ option }) => option.value))
      : rejectAnswerForAll(result.problems);
  }
  const result = readChoice(question.options, input, strictness, false);
  return result.ok ? acceptAnswer(result.chosen.option.value) : rejectAnswerForAll([result.problem]);
}

function unknownRow(question: MatrixQuestion, rowCode: string): string {
  const accepted = formatList(question.settings.rows, LISTED_ROWS, (row) => quote(row.row_code));
  return unknownValue(rowCode, `a row of ${question.code}`, { accepted });
}

function read(question: MatrixQuestion, input: unknown, strictness: Strictness): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  if (!isRecord(input)) {
    return rejectAnswer(mustBe('an object of row codes such as {"r1": "2"}', input));
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
  if (problems.length > 0) return rejectAnswerForAll(problems.slice(0, MAX_PROBLEMS));
  if (answeredRows === 0) return NO_ANSWER;
  if (needsEveryRow && missing.length > 0) {
    return rejectAnswerForAll(
      missing
        .slice(0, MAX_PROBLEMS)
        .map((rowCode) => ({ field: rowCode, message: requiredField('in every row') })),
    );
  }
  return acceptAnswer(stored);
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
        columnCode: `${rowColumn}_${formatOptionCode(option.code)}`,
        label: joinLabels(question.text, rowLabel, option.label),
        type: 'binary',
        measure: 'nominal',
        values: [...FLAG_VALUES],
        retired: question.retired || option.retired,
      }),
    );
  });
}

/**
 * In a matrix with multiple answers, a skipped row is null in all its columns; a row with none ticked is 0 in all, and a row with only
 * options flagged as missing null in those of the others.
 */
function cellReader(question: MatrixQuestion): CellReader {
  const { options } = question;
  const rowCodes = question.settings.rows.map(({ row_code: rowCode }) => rowCode);
  if (!isMultiple(question))
    return (answer) =>
      rowCodes.map((rowCode) => {
        const row = rowAnswer(answer, rowCode);
        return typeof row === 'string' ? row : null;
      });
  return (answer) => {
    const cells: Cell[] = [];
    for (const rowCode of rowCodes) {
      const row = rowAnswer(answer, rowCode);
      const chosen = Array.isArray(row) ? row : null;
      const isFlagged = chosen !== null && hasOnlyFlagged(options, chosen);
      for (const { value, missing } of options) {
        if (chosen === null) cells.push(null);
        else cells.push(chosen.includes(value) ? 1 : isFlagged && !missing ? null : 0);
      }
    }
    return cells;
  };
}

/** Applies the changed cells of one row and removes them from `left`. Returns undefined if the row has no changed cell. */
function changedRow({
  question,
  rowColumn,
  before,
  left,
}: {
  question: MatrixQuestion;
  rowColumn: string;
  before: RowAnswer | undefined;
  left: Map<string, Cell>;
}): { field: string; result: ReadResult } | undefined {
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
    const flagCode = `${rowColumn}_${formatOptionCode(option.code)}`;
    const cell = take(flagCode);
    if (cell === undefined) continue;
    const flag = readFlag(cell);
    if (flag === undefined) {
      return { field: flagCode, result: rejectAnswer(mustBe('1, 0 or null', cell)) };
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
    const changed = changedRow({ question, rowColumn: rowColumnCode(question, rowCode), before, left });
    if (changed === undefined) {
      if (before !== undefined) stored[rowCode] = before;
    } else if (!changed.result.ok) {
      problems.push(...changed.result.problems.map(({ message }) => ({ field: changed.field, message })));
    } else if (changed.result.answer !== null) {
      stored[rowCode] = changed.result.answer as RowAnswer;
    }
  }
  problems.push(...[...left.keys()].map((code) => unknownColumnProblem(code, question.code)));
  if (problems.length > 0) return rejectAnswerForAll(problems);
  return Object.keys(stored).length === 0 ? NO_ANSWER : acceptAnswer(stored);
}

/** Returns the answers of the rows in an answer. */
const rowAnswers = (answer: StoredAnswer): [rowCode: string, row: RowAnswer][] =>
  Object.entries(answer as { [rowCode: string]: RowAnswer });

/**
 * One or several answers per row: `{"r1": "2"}`, `{"r1": ["1","3"]}`. Unanswered rows are absent; `{"r1": []}` means that none is ticked.
 */
export const matrixAnswers: QuestionAnswers<MatrixQuestion> = {
  ...PLAIN_ANSWERS,
  read: (question, input, strictness = 'answer') => read(question, input, strictness),
  rows: ({ settings: { rows } }) => rows,
  shufflesRows: ({ settings }) => settings.shuffle_rows,
  operand({ options }, answer, rowCode) {
    if (!isRecord(answer)) return null;
    const rows = rowCode === undefined ? Object.keys(answer) : [rowCode];
    const answeredRows = rows.filter((row) => Object.hasOwn(answer, row));
    const values = answeredRows.flatMap((row) => answer[row] as RowAnswer);
    return answeredRows.length === 0 ? null : choiceOperand(options, values);
  },
  withoutOptions(_question, answer, withheld) {
    const rows = rowAnswers(answer).flatMap(([rowCode, row]): [string, RowAnswer][] => {
      if (!Array.isArray(row)) return withheld.has(row) ? [] : [[rowCode, row]];
      const left = withoutChoices(row, withheld);
      return left === null ? [] : [[rowCode, left]];
    });
    return rows.length === 0 ? null : Object.fromEntries(rows);
  },
  pipedText(question, answer, texts, language) {
    const answersByRow = new Map(rowAnswers(answer));
    return question.settings.rows
      .flatMap(({ row_code: code, row_label: label }) => {
        const chosen = answersByRow.get(code);
        if (chosen === undefined) return [];
        return `${texts.entry('rows', code, label)}: ${choiceLabels(question, [chosen].flat(), { texts, language })}`;
      })
      .join('; ');
  },
  pipedCode: (question, answer) =>
    choiceCodes(
      question,
      rowAnswers(answer).flatMap(([, row]) => row),
    ),
};

const matrixCells: CellCodec<MatrixQuestion> = {
  columns,
  toCells: (question, answer) => cellReader(question)(answer),
  cellReader,
  fromCells,
  rowSets: {
    columns: rowSetColumns,
    toCell: ({ settings: { rows } }, answer, index) => rowAnswer(answer, rows[index]?.row_code ?? '') ?? null,
  },
};

/** Returns the multiple-response sets of a matrix with multiple answers, one per row. */
function rowSetColumns(question: MatrixQuestion): ColumnSpec[] {
  if (!isMultiple(question)) return [];
  const values = optionValues(question.options);
  return question.settings.rows.map(({ row_code: rowCode, row_label: label }) =>
    questionColumn(question, {
      columnCode: rowColumnCode(question, rowCode),
      label: joinLabels(question.text, label),
      type: 'multiple',
      measure: 'nominal',
      values,
    }),
  );
}

export const matrixType: QuestionTypeModule<MatrixQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: matrixAnswers,
  cells: matrixCells,
  settings,
  settingsProblems({ rows }) {
    const seen = new Map<string, number>();
    return rows.flatMap(({ row_code: code }, index) => {
      const field = `rows[${index}].row_code`;
      const first = seen.get(code.toLowerCase());
      if (first === undefined) seen.set(code.toLowerCase(), index);
      else
        return [{ field, message: `${duplicateOf(`rows[${first}]`, code)} (codes are not case-sensitive)` }];
      return code.endsWith('_') ? [{ field, message: `${quote(code)} must not end in _` }] : [];
    });
  },
  rowsFromOptions,
  options: { takeOtherText: false, noun: 'columns (options)', problems: () => [] },
  frozenChanges({ settings: before }, { settings: after }) {
    const codes = new Set(after.rows.map((row) => row.row_code));
    const removed = before.rows.filter((row) => !codes.has(row.row_code));
    const problems = removed.map((row) => ({
      field: 'question_settings.rows',
      message: `row ${quote(row.row_code)} has data and stays`,
    }));
    return after.matrix_type === before.matrix_type
      ? problems
      : [...problems, { field: 'question_settings.matrix_type', message: `stays ${before.matrix_type}` }];
  },
  labelGroups: ({ settings: { rows } }) => [
    {
      name: 'rows',
      labels: rows.map(({ row_code: key, row_label: label }, index) => ({
        key,
        label,
        path: `rows[${index}].row_label`,
      })),
    },
  ],
  publishedParts({ settings: { rows } }, { settings: published }) {
    const byCode = new Map(published.rows.map((row) => [row.row_code, row]));
    return { rows: rows.flatMap(({ row_code: code }) => byCode.get(code) ?? []) };
  },
  columnCount: (question) =>
    question.settings.rows.length * (isMultiple(question) ? question.options.length : 1),
  comparison: {
    namesOptions: true,
    parts: {
      noun: 'matrix',
      partNoun: 'row',
      list: ({ settings: { rows } }) => rows.map((row) => ({ code: row.row_code, label: row.row_label })),
    },
    choicesInCell: (_question, _index, cell) => (Array.isArray(cell) ? cell : [String(cell)]),
    // Without a row_code, the choices of all rows count, so there can be several.
    isSatisfiable: (question, comparisons) =>
      !isMultiple(question) && comparisons[0]?.left.row_code !== undefined
        ? isSatisfiableByChoice(question, comparisons)
        : isSatisfiableBySelection(question, comparisons, { takesNone: true }),
  },
  figures: {
    ...PLAIN_FIGURES,
    composite: {
      kind: 'categories',
      noun: 'matrix',
      partNoun: 'row',
      parts: ({ settings: { rows } }) =>
        rows.map(({ row_code: value, row_label: label }) => ({ code: null, value, label })),
    },
  },
  seeding: {
    ...PLAIN_SEEDING,
    answer: generateMatrix,
    seconds: ({ settings: { rows } }) => 5 + 4 * rows.length,
  },
  describeAnswers: (question) => {
    const rows = listLabels(question.settings.rows.map(({ row_label: label }) => label));
    return `${rows}; each ${isMultiple(question) ? 'any' : 'one'} of: ${listOptions(question)}`;
  },
  importedColumn,
  answerFormat: '`{"r1":"2"}`, or a list per row if several answers are allowed',
  example: {
    page_id: 2,
    question_code: 'Q5',
    question_text: 'How do you rate the coffee at work?',
    question_settings: {
      rows: [
        { row_code: 'taste', row_label: 'Taste' },
        { row_code: 'price', row_label: 'Price' },
        { row_code: 'choice', row_label: 'Choice' },
      ],
    },
    options: [
      { option_label: 'Bad', option_value: 1 },
      { option_label: 'Fair', option_value: 2 },
      { option_label: 'Good', option_value: 3 },
    ],
  },
};

function importedColumn(
  { settings, options }: MatrixQuestion,
  { part, option, isPart }: ImportedColumn,
): number {
  const isTable = settings.matrix_type === 'multiple';
  const row = settings.rows.findIndex(({ row_code: code, row_label: label }) => isPart(part, code, label));
  if (option === null) return isTable ? -1 : row;
  const column = options.findIndex(({ value, label }) => isPart(option, value, label));
  return isTable && row >= 0 && column >= 0 ? row * options.length + column : -1;
}

const SKIPPED_ROW_PROBABILITY = 0.02;

/** Answers each row; the columns are treated as a scale of agreement, without "don't know" options. */
function generateMatrix({
  question,
  offered,
  profile,
  respondent,
}: SeededQuestion<MatrixQuestion>): Record<string, RowAnswer> {
  const { random } = respondent;
  const { rows, require_all_rows: requireAll } = question.settings;
  const needsOne = requireAll || question.required;
  const answered = rows.filter(() => requireAll || !random.isTrue(SKIPPED_ROW_PROBABILITY));
  const answer: Record<string, RowAnswer> = {};
  for (const { row_code: code } of answered.length === 0 ? rows : answered) {
    if (isMultiple(question)) {
      const choice = { offered, least: Number(needsOne), most: offered.length };
      answer[code] = pickOptions(choice, profile, respondent).map(({ value }) => value);
      continue;
    }
    const option = generateScaleOption(offered, profile.rows.get(code) ?? profile.tendency, respondent);
    if (option !== undefined) answer[code] = option.value;
  }
  return answer;
}
