import { z } from 'zod';
import { mustBe } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import type { CellCodec, ReadResult } from '../answers/codec.ts';
import { isNoAnswer, NO_ANSWER, rejectAnswer } from '../answers/read-answer.ts';
import { commonSettings, defineSettings, textSetting } from '../common-settings.ts';
import { optionInputsSchema } from '../option-input.ts';
import type { AnyQuestion, TypedQuestion } from '../question.ts';
import {
  MAX_PART_NUMBERS,
  type QuestionAnswers,
  type QuestionTypeModule,
  type Table,
  type TableColumn,
} from '../question-type.ts';
import { dropdownType } from './dropdown.ts';
import { multipleChoiceType } from './multiple-choice.ts';
import { numberType } from './number.ts';
import { listLabels, PLAIN_ANSWERS, PLAIN_COMPARISON, PLAIN_SEEDING, PLAIN_TYPE } from './plain-type.ts';
import { scaleType } from './scale.ts';
import { singleChoiceType } from './single-choice.ts';
import { partCodeProblems, rowFields } from './table-rows.ts';
import { textType } from './text.ts';

const MAX_ROWS = 50;
const MAX_COLUMNS = 10;

/** The types of columns, and the settings that a column of the type can have. */
const CELL_TYPES = {
  single_choice: { type: singleChoiceType, names: ['measure'] },
  multiple_choice: { type: multipleChoiceType, names: ['min_selections', 'max_selections'] },
  dropdown: { type: dropdownType, names: ['measure', 'placeholder'] },
  scale: {
    type: scaleType,
    names: ['min', 'max', 'step', 'min_label', 'mid_label', 'max_label', 'point_labels'],
  },
  number: { type: numberType, names: ['min', 'max', 'step', 'decimals', 'prefix', 'suffix', 'placeholder'] },
  text: {
    type: textType,
    names: ['multiline', 'min_length', 'max_length', 'format', 'pattern', 'placeholder'],
  },
} as const;

type CellType = keyof typeof CELL_TYPES;

/** The module of a column's type, whose parameters differ between the types. */
const cellTypeOf = (column: TableColumn): QuestionTypeModule =>
  CELL_TYPES[column.column_type as CellType].type;

function columnSchema<T extends CellType>(name: T) {
  const { type, names } = CELL_TYPES[name];
  const shape: z.ZodRawShape = type.settings.shape;
  const own = Object.fromEntries(names.flatMap((each) => (shape[each] ? [[each, shape[each]]] : [])));
  return z.strictObject({
    column_code: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_]{0,11}$/, 'must be a letter, then letters, digits and _, 12 at most')
      .describe(
        'Part of the names of data columns: the cell of column `use` in row `r1` of Q1 is `Q1_use_r1`',
      ),
    column_label: textSetting(1_000).min(1),
    column_number: z
      .int()
      .min(1)
      .max(MAX_PART_NUMBERS.column_number)
      .optional()
      .describe('Read-only. Identifies the column, also in another place'),
    column_required: z.boolean().default(false).describe('Whether every row needs an answer in the column'),
    column_type: z.literal(name),
    column_settings: z
      .strictObject(own)
      .prefault({})
      .describe(`Settings as of a ${name} question: ${names.join(', ')}`),
    ...(type.options !== null && {
      options: optionInputsSchema.min(1, 'must not be empty').describe('As `options` of a question'),
    }),
  });
}

const settings = defineSettings(() =>
  z.strictObject({
    ...commonSettings,
    rows: z
      .array(
        z.strictObject({
          ...rowFields(),
          row_number: z
            .int()
            .min(1)
            .max(MAX_PART_NUMBERS.row_number)
            .optional()
            .describe('Read-only. Identifies the row, also in another place'),
        }),
      )
      .min(1, 'must not be empty')
      .max(MAX_ROWS),
    columns: z
      .array(
        z.discriminatedUnion('column_type', [
          columnSchema('single_choice'),
          columnSchema('multiple_choice'),
          columnSchema('dropdown'),
          columnSchema('scale'),
          columnSchema('number'),
          columnSchema('text'),
        ]),
      )
      .min(1, 'must not be empty')
      .max(MAX_COLUMNS)
      .describe('Each row has one answer in each column'),
  }),
);

