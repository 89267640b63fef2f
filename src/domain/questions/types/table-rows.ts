import { z } from 'zod';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { duplicateOf, quote } from '../../../lib/error-messages.ts';
import { NO_ANSWER_KEY } from '../../columns/no-answer.ts';
import { textSetting } from '../common-settings.ts';

/** Returns the schemas of a row's code and label. Call it within `defineSettings`. */
export const rowFields = () => ({
  row_code: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_]{0,23}$/, 'must be letters, digits and _, 24 at most')
    .refine((code) => code !== NO_ANSWER_KEY, `must not be ${NO_ANSWER_KEY}, which has another meaning`),
  row_label: textSetting(1_000).min(1),
});

/** Returns problems of codes that name data columns: two that differ by case alone, or a trailing underscore. */
export function partCodeProblems(codes: readonly string[], list: string, name: string): ErrorDetail[] {
  const seen = new Map<string, number>();
  return codes.flatMap((code, index) => {
    const field = `${list}[${index}].${name}`;
    const first = seen.get(code.toLowerCase());
    if (first === undefined) seen.set(code.toLowerCase(), index);
    else
      return [{ field, message: `${duplicateOf(`${list}[${first}]`, code)} (codes are not case-sensitive)` }];
    return code.endsWith('_') ? [{ field, message: `${quote(code)} must not end in _` }] : [];
  });
}
