import { texts } from '../../texts.ts';
import { sideBySideTexts } from '../../texts/side-by-side.ts';
import type { QuestionContent, QuestionType } from './question-type.ts';

const words = sideBySideTexts;

/** An option of a column. Without a code and value, it is new. */
export interface ColumnOption {
  option_label: string;
  option_code?: number;
  option_value?: string | number;
  retired?: boolean;
}

/** The options of a column as those of a question. New ones have the code of their place. */
export const optionsOfColumn = ({ options = [] }: EditedColumn): QuestionContent['options'][number][] =>
  options
    .filter(({ retired }) => retired !== true)
    .map(({ option_label: label, option_code: code, option_value: value }, index) => ({
      option_code: code ?? index + 1,
      option_value: String(value ?? label),
      option_label: label,
    }));

/** A column of a side-by-side table as it is edited. */
export interface EditedColumn {
  column_code: string;
  column_label: string;
  column_required: boolean;
  column_type: QuestionType;
  column_settings: Readonly<Record<string, unknown>>;
  options?: readonly ColumnOption[];
}

export const DEFAULT_ROWS = [1, 2].map((index) => ({
  row_code: `r${index}`,
  row_label: texts.editor.newRow(index),
}));

export const newOptions = (): ColumnOption[] =>
  [1, 2].map((code) => ({
    option_label: texts.editor.newOption(code),
    option_value: String(code),
    option_code: code,
  }));

export const DEFAULT_COLUMNS: readonly EditedColumn[] = [
  {
    column_code: 'a',
    column_label: texts.editor.column(1),
    column_required: false,
    column_type: 'single_choice',
    column_settings: {},
    options: newOptions(),
  },
  {
    column_code: 'b',
    column_label: texts.editor.column(2),
    column_required: false,
    column_type: 'number',
    column_settings: {},
  },
];

/** The columns of a side-by-side table; empty: the question is no table. */
export const tableColumnsOf = ({
  question_settings: { columns },
}: Pick<QuestionContent, 'question_settings'>): readonly EditedColumn[] =>
  Array.isArray(columns) ? (columns as EditedColumn[]) : [];

/** The columns as a request has them: without empty options. */
export const columnsForRequest = (columns: readonly EditedColumn[]): readonly EditedColumn[] =>
  columns.map((column) =>
    column.options === undefined
      ? column
      : { ...column, options: column.options.filter(({ option_label: label }) => label.trim() !== '') },
  );

export type ColumnKind = keyof typeof words.kinds;
export const KINDS = Object.keys(words.kinds) as ColumnKind[];

/** A setting of a column that is edited here. */
export interface ColumnField {
  name: string;
  label: string;
  control: 'number' | 'text' | 'switch';
}

const LIMITS: readonly ColumnField[] = [
  { name: 'min', label: words.min, control: 'number' },
  { name: 'max', label: words.max, control: 'number' },
];

/** What is edited of a column of each kind. */
export const COLUMN_KINDS: Readonly<
  Record<ColumnKind, { hasOptions: boolean; fields: readonly ColumnField[] }>
> = {
  single_choice: { hasOptions: true, fields: [] },
  multiple_choice: { hasOptions: true, fields: [] },
  dropdown: { hasOptions: true, fields: [] },
  scale: {
    hasOptions: false,
    fields: [
      ...LIMITS,
      { name: 'min_label', label: words.minLabel, control: 'text' },
      { name: 'max_label', label: words.maxLabel, control: 'text' },
    ],
  },
  number: {
    hasOptions: false,
    fields: [
      ...LIMITS,
      { name: 'decimals', label: words.decimals, control: 'number' },
      { name: 'prefix', label: words.prefix, control: 'text' },
      { name: 'suffix', label: words.suffix, control: 'text' },
    ],
  },
  text: {
    hasOptions: false,
    fields: [
      { name: 'multiline', label: words.multiline, control: 'switch' },
      { name: 'max_length', label: words.maxLength, control: 'number' },
    ],
  },
};

export const kindOf = ({ column_type: type }: EditedColumn): ColumnKind =>
  KINDS.find((each) => each === type) ?? 'single_choice';

/** The first letter, or letter with a number, that no column has. */
function newCode(columns: readonly EditedColumn[]): string {
  const taken = new Set(columns.map(({ column_code: code }) => code.toLowerCase()));
  const letter = [...'abcdefghijklmnopqrstuvwxyz'].find((each) => !taken.has(each));
  return letter ?? `c${columns.length + 1}`;
}

/** A column that is added to the others. */
export const newColumn = (columns: readonly EditedColumn[], label: string): EditedColumn => ({
  column_code: newCode(columns),
  column_label: label,
  column_required: false,
  column_type: 'single_choice',
  column_settings: {},
  options: newOptions(),
});