type SideBySideSettings = z.infer<typeof settings>;
type SideBySideQuestion = TypedQuestion<'side_by_side', SideBySideSettings>;

// The members of the union differ in their settings only, which other code reads by name.
const tableOf = ({ rows, columns }: SideBySideSettings): Table => ({
  rows,
  columns: columns as readonly TableColumn[],
});

const read = (question: SideBySideQuestion, input: unknown): ReadResult => {
  const { rows, columns } = tableOf(question.settings);
  return isNoAnswer(input)
    ? NO_ANSWER
    : rejectAnswer(
        mustBe(
          `null: the answers are those of its cells, such as ${question.code}_${columns[0]?.column_code}_${rows[0]?.row_code}`,
          input,
        ),
      );
};

/** The table itself has no answer: its cells are questions of their own (domain/survey/tables.ts). */
export const sideBySideAnswers: QuestionAnswers<SideBySideQuestion> = {
  ...PLAIN_ANSWERS,
  takesAnswers: false,
  read,
  rows: ({ settings: { rows } }) => rows,
  operand: () => null,
};

const sideBySideCells: CellCodec<SideBySideQuestion> = {
  columns: () => [],
  toCells: () => [],
  fromCells: () => NO_ANSWER,
};

/** The column as a question, for the rules of its type. */
function columnQuestion(table: SideBySideQuestion, column: TableColumn): AnyQuestion {
  const read = cellTypeOf(column).settings.safeParse(column.column_settings);
  return { ...table, type: column.column_type, settings: (read.data ?? {}) as AnyQuestion['settings'] };
}

function columnProblems(column: TableColumn): ErrorDetail[] {
  const type = cellTypeOf(column);
  const read = type.settings.safeParse(column.column_settings);
  return read.success
    ? type.settingsProblems(read.data as AnyQuestion['settings'])
    : read.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
}

/** Columns and rows with data stay, with their types. Options are checked when they are stored. */
function frozenChanges(before: SideBySideQuestion, after: SideBySideQuestion): ErrorDetail[] {
  const [old, next] = [tableOf(before.settings), tableOf(after.settings)];
  const rows = new Set(next.rows.map((row) => row.row_code));
  const problems: ErrorDetail[] = old.rows
    .filter((row) => !rows.has(row.row_code))
    .map((row) => ({
      field: 'question_settings.rows',
      message: `row "${row.row_code}" has data and stays`,
    }));
  for (const column of old.columns) {
    const index = next.columns.findIndex(({ column_code: code }) => code === column.column_code);
    const changed = next.columns[index];
    const field = changed === undefined ? 'question_settings.columns' : `question_settings.columns[${index}]`;
    if (changed === undefined)
      problems.push({ field, message: `column "${column.column_code}" has data and stays` });
    else if (changed.column_type !== column.column_type)
      problems.push({ field: `${field}.column_type`, message: `stays ${column.column_type}` });
    else
      problems.push(
        ...cellTypeOf(column)
          .frozenChanges(columnQuestion(before, column), columnQuestion(after, changed))
          .map((one) => ({
            ...one,
            field: `${field}.${one.field.replace('question_settings', 'column_settings')}`,
          })),
      );
  }
  return problems;
}

/** Texts of a column's settings that respondents read. */
const COLUMN_TEXTS = ['min_label', 'mid_label', 'max_label', 'prefix', 'suffix', 'placeholder'];

