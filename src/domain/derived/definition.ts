import type { LevelOfMeasurement } from '../dataset/columns/column-spec.ts';
import type { Condition } from '../survey/logic/condition.ts';
import type { WeightScheme } from '../weighting/weight-scheme.ts';

/** A recode rule: the values it matches and the result. The first match wins. */
export interface RecodeRule {
  from:
    | readonly (string | number)[]
    | { min?: number | undefined; max?: number | undefined }
    | 'missing'
    | 'else';
  /** null: missing. */
  to: string | number | null;
  label?: string;
}

/** Text cleaning operations, applied in the given order. */
export const TEXT_OPERATIONS = [
  'trim',
  'lowercase',
  'uppercase',
  'remove_punctuation',
  'collapse_whitespace',
  'strip_html',
  'nfc',
] as const;
export type TextOperation = (typeof TEXT_OPERATIONS)[number];

interface SourceDefinition {
  /** The code of the source column. */
  source: string;
  /** Responses that do not match have no value (not shown); a string is an expression. Absent: all responses. */
  filter?: Condition | string;
}

/** Treatment of numbers outside the scaled range: they become 0 or 1 (`clip`), or have no value (`missing`: not applicable). */
export const OUTSIDE_RANGE = ['clip', 'missing'] as const;
export type OutsideRange = (typeof OUTSIDE_RANGE)[number];

export type ComputedType = 'number' | 'text' | 'boolean' | 'date';

/** How the values of a derived column are computed. */
export type DerivedDefinition =
  /** Values that no rule matches are not applicable, or kept (`keepUnmatched`). */
  | ({
      kind: 'recode';
      rules: readonly RecodeRule[];
      keepUnmatched?: true;
      /** Measure of the resulting categories; absent: ordinal unless the source is nominal. */
      measure?: LevelOfMeasurement;
    } & SourceDefinition)
  /**
   * (x - min) / (max - min) over all converted responses, 0 if all are equal; `frozen` fixes the parameters at creation time. `outside`
   * absent: clip.
   */
  | ({ kind: 'normalize'; frozen?: { min: number; max: number }; outside?: OutsideRange } & SourceDefinition)
  /** (x - mean) / sd with n - 1 over the complete responses; missing if sd is 0. `weight`: the code of a weight column. */
  | ({ kind: 'z_scores'; frozen?: { mean: number; sd: number | null }; weight?: string } & SourceDefinition)
  /** [a, b), the last one closed; codes are 1, 2, …. `openEnded`: the outer bins include values beyond them. */
  | ({ kind: 'bin'; breaks: readonly number[]; openEnded: boolean } & SourceDefinition)
  | ({ kind: 'text'; operations: readonly TextOperation[] } & SourceDefinition)
  | { kind: 'computed'; expression: string; type: ComputedType }
  | FrozenDefinition;

/** Values stored by response instead of computed; see frozen_values. */
export type FrozenDefinition = WeightDefinition | CodedDefinition;

export interface WeightDefinition {
  kind: 'weight';
  scheme: WeightScheme;
  valuesVersion: number;
  /** The data used: number of responses with a weight, timestamp, and a digest of the inputs. */
  basis: { responses: number; at: string; digest: string };
  /** Recomputed when the data change; if that is impossible, the last values remain. */
  autoRefresh: boolean;
}

/** Categories assigned to open texts by a text analysis. */
export interface CodedDefinition {
  kind: 'coded';
  operation: 'sentiment' | 'classify' | 'themes';
  /** The code of the text column. */
  texts: string;
  engine: string;
  model: string;
  valuesVersion: number;
  /** Number of texts analyzed, timestamp, and a digest of the results. */
  basis: { responses: number; at: string; digest: string };
}

/** Whether the values are stored and need no other column. */
export const isFrozen = (definition: DerivedDefinition): boolean =>
  definition.kind === 'coded' || (definition.kind === 'weight' && !definition.autoRefresh);
