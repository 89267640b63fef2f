type Measure = 'nominal' | 'ordinal' | 'scale';

interface VariableDescription {
  /** The requested name; the name in the file follows the rules of SPSS (variable-names.ts). Weight and sets refer to the requested name. */
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