function columnTexts({ column_code: code, column_settings: own }: TableColumn, at: string) {
  const points = Object.entries((own.point_labels ?? {}) as Record<string, string>);
  return [
    ...COLUMN_TEXTS.flatMap((name) => {
      const label = own[name];
      return typeof label === 'string'
        ? [{ key: `${code}.${name}`, label, path: `${at}.column_settings.${name}` }]
        : [];
    }),
    ...points.map(([point, label]) => ({
      key: `${code}.${point}`,
      label,
      path: `${at}.column_settings.point_labels.${point}`,
    })),
  ];
}

export const sideBySideType: QuestionTypeModule<SideBySideQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: sideBySideAnswers,
  cells: sideBySideCells,
  settings,
  table: tableOf,
  settingsProblems: (own) => {
    const { rows, columns } = tableOf(own);
    return [
      ...partCodeProblems(
        rows.map(({ row_code: code }) => code),
        'rows',
        'row_code',
      ),
      ...partCodeProblems(
        columns.map(({ column_code: code }) => code),
        'columns',
        'column_code',
      ),
      ...columns.flatMap((column, index) =>
        columnProblems(column).map(({ field, message }) => ({
          field: `columns[${index}].column_settings.${field}`,
          message,
        })),
      ),
    ];
  },
  frozenChanges,
  labelGroups: ({ settings: own }) => {
    const { rows, columns } = tableOf(own);
    return [
      {
        name: 'rows',
        labels: rows.map(({ row_code: key, row_label: label }, index) => ({
          key,
          label,
          path: `rows[${index}].row_label`,
        })),
      },
      {
        name: 'columns',
        labels: columns.map(({ column_code: key, column_label: label }, index) => ({
          key,
          label,
          path: `columns[${index}].column_label`,
        })),
      },
      {
        name: 'column_options',
        labels: columns.flatMap(({ column_code: code, options = [] }, index) =>
          options.flatMap((option, place) =>
            typeof option === 'string' || option.retired === true
              ? []
              : [
                  {
                    key: `${code}.${option.option_code}`,
                    label: option.option_label,
                    path: `columns[${index}].options[${place}].option_label`,
                  },
                ],
          ),
        ),
      },
      {
        name: 'column_texts',
        labels: columns.flatMap((column, index) => columnTexts(column, `columns[${index}]`)),
      },
    ];
  },
  publishedParts({ settings: { rows, columns } }, { settings: published }) {
    const rowsByCode = new Map(published.rows.map((row) => [row.row_code, row]));
    const columnsByCode = new Map(published.columns.map((column) => [column.column_code, column]));
    return {
      rows: rows.flatMap(({ row_code: code }) => rowsByCode.get(code) ?? []),
      columns: columns.flatMap(({ column_code: code }) => columnsByCode.get(code) ?? []),
    };
  },
  columnCount: () => 0,
  comparison: { ...PLAIN_COMPARISON, isSatisfiable: () => false },
  seeding: { ...PLAIN_SEEDING, answer: () => null },
  describeAnswers: ({ settings: own }) =>
    `a table: ${listLabels(tableOf(own).columns.map(({ column_label: label }) => label))}`,
  answerFormat:
    'none of its own: each cell is answered like a question of the type of its column, as `<question_code>_<column_code>_<row_code>`: `{"Q16_use_r1":"2","Q16_spend_r1":12}`',
  example: {
    page_id: 2,
    question_code: 'Q16',
    question_text: 'How do you use these drinks?',
    question_settings: {
      rows: [
        { row_code: 'coffee', row_label: 'Coffee' },
        { row_code: 'tea', row_label: 'Tea' },
      ],
      columns: [
        {
          column_code: 'use',
          column_label: 'How often?',
          column_type: 'single_choice',
          options: [
            { option_label: 'Daily', option_value: 1 },
            { option_label: 'Weekly', option_value: 2 },
            { option_label: 'Never', option_value: 3 },
          ],
        },
        {
          column_code: 'spend',
          column_label: 'Spent per week',
          column_type: 'number',
          column_settings: { min: 0, max: 500, prefix: '€', decimals: 2 },
        },
      ],
    },
  },
};
