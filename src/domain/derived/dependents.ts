import type { DerivedColumn } from '../dataset/columns/derived-column.ts';

const key = (code: string) => code.toLowerCase();

/** The derived columns that read this one, or whatever column has the code; in the order in which they were made. */
export function readersOf(code: string, derived: readonly DerivedColumn[]): DerivedColumn[] {
  return derived.filter(({ sources }) => sources.some((source) => key(source) === key(code)));
}

/** How a column that reads `sources` would come to read itself: the codes along the way, itself first and last. */
export function cycleThrough(
  code: string,
  sources: readonly string[],
  derived: readonly DerivedColumn[],
): string[] | null {
  const byCode = new Map(derived.map((column) => [key(column.spec.columnCode), column]));
  const seen = new Set<string>();
  const search = (names: readonly string[], path: readonly string[]): string[] | null => {
    for (const name of names) {
      if (key(name) === key(code)) return [...path, code];
      if (seen.has(key(name))) continue;
      seen.add(key(name));
      const found = search(byCode.get(key(name))?.sources ?? [], [...path, name]);
      if (found !== null) return found;
    }
    return null;
  };
  return search(sources, [code]);
}
