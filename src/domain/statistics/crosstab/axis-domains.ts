import type { Domains } from '../design/estimates.ts';
import { type Axis, type AxisCategory, codingAt, type Region } from './axis.ts';

/** The slots of a coding that regions contain, with the indices of these regions. */
interface SlotDomains {
  indices: Int16Array;
  offset: number;
  /** By slot. */
  domains: readonly (readonly number[])[];
}

function groupRegions(axis: Axis, regions: readonly Region[]): SlotDomains[] {
  const found = new Map<number, number[][]>();
  for (const [index, { coding, slots }] of regions.entries()) {
    let domains = found.get(coding);
    if (domains === undefined)
      found.set(coding, (domains = Array.from({ length: codingAt(axis, coding).size }, () => [])));
    for (const slot of slots) domains[slot]!.push(index);
  }
  return [...found].map(([coding, domains]) => {
    const { indices, offset } = codingAt(axis, coding);
    return { indices, offset, domains };
  });
}

/** The columns of a table as domains, in the order of the categories, and behind them the total: the base of the columns. */
export function columnDomains(columns: Axis): Domains {
  const regions = [...columns.categories.map(({ region }) => region), columns.base];
  const groups = groupRegions(columns, regions);
  return {
    size: regions.length,
    forEach: (row, visit) => {
      for (const { indices, offset, domains } of groups)
        for (const domain of domains[indices[row]! + offset]!) visit(domain);
    },
  };
}

/** Whether a row of the dataset is in a region of an axis. */
function memberOf(axis: Axis, { coding, slots }: Region): (row: number) => boolean {
  const { indices, offset, size } = codingAt(axis, coding);
  const isInside = new Uint8Array(size);
  for (const slot of slots) isInside[slot] = 1;
  return (row) => isInside[indices[row]! + offset] === 1;
}

/** 1 for the rows of the mask in a region of an axis. */
export function regionMask(axis: Axis, region: Region, mask: Uint8Array): Uint8Array {
  const isInside = memberOf(axis, region);
  return mask.map((counts, row) => (counts === 1 && isInside(row) ? 1 : 0));
}

/** 1 for the rows in a category, 0 for others in the base of its axis, NaN for all others. `mask`: 1 for the rows that count. */
export function shareValues(axis: Axis, region: Region, mask: Uint8Array): Float64Array {
  const [isInBase, isInside] = [memberOf(axis, axis.base), memberOf(axis, region)];
  return Float64Array.from(mask, (counts, row) =>
    counts === 1 && isInBase(row) ? Number(isInside(row)) : NaN,
  );
}

/** The number of each row's category, NaN without one. `numbers`: by category, which share no rows; null: none. */
export function codeValues(axis: Axis, numbers: readonly (number | null)[], mask: Uint8Array): Float64Array {
  const values = new Float64Array(mask.length).fill(NaN);
  const groups = groupRegions(
    axis,
    axis.categories.map(({ region }) => region),
  );
  for (const { indices, offset, domains } of groups) {
    const numberOfSlot = domains.map((inside) => {
      const category = inside.find((index) => numbers[index] != null);
      return category === undefined ? NaN : numbers[category]!;
    });
    for (let row = 0; row < mask.length; row++)
      if (mask[row] === 1) values[row] = numberOfSlot[indices[row]! + offset]!;
  }
  return values;
}

/**
 * The cell of each row in a table of the categories that `isUsed` keeps: the index of its row times the number of columns plus that of its
 * column, -1 outside of the table. The categories of each axis share no rows.
 */
export function crossRows(
  { rows, columns, mask }: { rows: Axis; columns: Axis; mask: Uint8Array },
  isUsed: (category: AxisCategory) => boolean,
): { cells: Int32Array; rows: number; columns: number } {
  const positionsOf = (axis: Axis) => {
    const used = axis.categories.filter(isUsed).map(({ region }) => region);
    return { groups: groupRegions(axis, used), size: used.length };
  };
  const [down, across] = [positionsOf(rows), positionsOf(columns)];
  const positionIn = (groups: readonly SlotDomains[], row: number): number => {
    for (const { indices, offset, domains } of groups) {
      const [position] = domains[indices[row]! + offset]!;
      if (position !== undefined) return position;
    }
    return -1;
  };
  const cells = Int32Array.from(mask, (counts, row) => {
    const position = counts === 1 ? positionIn(down.groups, row) : -1;
    const column = position < 0 ? -1 : positionIn(across.groups, row);
    return column < 0 ? -1 : position * across.size + column;
  });
  return { cells, rows: down.size, columns: across.size };
}
