import type { ChartCell, ChartTable } from './chart-table.ts';
import type { CountSum } from './derivable-counts.ts';
import type { Protection } from './protection.ts';
import { findSuppressedCounts } from './suppression.ts';

/** The figures of a table that must be suppressed. */
export interface SuppressedFigures {
  /** The whole table is suppressed. */
  everything: boolean;
  /** By row. Without series, the totals are drawn. */
  totals: boolean[];
  /** By row, then series. */
  cells: boolean[][];
  /** By series: both its figures and its base. */
  series: boolean[];
}

/** The counts of a table and the sums between them, by index. */
class TableCounts {
  readonly counts: number[] = [];
  readonly sums: CountSum[] = [];

  add(count: number): number {
    return this.counts.push(count) - 1;
  }

  /** Adds parts that share no respondent. The number in none of them can be derived. */
  partition(total: number, parts: readonly number[]): void {
    const others = this.counts[total]! - parts.reduce((sum, part) => sum + this.counts[part]!, 0);
    this.sums.push({ total, parts: others > 0 ? [...parts, this.add(others)] : parts });
  }

  /** Adds parts that may share respondents. For each, the number not in it can be derived. */
  overlapping(total: number, parts: readonly number[]): void {
    for (const part of parts) this.partition(total, [part]);
  }
}

const isMemberOfNet = (
  { category }: ChartTable['rows'][number],
  { category: member }: ChartTable['rows'][number],
) => {
  const value = member.steps.at(-1)?.value;
  return (
    !member.isNet && typeof value === 'string' && category.steps.at(-1)?.values?.includes(value) === true
  );
};

/** Whether a cell would reveal the contribution of one or a few respondents. */
export function isSensitive(
  { count, largestContribution: largest, isDisclosive }: ChartCell,
  { dominancePercent }: Protection,
): boolean {
  if (count.count === 0) return false;
  return isDisclosive || (dominancePercent !== null && largest !== null && largest > dominancePercent);
}

/**
 * Finds the figures to suppress so that no group of fewer than `minBase` respondents and no sensitive figure is disclosed. Category
 * totals count as disclosed even if they are not drawn, because a chart of the same question without series shows them. See
 * suppression.ts for the rules.
 */
export function findSuppressedFigures(table: ChartTable, protection: Protection): SuppressedFigures {
  const { rows, base, rowsOverlap, seriesOverlap } = table;
  const series = table.series ?? [];
  const all = new TableCounts();
  const totalIndex = all.add(base.count);
  const bases = series.map((one) => all.add(one.base.count));
  const totals = rows.map(({ total }) => all.add(total.count.count));
  const cells = rows.map((row) => row.cells.map(({ count }) => all.add(count.count)));
  const addParts = (total: number, parts: readonly number[]) =>
    seriesOverlap ? all.overlapping(total, parts) : all.partition(total, parts);
  if (series.length > 0) {
    addParts(totalIndex, bases);
    totals.forEach((total, row) => addParts(total, cells[row]!));
  }
  const columns = [
    { total: totalIndex, at: totals },
    ...bases.map((total, index) => ({ total, at: cells.map((row) => row[index]!) })),
  ];
  for (const { total, at } of columns) {
    const proper = at.filter((_, row) => !rows[row]!.category.isNet);
    if (rowsOverlap) all.overlapping(total, at);
    else all.partition(total, proper);
    rows.forEach((net, index) => {
      if (!net.category.isNet) return;
      const members = at.filter((_, row) => isMemberOfNet(net, rows[row]!));
      if (rowsOverlap) all.overlapping(at[index]!, members);
      else all.partition(at[index]!, members);
    });
  }
  const sensitive = new Set<number>();
  rows.forEach((row, index) => {
    if (isSensitive(row.total, protection)) sensitive.add(totals[index]!);
    row.cells.forEach((cell, at) => {
      if (isSensitive(cell, protection)) sensitive.add(cells[index]![at]!);
    });
  });
  const suppressed = findSuppressedCounts(all.counts, all.sums, protection.minBase, sensitive);
  return {
    everything: suppressed.has(totalIndex),
    totals: totals.map((index) => suppressed.has(index)),
    cells: cells.map((row) => row.map((index) => suppressed.has(index))),
    series: bases.map((index) => suppressed.has(index)),
  };
}

/** A minimum or maximum that only a few respondents have reveals their value. */
export function isExtremeOfFew({ extremeCount }: ChartCell, minBase: number): boolean {
  return extremeCount !== null && extremeCount < minBase;
}
