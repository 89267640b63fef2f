import { duplicateItem, unknownObject } from './error-messages.ts';
import { type ErrorDetail, invalidFields } from './errors.ts';

interface Item {
  id: number;
  retired: boolean;
}

/** Returns the ids with `id` moved to `position` (from 1) among the items that are not retired. */
export function idsWithItemAt(items: readonly Item[], id: number, position: number): number[] {
  const others = items.filter((item) => item.id !== id);
  const next = others.filter(({ retired }) => !retired)[position - 1];
  const index = next === undefined ? others.length : others.indexOf(next);
  const ids = others.map((item) => item.id);
  return [...ids.slice(0, index), id, ...ids.slice(index)];
}

/** Returns why the item cannot have that position; null if it can. */
export function positionProblem(items: readonly Item[], id: number, position: number): string | null {
  const last = items.filter((item) => !item.retired && item.id !== id).length + 1;
  return position <= last ? null : `must be at most ${last}, the end, but is ${position}`;
}

/** Throws 400 if a new order does not name every existing item exactly once. */
export function refuseIncompleteOrder({
  field,
  given,
  existingIds,
  kind,
}: {
  field: string;
  given: readonly number[];
  existingIds: readonly number[];
  kind: string;
}): void {
  const problems = findOrderProblems({ field, given, existingIds, kind });
  if (problems.length > 0) throw invalidFields(problems);
}

/** Returns an error for each item that a new order omits, repeats or does not know. */
export function findOrderProblems({
  field,
  given,
  existingIds,
  kind,
}: {
  field: string;
  given: readonly number[];
  existingIds: readonly number[];
  kind: string;
}): ErrorDetail[] {
  const missing = new Set(existingIds);
  const known = new Set(missing);
  const problems = given.flatMap((id, index): ErrorDetail[] => {
    if (missing.delete(id)) return [];
    const message = known.has(id) ? duplicateItem(`${kind} ${id}`) : unknownObject({ kind, idOrCode: id });
    return [{ field: `${field}[${index}]`, message }];
  });
  if (missing.size > 0) {
    const left = [...missing].slice(0, 20).join(', ');
    problems.push({
      field,
      message: `must list every ${kind}; missing: ${left}${missing.size > 20 ? ', …' : ''}`,
    });
  }
  return problems;
}
