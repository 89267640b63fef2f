export const MAX_FILE_LABEL_BYTES = 64;
export const MAX_VARIABLE_LABEL_BYTES = 255;
export const MAX_VALUE_LABEL_BYTES = 120;
/** Values that count as missing, of one variable. */
export const MAX_MISSING_VALUES = 3;
/** Labels and missing values of wider strings are in separate records. */
export const SHORT_STRING_BYTES = 8;

/** The widest string of SPSS. */
export const MAX_STRING_BYTES = 32_767;

/** Few steps, so that one longer answer seldom changes the layout of the next file. */
const WIDTHS_BYTES = [16, 64, 255, 1024, 4096, MAX_STRING_BYTES];

/** The width in bytes of a variable whose longest text has so many bytes of UTF-8. */
export function stringWidth(longestBytes: number): number {
  return WIDTHS_BYTES.find((width) => width >= longestBytes) ?? MAX_STRING_BYTES;
}

type Measure = 'nominal' | 'ordinal' | 'scale';

interface VariableDescription {
  /** The requested name; the name in the file follows the rules of SPSS (layout.ts). Weight and sets refer to the requested name. */
  name: string;
  label: string | null;
  /** The end of the label, kept when the label is truncated, so that variables of one question stay distinguishable. */
  labelEnding?: string | undefined;
  measure: Measure;
  /** The display format by its SPSS number; absent: the default of the type. */
  format?: { type: number; width: number; decimals: number };
}

/** Cells are numbers, or texts of dates and times: `YYYY-MM`, `YYYY-MM-DD`, `YYYY-MM-DDTHH:mm[:ss]`, `HH:mm[:ss]`. */
export interface NumericVariable extends VariableDescription {
  type: 'number' | 'month' | 'date' | 'datetime' | 'time';
  /** For numbers: digits after the point that are shown, 0 to 16; the stored value is never rounded. */
  decimals?: number;
  /** For numbers: characters shown, at most 40. */
  widthCharacters?: number;
  valueLabels?: readonly (readonly [value: number, label: string])[];
  /** Values that count as missing: three at most, one at most beside a range. */
  missing?: readonly number[];
  /** Both ends included. */
  missingRange?: { low: number; high: number };
}

interface StringVariable extends VariableDescription {
  type: 'string';
  /** Bytes of UTF-8, 1 to 32,767. */
  widthBytes: number;
  valueLabels?: readonly (readonly [value: string, label: string])[];
  /** Three at most; SPSS compares the first eight bytes. */
  missing?: readonly string[];
}

export type SavVariable = NumericVariable | StringVariable;

/** null is missing: system-missing for numbers, the empty string for strings. */
export type SavCell = string | number | null;

export interface ResponseSet {
  /** Without the `$` that SPSS puts before it. */
  name: string;
  label: string;
  /** The end of the label, kept when the label is truncated. */
  labelEnding?: string | undefined;
  variables: readonly string[];
  /** The value that means "chosen"; null: a set of categories, each variable naming one. */
  countedValue: number | null;
}

export interface SavFile {
  variables: readonly SavVariable[];
  fileLabel: string;
  createdAt: Date;
  /** null: unknown until all rows are read; readers then read to the end of the file. */
  caseCount: number | null;
  weight: string | null;
  responseSets: readonly ResponseSet[];
  /** Notes on the whole file for the document record, one line each. */
  documents?: readonly string[];
}

export type SavLoss =
  | 'name_changed'
  | 'file_label_cut'
  | 'variable_label_cut'
  | 'value_label_cut'
  | 'set_label_cut'
  | 'labelled_value_cut'
  | 'missing_value_cut'
  | 'text_cut'
  /** SPSS strings have at most 32,767 bytes. */
  | 'texts_too_long'
  /** SPSS allows three per variable. */
  | 'missing_value_left_out'
  /** SPSS requires at least two variables. */
  | 'set_left_out'
  /** A cell that is not a number or a date where one is required: written as missing. */
  | 'cell_unreadable';

interface SavReportLine {
  loss: SavLoss;
  /** The requested name of the variable or set; empty for the file. */
  name: string;
  count: number;
}

/** Collects the data that the format cannot hold. Complete when the stream of the file has ended. */
export class SavReport {
  private readonly linesByKey = new Map<string, SavReportLine>();

  add(loss: SavLoss, name: string, count = 1): void {
    const key = `${loss} ${name}`;
    const line = this.linesByKey.get(key);
    if (line === undefined) this.linesByKey.set(key, { loss, name, count });
    else line.count += count;
  }

  listLines(): SavReportLine[] {
    return [...this.linesByKey.values()];
  }
}
