import type { DerivedColumn } from '../dataset/columns/derived-column.ts';

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
