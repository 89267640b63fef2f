type Measure = 'nominal' | 'ordinal' | 'scale';

interface VariableDescription {
  /** As wished for: the file's name follows SPSS's rules (variable-names.ts). Weight and sets refer to it in this form. */
  name: string;
  label: string | null;
  /** The end of the label, which stays when the label is cut: what tells the variables of one question apart. */
  labelEnding?: string | undefined;
  measure: Measure;
  /** How it is shown, by SPSS's number of the format; absent: as its type usually is. */
  format?: { type: number; width: number; decimals: number };
}

/** Cells are numbers, or texts of moments: `YYYY-MM`, `YYYY-MM-DD`, `YYYY-MM-DDTHH:mm[:ss]`, `HH:mm[:ss]`. */
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

/** null is missing: SPSS knows one such value of numbers, and of strings only the empty one. */
export type SavCell = string | number | null;

export interface ResponseSet {
  /** Without the `$` that SPSS puts before it. */
  name: string;
  label: string;
  /** The end of the label, which stays when the label is cut. */
  labelEnding?: string | undefined;
  variables: readonly string[];
  /** The value that means "chosen"; null: a set of categories, each variable naming one. */
  countedValue: number | null;
}

export interface SavFile {
  variables: readonly SavVariable[];
  fileLabel: string;
  createdAt: Date;
  /** null: not known before the rows were read; readers then go on until the file ends. */
  caseCount: number | null;
  weight: string | null;
  responseSets: readonly ResponseSet[];
  /** Said of the file as a whole in its documents, a line each. */
  documents?: readonly string[];
}
