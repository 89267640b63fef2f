import type { StoredAnswer } from './codec.ts';

/** Whether two stored answers are equal. Key order is ignored, list order is not. */
export function answersEqual(a: StoredAnswer | null, b: StoredAnswer | null): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => answersEqual(item, b[index]!))
    );
  }
  const left = membersOf(a);
  const right = membersOf(b);
  return (
    left.size === right.size &&
    [...left].every(([key, value]) => right.has(key) && answersEqual(value, right.get(key) ?? null))
  );
}

const membersOf = (answer: object): Map<string, StoredAnswer> =>
  new Map<string, StoredAnswer>(Object.entries(answer));
