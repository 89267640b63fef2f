import type { WeightScheme } from '../weighting/weight-scheme.ts';
import type { ColumnDefinition } from '../transforms/registry.ts';

/** How the values of a derived column are computed, or that they are stored. */
export type DerivedDefinition = ColumnDefinition | FrozenDefinition;

/** Values stored by response instead of computed; see frozen_values. */
type FrozenDefinition = WeightDefinition | CodedDefinition;

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
