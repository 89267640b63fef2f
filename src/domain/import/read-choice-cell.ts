import { unknownValue } from '../../lib/error-messages.ts';
import { formatList } from '../../lib/format-list.ts';
import { quote } from '../../lib/quote.ts';
import type { Cell, ColumnSpec, ColumnValue } from '../dataset/columns/column-spec.ts';
import { LIST_SEPARATOR, NONE_TICKED } from '../dataset/columns/list-cell.ts';
import { findSimilar } from '../dataset/columns/similar-codes.ts';

/** How the file writes coded values: as option_value, as label, or either, values first. */
export type ValuesAs = 'code' | 'label' | 'auto';

export type ReadCell = { ok: true; cell: Cell } | { ok: false; message: string };

const SEPARATORS = [LIST_SEPARATOR, ',', '|', '\n'];
const LISTED = 5;

const folded = (text: string) => text.trim().normalize('NFC').toLowerCase();

/** Maps cells to the categories of a column. */
export class ChoiceCellReader {
  private readonly values: readonly ColumnValue[];
  private readonly byValue: Map<string, string>;
  private readonly byCode: Map<string, string>;
  /** null: the label is ambiguous. */
  private readonly byLabel = new Map<string, string | null>();

  /** `codesFirst`: numbers are option_codes, as in a statistics file. */
  constructor(
    { values }: Pick<ColumnSpec, 'values'>,
    private readonly valuesAs: ValuesAs,
    private readonly codesFirst: boolean,
  ) {
    this.values = values;
    this.byValue = new Map(values.map(({ value }) => [value.normalize('NFC'), value]));
    this.byCode = new Map(values.map(({ code, value }) => [String(code), value]));
    for (const { value, label } of values) {
      const key = folded(label);
      this.byLabel.set(key, this.byLabel.has(key) ? null : value);
    }
  }

  readOne(cell: string | number): ReadCell {
    const text = String(cell).trim();
    const value = this.find(text, typeof cell === 'number');
    if (typeof value === 'string') return { ok: true, cell: value };
    if (value === null)
      return { ok: false, message: `${quote(text)} is the label of several values; send a value` };
    return { ok: false, message: this.unknownValueMessage(text) };
  }

  /** Reads several values separated by semicolons, else commas, bars or newlines; values can contain the separator. `[]`: none ticked. */
  readSeveral(cell: string | number): ReadCell {
    const text = String(cell);
    if (text.trim() === NONE_TICKED) return { ok: true, cell: [] };
    const first = this.readSeparated(text, LIST_SEPARATOR, typeof cell === 'number');
    if (first.ok) return first;
    for (const separator of SEPARATORS.slice(1)) {
      const read = text.includes(separator) ? this.readSeparated(text, separator, false) : first;
      if (read.ok) return read;
    }
    return first;
  }

  private readSeparated(text: string, separator: string, isNumber: boolean): ReadCell {
    const parts = text.split(separator);
    const found: string[] = [];
    // Some tools add a trailing separator.
    while (parts.length > 1 && parts.at(-1)!.trim() === '') parts.pop();
    for (let from = 0; from < parts.length;) {
      let partCount = 0;
      for (let to = parts.length; to > from && partCount === 0; to -= 1) {
        const value = this.find(parts.slice(from, to).join(separator).trim(), isNumber);
        if (typeof value !== 'string') continue;
        found.push(value);
        partCount = to - from;
      }
      if (partCount === 0) return { ok: false, message: this.unknownValueMessage(parts[from]!.trim()) };
      from += partCount;
    }
    return { ok: true, cell: found };
  }

  private find(text: string, isNumber: boolean): string | null | undefined {
    const value = this.byValue.get(text.normalize('NFC'));
    const code = this.byCode.get(text);
    const label = this.byLabel.get(folded(text));
    if (this.valuesAs === 'label') return label ?? (label === null ? null : undefined);
    const coded = this.codesFirst && isNumber ? (code ?? value) : (value ?? code);
    return coded ?? (this.valuesAs === 'auto' ? label : undefined);
  }

  private unknownValueMessage(text: string): string {
    const accepted = formatList(this.values, LISTED, ({ value, label }) =>
      value === label ? quote(value) : `${quote(value)} (${label.slice(0, 40)})`,
    );
    const similar = findSimilar(
      text.slice(0, 40),
      this.values.map(({ label }) => label.slice(0, 40)),
    );
    const kind = this.valuesAs === 'code' ? 'a value of this column' : 'a value or label of this column';
    return unknownValue(text, kind, { similar: similar.slice(0, 1), accepted });
  }
}
