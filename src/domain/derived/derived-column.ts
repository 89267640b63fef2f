import type { CatalogColumn } from '../dataset/column-catalog.ts';
import type { ComputedColumn } from '../dataset/computed-column.ts';
import type { ColumnDefinition } from '../transforms/registry.ts';
import type { WeightScheme } from '../weighting/weighting-cells.ts';

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

const foldCase = (code: string) => code.toLowerCase();

/** Returns the derived columns that read the column with this code, in creation order. */
export function findDependents(code: string, derived: readonly DerivedColumn[]): DerivedColumn[] {
  return derived.filter(({ sources }) => sources.some((source) => foldCase(source) === foldCase(code)));
}

/** Returns the codes of the cycle that a column reading `sources` would create, itself first and last; null if there is none. */
export function findCycle(
  code: string,
  sources: readonly string[],
  derived: readonly DerivedColumn[],
): string[] | null {
  const byCode = new Map(derived.map((column) => [foldCase(column.spec.columnCode), column]));
  const seen = new Set<string>();
  const search = (names: readonly string[], path: readonly string[]): string[] | null => {
    for (const name of names) {
      if (foldCase(name) === foldCase(code)) return [...path, code];
      if (seen.has(foldCase(name))) continue;
      seen.add(foldCase(name));
      const found = search(byCode.get(foldCase(name))?.sources ?? [], [...path, name]);
      if (found !== null) return found;
    }
    return null;
  };
  return search(sources, [code]);
}

/** A column computed from other columns, with its definition. */
export interface DerivedColumn extends ComputedColumn {
  definition: DerivedDefinition;
}

/** The derived column of a catalog entry; null for other columns. */
export function derivedOf({ origin }: CatalogColumn): DerivedColumn | null {
  // Catalogs are built from derived columns, of which they know only what every computed column has.
  return origin.kind === 'derived' ? (origin.derived as DerivedColumn) : null;
}
