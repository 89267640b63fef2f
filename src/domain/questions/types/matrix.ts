import { z } from 'zod';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { formatList, mustBe, quote, requiredField, unknownValue } from '../../../lib/error-messages.ts';
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
  readTypedText,
  rejectAnswer,
  rejectAnswerForAll,
  satisfiesRequired,
  type Strictness,
  unknownColumnProblem,
} from '../answers/read-answer.ts';
import type { Cell, ColumnSpec } from '../../columns/column-spec.ts';
import { generateScaleOption, pickOptions } from '../generate-answers.ts';
import { commonSettings, defineSettings, measureSchema } from '../common-settings.ts';
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
import { partCodeProblems, rowFields } from './table-rows.ts';

const settings = defineSettings(() =>
  z.strictObject({
    ...commonSettings,
    rows: z
      .array(
        z.strictObject({
          ...rowFields(),
          row_other: z
            .boolean()
            .optional()
            .describe('Whether respondents name the row themselves, in a text box beside its label'),
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
const MAX_ROW_TEXT = 2_000;

function isMultiple(question: MatrixQuestion): boolean {
  return question.settings.matrix_type === 'multiple';
}

/** Returns the answer of a row, or the text that names it. Own properties only: a row can be called `constructor`. */
function rowAnswer(answer: StoredAnswer | null | undefined, rowCode: string): RowAnswer | undefined {
  return isRecord(answer) && Object.hasOwn(answer, rowCode) ? (answer[rowCode] as RowAnswer) : undefined;
}

/** Where an answer has the text that names an "other" row. No row has such a code. */
export const rowTextKey = (rowCode: string): string => `${rowCode}.other`;

const otherRows = ({ settings: { rows } }: MatrixQuestion) => rows.filter((row) => row.row_other);

function rowText(answer: StoredAnswer | null | undefined, rowCode: string): string | null {
  const text = rowAnswer(answer, rowTextKey(rowCode));
  return typeof text === 'string' ? text : null;
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
  const known = new Set([
    ...rows.map((row) => row.row_code),
    ...otherRows(question).map((row) => rowTextKey(row.row_code)),
  ]);
  const problems: ErrorDetail[] = Object.keys(input)
    .filter((rowCode) => !known.has(rowCode))
    .map((rowCode) => ({ field: '', message: unknownRow(question, rowCode) }));

  const stored: { [rowCode: string]: RowAnswer } = {};
  const missing: string[] = [];
  const texts = readRowTexts(question, input);
  problems.push(...texts.problems);
  for (const { row_code: rowCode, row_other: isOther } of rows) {
    const text = texts.byRow.get(rowCode);
    if (text !== undefined) stored[rowTextKey(rowCode)] = text;
    // A row that respondents name needs an answer once it has a name. Where one is needed, a row with nothing ticked is unanswered.
    const needsAnswer = strictness === 'answer' && (isOther ? text !== undefined : requireAll);
    const result = readRow(question, Object.hasOwn(input, rowCode) ? input[rowCode] : null, strictness);
    if (!result.ok) {
      problems.push(...result.problems.map(({ field, message }) => ({ field: rowCode + field, message })));
    } else if (needsAnswer && !satisfiesRequired(result.answer)) {
      missing.push(rowCode);
    } else if (result.answer !== null) {
      stored[rowCode] = result.answer as RowAnswer;
    }
  }
  if (problems.length > 0) return rejectAnswerForAll(problems.slice(0, MAX_PROBLEMS));
  if (Object.keys(stored).length === 0) return NO_ANSWER;
  if (missing.length > 0) {
    const condition = requireAll ? 'in every row' : 'in a row with a name';
    return rejectAnswerForAll(
      missing
        .slice(0, MAX_PROBLEMS)
        .map((rowCode) => ({ field: rowCode, message: requiredField(condition) })),
    );
  }
  return acceptAnswer(stored);
}

/** Reads the texts that name "other" rows, by row. */
function readRowTexts(
  question: MatrixQuestion,
  input: Readonly<Record<string, unknown>>,
): { byRow: Map<string, string>; problems: ErrorDetail[] } {
  const byRow = new Map<string, string>();
  const problems: ErrorDetail[] = [];
  for (const { row_code: rowCode } of otherRows(question)) {
    const key = rowTextKey(rowCode);
    const given = Object.hasOwn(input, key) ? input[key] : null;
    if (isNoAnswer(given)) continue;
    const typed = readTypedText(given, MAX_ROW_TEXT);
    if (!typed.ok) problems.push({ field: key, message: typed.message });
    else if (typed.text !== null) byRow.set(rowCode, typed.text.trim());
  }
  return { byRow, problems };
}

/** The columns of all rows, then the texts of "other" rows. */
function columns(question: MatrixQuestion): ColumnSpec[] {
  const texts = otherRows(question).map(({ row_code: rowCode, row_label: rowLabel }) =>
    questionColumn(question, {
      columnCode: rowTextColumnCode(question, rowCode),
      label: joinLabels(question.text, `${rowLabel} (text)`),
      type: 'text',
      measure: 'nominal',
    }),
  );
  return [...rowColumns(question), ...texts];
}

const rowTextColumnCode = (question: MatrixQuestion, rowCode: string): string =>
  `${rowColumnCode(question, rowCode)}_other`;

function rowColumns(question: MatrixQuestion): ColumnSpec[] {
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
  const readRows = rowCellReader(question);
  const named = otherRows(question).map(({ row_code: rowCode }) => rowCode);
  return named.length === 0
    ? readRows
    : (answer) => [...readRows(answer), ...named.map((rowCode) => rowText(answer, rowCode))];
}

function rowCellReader(question: MatrixQuestion): CellReader {
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

/** Returns the text that names a row, with its changed cell, which is removed from `left`. */
function changedRowText(
  question: MatrixQuestion,
  rowCode: string,
  { answer, left }: { answer: StoredAnswer | null | undefined; left: Map<string, Cell> },
): ReadResult {
  const field = rowTextColumnCode(question, rowCode);
  const cell = left.get(field);
  left.delete(field);
  if (cell === undefined) return { ok: true, answer: rowText(answer, rowCode) };
  if (isNoAnswer(cell)) return NO_ANSWER;
  const typed = readTypedText(cell, MAX_ROW_TEXT);
  if (!typed.ok) return rejectAnswer(typed.message, field);
  return { ok: true, answer: typed.text?.trim() ?? null };
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
  for (const { row_code: rowCode } of otherRows(question)) {
    const result = changedRowText(question, rowCode, { answer, left });
    if (!result.ok) problems.push(...result.problems);
    else if (typeof result.answer === 'string') stored[rowTextKey(rowCode)] = result.answer;
  }
  problems.push(...[...left.keys()].map((code) => unknownColumnProblem(code, question.code)));
  if (problems.length > 0) return rejectAnswerForAll(problems);
  return Object.keys(stored).length === 0 ? NO_ANSWER : acceptAnswer(stored);
}

/** Returns the answers of the rows in an answer, in the order of the question. */
const rowAnswers = (
  { settings: { rows } }: MatrixQuestion,
  answer: StoredAnswer,
): [rowCode: string, row: RowAnswer][] =>
  rows.flatMap(({ row_code: code }) => {
    const row = rowAnswer(answer, code);
    return row === undefined ? [] : [[code, row]];
  });

/**
 * One or several answers per row: `{"r1": "2"}`, `{"r1": ["1","3"]}`. Unanswered rows are absent; `{"r1": []}` means that none is ticked.
 * `{"r9": "2", "r9.other": "Tea"}` has the text that names an "other" row.
 */
export const matrixAnswers: QuestionAnswers<MatrixQuestion> = {
  ...PLAIN_ANSWERS,
  read: (question, input, strictness = 'answer') => read(question, input, strictness),
  rows: ({ settings: { rows } }) => rows,
  shufflesRows: ({ settings }) => settings.shuffle_rows,
  operand(question, answer, rowCode) {
    const answered = rowAnswers(question, answer).filter(
      ([code]) => rowCode === undefined || code === rowCode,
    );
    const values = answered.flatMap(([, row]) => row);
    return answered.length === 0 ? null : choiceOperand(question.options, values);
  },
  withoutOptions(question, answer, withheld) {
    const rows = rowAnswers(question, answer).flatMap(([rowCode, row]): [string, RowAnswer][] => {
      if (!Array.isArray(row)) return withheld.has(row) ? [] : [[rowCode, row]];
      const left = withoutChoices(row, withheld);
      return left === null ? [] : [[rowCode, left]];
    });
    const texts = otherRows(question).flatMap(({ row_code: rowCode }): [string, string][] => {
      const text = rowText(answer, rowCode);
      return text === null ? [] : [[rowTextKey(rowCode), text]];
    });
    return rows.length + texts.length === 0 ? null : Object.fromEntries([...rows, ...texts]);
  },
  pipedText(question, answer, texts, language) {
    const answersByRow = new Map(rowAnswers(question, answer));
    return question.settings.rows
      .flatMap(({ row_code: code, row_label: label }) => {
        const chosen = answersByRow.get(code);
        if (chosen === undefined) return [];
        const name = rowText(answer, code) ?? texts.entry('rows', code, label);
        return `${name}: ${choiceLabels(question, [chosen].flat(), { texts, language })}`;
      })
      .join('; ');
  },
  pipedCode: (question, answer) =>
    choiceCodes(
      question,
      rowAnswers(question, answer).flatMap(([, row]) => row),
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
  settingsProblems: ({ rows }) =>
    partCodeProblems(
      rows.map(({ row_code: code }) => code),
      'rows',
      'row_code',
    ),
  rowsFromOptions,
  options: { takeOtherText: false, noun: 'columns (options)', problems: () => [] },
  frozenChanges({ settings: before }, { settings: after }) {
    const codes = new Set(after.rows.map((row) => row.row_code));
    const removed = before.rows.filter((row) => !codes.has(row.row_code));
    const problems = removed.map((row) => ({
      field: 'question_settings.rows',
      message: `row ${quote(row.row_code)} has data and stays`,
    }));
    for (const { row_code: code } of before.rows.filter((row) => row.row_other && codes.has(row.row_code)))
      if (!after.rows.some((row) => row.row_code === code && row.row_other))
        problems.push({
          field: 'question_settings.rows',
          message: `row ${quote(code)} has texts and stays "other"`,
        });
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
    question.settings.rows.length * (isMultiple(question) ? question.options.length : 1) +
    otherRows(question).length,
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
  answerFormat:
    '`{"r1":"2"}`, or a list per row if several answers are allowed; `"r9.other":"Tea"` is the text of a row with `row_other`',
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
  // Test respondents name no rows themselves.
  const asked = rows.some((row) => !row.row_other) ? rows.filter((row) => !row.row_other) : rows;
  const answered = asked.filter(() => requireAll || !random.isTrue(SKIPPED_ROW_PROBABILITY));
  const answer: Record<string, RowAnswer> = {};
  for (const { row_code: code } of answered.length === 0 ? asked : answered) {
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
