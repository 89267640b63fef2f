import { fitText, float64, padWithSpaces } from './bytes.ts';
import { type FullLabel, fitLabels } from './fit-labels.ts';
import type { VariableLayout } from './layout.ts';
import { MAX_VALUE_LABEL_BYTES } from './limits.ts';
import type { SavReport } from './sav-report.ts';

interface ValueLabel {
  /** A number's eight bytes, or a string's filled up to its width. */
  value: Buffer;
  label: Buffer;
}

/** Encoded value labels. Of duplicate values (also after truncation) the first label is kept. */
export function valueLabels({ variable, widthBytes }: VariableLayout, report: SavReport): ValueLabel[] {
  const labelled = new Map<string, { value: Buffer; full: FullLabel }>();
  for (const [value, text] of variable.valueLabels ?? []) {
    const bytes =
      typeof value === 'number' ? float64(value) : stringValue(value, widthBytes, variable.name, report);
    const key = bytes.toString('latin1');
    if (!labelled.has(key)) labelled.set(key, { value: bytes, full: { text, name: String(value) } });
  }
  const entries = [...labelled.values()];
  const labels = fitLabels(
    entries.map(({ full }) => full),
    MAX_VALUE_LABEL_BYTES,
    () => report.add('value_label_cut', variable.name),
  );
  return entries.map(({ value }, i) => ({ value, label: labels[i]! }));
}

function stringValue(value: string, widthBytes: number, name: string, report: SavReport): Buffer {
  return padWithSpaces(
    fitText(value, widthBytes, () => report.add('labelled_value_cut', name)),
    widthBytes,
  );
}
