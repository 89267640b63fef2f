import type { ColumnSpec, ColumnValue } from '../dataset/columns/column-spec.ts';
import type { Option, Question } from '../survey/definition.ts';

/** A column of the question: its own code and text unless something else is said. */
export function questionColumn(
  question: Question,
  column: Pick<ColumnSpec, 'type' | 'measure'> & Partial<ColumnSpec>,
): ColumnSpec {
  return {
    columnCode: question.code,
    label: question.text,
    questionId: question.id,
    source: 'question',
    values: [],
    editable: true,
    retired: question.retired,
    precision: null,
    ...column,
  };
}

/** `A question – one of its parts`. */
export function joinLabels(...parts: string[]): string {
  return parts.join(' – ');
}

/**
 * The code of an option as a part of a column code. SPSS takes no minus sign in a name, so -99 becomes m99
 * (no clash: codes are integers, and no other begins with a letter).
 */
export function formatOptionCode(option: Option): string {
  return option.code < 0 ? `m${-option.code}` : String(option.code);
}

/** `Q3_2`: the column of one option of a question. */
export function optionColumnCode(question: Question, option: Option): string {
  return `${question.code}_${formatOptionCode(option)}`;
}

/** Options as the categories of a column, retired ones too: their data are still there. */
export function optionValues(options: readonly Option[]): ColumnValue[] {
  return options.map(({ code, value, label, missing }) => ({ code, value, label, missing }));
}

export const FLAG_VALUES: readonly ColumnValue[] = [
  { code: 0, value: '0', label: 'No', missing: false },
  { code: 1, value: '1', label: 'Yes', missing: false },
];
