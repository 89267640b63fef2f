import type { ColumnSpec, ColumnValue } from '../dataset/columns/column-spec.ts';
import type { AnyQuestion, Option } from '../questions/question.ts';

/** Creates a column spec with the question's code and text as defaults. */
export function questionColumn(
  question: AnyQuestion,
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
 * Formats an option code for use in column codes. SPSS names have no minus sign, so -99 becomes m99 (unambiguous: all other codes are
 * digits).
 */
export function formatOptionCode(code: number): string {
  return code < 0 ? `m${-code}` : String(code);
}

/** `Q3_2`: the code of the column of one option. */
export function optionColumnCode(question: AnyQuestion, option: Option): string {
  return `${question.code}_${formatOptionCode(option.code)}`;
}

/** Returns options as column values, including retired ones, which still have data. */
export function optionValues(options: readonly Option[]): ColumnValue[] {
  return options.map(({ code, value, label, missing }) => ({ code, value, label, missing }));
}

export const FLAG_VALUES: readonly ColumnValue[] = [
  { code: 0, value: '0', label: 'No', missing: false },
  { code: 1, value: '1', label: 'Yes', missing: false },
];
