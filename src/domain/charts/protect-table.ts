import type { ChartCell, ChartTable } from './chart-table.ts';
import type { CountSum } from './derivable-counts.ts';
import type { Protection } from './protection.ts';
import { findSuppressedCounts } from './suppression.ts';

/** What of a table must not be told. */
export interface SuppressedFigures {
  /** Nothing may be told at all. */
  everything: boolean;
  /** By row; the totals are what a chart without series draws. */
  totals: boolean[];
  /** By row, then series. */
  cells: boolean[][];
  /** By series: neither its figures nor its base. */
  series: boolean[];
}

/** Counts by place, and the sums between them. */
class TableCounts {
  readonly counts: number[] = [];
  readonly sums: CountSum[] = [];

  add(count: number): number {
    return this.counts.push(count) - 1;
  }

  /** Parts that may share no respondent; who is in none of them can be worked out. */
  partition(total: number, parts: readonly number[]): void {
    const others = this.counts[total]! - parts.reduce((sum, part) => sum + this.counts[part]!, 0);
    this.sums.push({ total, parts: others > 0 ? [...parts, this.add(others)] : parts });
  }

  /** Parts that may share respondents: of each one can work out who is not in it. */
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

/** Whether the figure of a cell would reveal what one respondent, or a few, contributed to it. */
export function isSensitive(
  { count, largestContribution: largest, isDisclosive }: ChartCell,
  { dominancePercent }: Protection,
): boolean {
  if (count.count === 0) return false;
  return isDisclosive || (dominancePercent !== null && largest !== null && largest > dominancePercent);
}

/**
 * What to hide of a table so that no group of fewer than `minBase` respondents shows, and no sensitive figure. The totals of its categories
 * count as known even where they are not drawn: the same question without series gives them. See suppression.ts for the rules.
 */
export function findSuppressedFigures(table: ChartTable, protection: Protection): SuppressedFigures {
  const { rows, base, rowsOverlap, seriesOverlap } = table;
  const series = table.series ?? [];
  const all = new TableCounts();
  const whole = all.add(base.count);
  const bases = series.map((one) => all.add(one.base.count));
  const totals = rows.map(({ total }) => all.add(total.count.count));
  const cells = rows.map((row) => row.cells.map(({ count }) => all.add(count.count)));
  const across = (total: number, parts: readonly number[]) =>
    seriesOverlap ? all.overlapping(total, parts) : all.partition(total, parts);
  if (series.length > 0) {
    across(whole, bases);
    totals.forEach((total, row) => across(total, cells[row]!));
  }
  const columns = [
    { total: whole, at: totals },
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
  const hidden = findSuppressedCounts(all.counts, all.sums, protection.minBase, sensitive);
  return {
    everything: hidden.has(whole),
    totals: totals.map((index) => hidden.has(index)),
    cells: cells.map((row) => row.map((index) => hidden.has(index))),
    series: bases.map((index) => hidden.has(index)),
  };
}

/** Figures of a least or greatest value that only a few have are those of the few. */
export function isExtremeOfFew({ extremeCount }: ChartCell, minBase: number): boolean {
  return extremeCount !== null && extremeCount < minBase;
}
