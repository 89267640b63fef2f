interface Item {
  id: number;
  retired: boolean;
}

/** The ids with this one as the `position`th (from 1) of those that are not retired; those after it move back by one. */
export function idsWithItemAt(items: readonly Item[], id: number, position: number): number[] {
  const others = items.filter((item) => item.id !== id);
  const next = others.filter(({ retired }) => !retired)[position - 1];
  const index = next === undefined ? others.length : others.indexOf(next);
  const ids = others.map((item) => item.id);
  return [...ids.slice(0, index), id, ...ids.slice(index)];
}

/** Why it cannot have that position beside the other items; null when it can. */
export function positionProblem(items: readonly Item[], id: number, position: number): string | null {
  const last = items.filter((item) => !item.retired && item.id !== id).length + 1;
  return position <= last ? null : `must be at most ${last}, the end, but is ${position}`;
}
