import type { ChartType } from './chart-types.ts';

/** In cells of a grid that is 12 wide. */
export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

const GRID_COLUMNS = 12;

/** How large an element is that was not placed. */
function usualSize(type: ChartType): { w: number; h: number } {
  if (type === 'kpi' || type === 'variable') return { w: 3, h: 3 };
  if (type === 'text') return { w: GRID_COLUMNS, h: 2 };
  return { w: 6, h: 6 };
}

const meet = (a: Place, b: Place) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/**
 * Where each element stands, in the given order: as it was placed, but lower where it would lie over another, and those that were not
 * placed side by side below what came before them. Rows that nobody stands in are left out.
 */
export function placed(elements: readonly { type: ChartType; position: Place | null }[]): Place[] {
  const taken: Place[] = [];
  const isFree = (place: Place) => !taken.some((other) => meet(place, other));
  let cursor = { x: 0, y: 0 };
  const places = elements.map(({ type, position }) => {
    const size = position ?? usualSize(type);
    const w = Math.min(Math.max(1, size.w), GRID_COLUMNS);
    const h = Math.max(1, size.h);
    let place: Place;
    if (position === null) {
      place = { ...cursor, w, h };
      if (place.x + w > GRID_COLUMNS || !isFree(place))
        place = { x: 0, y: Math.max(0, ...taken.map((other) => other.y + other.h)), w, h };
    } else {
      place = { x: Math.min(Math.max(0, position.x), GRID_COLUMNS - w), y: Math.max(0, position.y), w, h };
      while (!isFree(place)) place = { ...place, y: place.y + 1 };
    }
    taken.push(place);
    cursor = { x: place.x + w, y: place.y };
    return place;
  });
  return closedUp(places);
}

function closedUp(places: readonly Place[]): Place[] {
  const ordered = [...places].sort((a, b) => a.y - b.y);
  const shifts: { from: number; by: number }[] = [];
  let [bottom, by] = [0, 0];
  for (const { y, h } of ordered) {
    if (y > bottom) shifts.push({ from: y, by: (by += y - bottom) });
    bottom = Math.max(bottom, y + h);
  }
  return places.map((place) => ({
    ...place,
    y: place.y - (shifts.findLast(({ from }) => place.y >= from)?.by ?? 0),
  }));
}
