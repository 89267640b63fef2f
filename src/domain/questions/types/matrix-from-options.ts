import { notAllowedFor } from '../../../lib/error-messages.ts';
import type { OptionInput } from '../option-input.ts';
import type { QuestionTypeModule } from '../question-type.ts';

/** The columns of a matrix that was created without any. */
const AGREEMENT_SCALE = [
  'Strongly disagree',
  'Disagree',
  'Neither agree nor disagree',
  'Agree',
  'Strongly agree',
];

const ROW_CODE = /^[A-Za-z0-9][A-Za-z0-9_]{0,22}[A-Za-z0-9]$|^[A-Za-z0-9]$/;
const ROW_FIELDS: ReadonlySet<string> = new Set(['option_label', 'option_value', 'option_order']);

/**
 * Creates a matrix from a request that has only options: the options become its rows, and its columns are five degrees of agreement (1 to
 * 5). The row_code is the option_value if it is a valid code, otherwise `r<n>`. Fields of problems look like `options[2].option_image`.
 */
export function rowsFromOptions(
  options: readonly OptionInput[],
): ReturnType<NonNullable<QuestionTypeModule['rowsFromOptions']>> {
  const rowInputs = options.map((option) => (typeof option === 'string' ? { option_label: option } : option));
  const problems = rowInputs.flatMap((option, index) =>
    Object.keys(option)
      .filter((name) => !ROW_FIELDS.has(name))
      .map((name) => ({
        field: `options[${index}].${name}`,
        message: `${notAllowedFor('a row of a matrix')}; to set it for the columns, send the rows as question_settings.rows and the columns as options`,
      })),
  );
  if (problems.length > 0) return { ok: false, problems };
  const sorted = rowInputs
    .map((option, index) => ({ ...option, order: option.option_order ?? index + 1 }))
    .sort((a, b) => a.order - b.order);
  const rows = sorted.map(({ option_label: label, option_value: value }, index) => ({
    row_code: value !== undefined && ROW_CODE.test(String(value)) ? String(value) : `r${index + 1}`,
    row_label: label,
  }));
  const columns = AGREEMENT_SCALE.map((label, index) => ({ option_label: label, option_value: index + 1 }));
  return { ok: true, rows, columns };
}
