import { fitText, float64, padWithSpaces } from './bytes.ts';
import { ELEMENT_BYTES, type VariableLayout } from './layout.ts';
import { MAX_MISSING_VALUES } from './limits.ts';
import type { SavReport } from './sav-report.ts';

interface MissingValues {
  /** As the variable record counts: 0 to 3 values, -2 a range, -3 a range and one value. */
  count: number;
  /** Eight bytes each. */
  values: Buffer[];
}

export function missingValues({ variable, widthBytes }: VariableLayout, report: SavReport): MissingValues {
  const range = variable.type === 'string' ? undefined : variable.missingRange;
  const given = new Set<string | number>(variable.missing ?? []);
  const kept = [...given].slice(0, range === undefined ? MAX_MISSING_VALUES : 1);
  if (given.size > kept.length) {
    report.add('missing_value_left_out', variable.name, given.size - kept.length);
  }
  const values = kept.map((value) => {
    if (typeof value === 'number') return float64(value);
    const maxBytes = Math.min(widthBytes, ELEMENT_BYTES);
    return padWithSpaces(
      fitText(value, maxBytes, () => report.add('missing_value_cut', variable.name)),
      ELEMENT_BYTES,
    );
  });
  if (range === undefined) return { count: values.length, values };
  return {
    count: -(2 + values.length),
    values: [float64(range.low), float64(range.high), ...values],
  };
}
