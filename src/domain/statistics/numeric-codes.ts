import type { ColumnSpec } from '../dataset/columns/column-spec.ts';

const INTEGER = /^-?\d{1,15}$/;

interface Coded extends Pick<ColumnSpec, 'type' | 'measure'> {
  values: readonly { value: string }[];
}

/** Are the option codes numbers that mean something? When all values are integers (their codes then), or the options are in order. */
export function hasNumericCodes({ type, measure, values }: Coded): boolean {
  if (type === 'multiple' || values.length === 0) return false;
  return measure === 'ordinal' || values.every(({ value }) => INTEGER.test(value));
}
