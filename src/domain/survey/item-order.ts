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
