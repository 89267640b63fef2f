import { type Count, NO_RESPONSES } from '../count.ts';
import type { Axis } from './axis.ts';
import type { Region } from './coding.ts';
import { countCrossing, totalCount, countInRegion, sumRegionRows, type TableRows } from './count-crossing.ts';

/** Counts of every pair of categories, and of their bases. */
export interface CellCounts {
  /** By row, then column. */
  cells: Count[][];
  /** By row, within the base of the columns. */
  rows: Count[];
  /** By column, within the base of the rows. */
  columns: Count[];
  /** In both bases. */
  base: Count;
  /** All counted rows, in the base or not. */
  counted: number;
}

/** Groups regions by coding, each with its index; the base is last. */
function groupByCoding({ categories, base }: Axis): Map<number, { region: Region; index: number }[]> {
  const groups = new Map<number, { region: Region; index: number }[]>();
  [...categories.map(({ region }) => region), base].forEach((region, index) => {
    const group = groups.get(region.coding);
    if (group) group.push({ region, index });
    else groups.set(region.coding, [{ region, index }]);
  });
  return groups;
}

/** Passes over all responses once per pair of codings. Yields after each pass. */
export function* countCells(rows: Axis, columns: Axis, counting: TableRows): Generator<void, CellCounts> {
  const [height, width] = [rows.categories.length, columns.categories.length];
  const all: Count[][] = Array.from({ length: height + 1 }, () =>
    new Array<Count>(width + 1).fill(NO_RESPONSES),
  );
  let counted = 0;
  const columnGroups = groupByCoding(columns);
  for (const [rowCoding, rowRegions] of groupByCoding(rows)) {
    for (const [columnCoding, columnRegions] of columnGroups) {
      const crossing = countCrossing(rows.codings[rowCoding]!, columns.codings[columnCoding]!, counting);
      counted = totalCount(crossing);
      for (const row of rowRegions) {
        const slots = sumRegionRows(crossing, row.region);
        for (const column of columnRegions)
          all[row.index]![column.index] = countInRegion(slots, column.region);
      }
      yield;
    }
  }
  const last = all[height]!;
  return {
    cells: all.slice(0, height).map((row) => row.slice(0, width)),
    rows: all.slice(0, height).map((row) => row[width]!),
    columns: last.slice(0, width),
    base: last[width]!,
    counted,
  };
}
