import type { LevelOfMeasurement } from '../dataset/columns/column-spec.ts';
import type { Condition } from '../survey/logic/condition.ts';
import type { WeightScheme } from '../weighting/weight-scheme.ts';

/** A rule of a recode: which values it takes, and what they become. The first that fits wins. */
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

/** What can be done to clean a text, one after the other in the order in which they are given. */
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
  /** The code of the column it is made from. */
  source: string;
  /** Responses for which it does not hold have no value, as if not shown; a text is an expression. Absent: all. */
  filter?: Condition | string;
}

/** What becomes of a number outside the range that gives 0 to 1: 0 or 1, or no value (not applicable). */
export const OUTSIDE_RANGE = ['clip', 'missing'] as const;
export type OutsideRange = (typeof OUTSIDE_RANGE)[number];

export type ComputedType = 'number' | 'text' | 'boolean' | 'date';

/** How a derived column comes to its values. */
export type DerivedDefinition =
  /** A value that no rule takes is not applicable, or (`keepUnmatched`) stays. */
  | ({
      kind: 'recode';
      rules: readonly RecodeRule[];
      keepUnmatched?: true;
      /** Of the categories that it gives; absent: ordinal, unless the source is nominal. */
      measure?: LevelOfMeasurement;
    } & SourceDefinition)
  /**
   * (x - min) / (max - min) over all responses that are converted, 0 where all are alike; `frozen` keeps the parameters of the day it was
   * made. `outside` absent: clip.
   */
  | ({ kind: 'normalize'; frozen?: { min: number; max: number }; outside?: OutsideRange } & SourceDefinition)
  /** (x - mean) / sd with n - 1 over the complete responses; missing where sd is 0. `weight`: the code of a column to weight by. */
  | ({ kind: 'z_scores'; frozen?: { mean: number; sd: number | null }; weight?: string } & SourceDefinition)
  /** [a, b), the last closed; the codes are 1, 2, …. `openEnded`: the outer bins also take what lies beyond them. */
  | ({ kind: 'bin'; breaks: readonly number[]; openEnded: boolean } & SourceDefinition)
  | ({ kind: 'text'; operations: readonly TextOperation[] } & SourceDefinition)
  | { kind: 'computed'; expression: string; type: ComputedType }
  | FrozenDefinition;

/** Values that stand as they were computed, by response; see frozen_values. */
export type FrozenDefinition = WeightDefinition | CodedDefinition;

export interface WeightDefinition {
  kind: 'weight';
  scheme: WeightScheme;
  valuesVersion: number;
  /** From which data: how many responses have a weight, the moment, and a digest of what the weights were made from. */
  basis: { responses: number; at: string; digest: string };
  /** It follows the data; where they make it impossible, what was computed last stands. */
  autoRefresh: boolean;
}

/** What open texts were found to say: their categories, as whoever read them then saw them. */
export interface CodedDefinition {
  kind: 'coded';
  operation: 'sentiment' | 'classify' | 'themes';
  /** The code of the column of texts. */
  texts: string;
  engine: string;
  model: string;
  valuesVersion: number;
  /** How many texts were read, when, and a digest of what came of it. */
  basis: { responses: number; at: string; digest: string };
}

/** Whether it needs no other column: its values are its own. */
export const isFrozen = (definition: DerivedDefinition): boolean =>
  definition.kind === 'coded' || (definition.kind === 'weight' && !definition.autoRefresh);
