import { runToCompletion } from '../../../lib/concurrency.ts';
import type { AveragedAnswers, ChartCell, ChartTable } from '../chart-table.ts';
import { type EquationRow, EquationSystem } from './linear-equations.ts';
import { type AnswerRegion, answerRegion } from '../../statistics/crosstab/axis.ts';
import type { SurveySettings } from '../../survey/survey-settings.ts';

/** Decides which figures the elements of a dashboard hide together (shared-suppression.ts). */
export interface SharedFigures {
  /** By row: 1 if the elements count the response. */
  mask: Uint8Array;
  hides(regions: readonly AnswerRegion[]): boolean;
  /** States that no response is in two of the groups, such as the options that have the same rank. */
  addPartition(groups: readonly (readonly AnswerRegion[])[]): void;
  /** Whether an average over the responses in all of the regions is hidden, because it would reveal a hidden count. */
  hidesAverage(regions: readonly AnswerRegion[], averaged: AveragedAnswers): boolean;
}

/** Disclosure control for viewers who may not see individual responses. */
export interface Protection {
  /** Groups with fewer respondents are suppressed, with the figures that would reveal them. */
  minBase: number;
  /** Whether shown figures are rounded, as in confidential surveys. */
  isRounded: boolean;
  /** A sum or mean is suppressed if one respondent contributes more than this percent of all others together; null: no limit. */
  dominancePercent: number | null;
  /** The hidden counts that the elements of a public dashboard share. */
  shared?: SharedFigures;
}

/**
 * Counts are rounded to multiples of this. Two filters that differ by one respondent then usually give the same numbers; otherwise the
 * difference of two views would be that respondent's answers.
 */
const COUNT_STEP = 5;

/** Whether a figure has too few respondents. Empty groups are suppressed only in confidential surveys. */
export function isTooFew(count: number, { minBase, isRounded }: Protection): boolean {
  return count < minBase && (count > 0 || isRounded);
}

/** Rounds a count to the count step. */
export function roundedCount(count: number): number {
  return Math.round(count / COUNT_STEP) * COUNT_STEP;
}

/** Computes a percent from rounded counts, so that it reveals no more than they do. */
export function roundedPercent(part: number, total: number): number | null {
  const base = roundedCount(total);
  return base > 0 ? Math.round((100 * roundedCount(part)) / base) : null;
}

/**
 * Rounds a mean or similar measure to at least half its standard error, with steps of 1, 2 or 5 times a power of ten. One respondent
 * changes the mean of n by about sd / n, which is less than the step unless there are very few respondents.
 */
export function roundedMeasure(value: number, se: number | null): number {
  if (se === null || !(se > 0)) return value;
  return roundToStep(value, niceStep(se / 2, 'up'));
}

/**
 * Rounds a quantile like a mean, but never with a step larger than the quantile. The standard error is that of the mean: an outlier
 * increases it but not the median, and a median of 21 would be rounded to 0.
 */
export function roundedQuantile(value: number, se: number | null): number {
  if (se === null || !(se > 0) || value === 0) return value;
  return roundToStep(value, Math.min(niceStep(se / 2, 'up'), niceStep(Math.abs(value), 'down')));
}

const roundToStep = (value: number, step: number): number =>
  Number((Math.round(value / step) * step).toPrecision(12));

/** The next of 1, 2 and 5 times a power of ten. */
function niceStep(size: number, direction: 'up' | 'down'): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const steps = [1, 2, 5, 10].map((factor) => factor * power);
  const found =
    direction === 'up' ? steps.find((step) => step >= size) : steps.findLast((step) => step <= size);
  return found ?? size;
}

/** The survey settings that decide on disclosure control. */
export type ProtectionSettings = Pick<SurveySettings, 'confidential' | 'min_base' | 'dominance_percent'>;

/** The audience of the figures: members can also see the responses, clients have an account but cannot, the public has no account. */
export type Audience = 'member' | 'client' | 'public';

/**
 * Members see everything. Clients see all figures of surveys that are not confidential. Public dashboards suppress small groups of every
 * survey: those below `publicMinBase`, and at least as many as a confidential survey requires.
 */
export function protectionFor(
  audience: Audience,
  { confidential, min_base: minBase, dominance_percent: dominancePercent }: ProtectionSettings,
  publicMinBase: number,
): Protection | null {
  if (audience === 'member') return null;
  const least = audience === 'public' ? publicMinBase : 1;
  if (confidential) return { minBase: Math.max(minBase, least), isRounded: true, dominancePercent };
  return least > 1 ? { minBase: least, isRounded: false, dominancePercent: null } : null;
}

/** One count of a table is the sum of others, given as indices into the list of counts. */
export interface CountSum {
  total: number;
  parts: readonly number[];
}

/** The sum of the counts at some indices. */
const sumOf = (counts: readonly number[], indices: readonly number[]): number =>
  indices.reduce((sum, index) => sum + (counts[index] ?? 0), 0);

/**
 * Finds suppressed counts that can be derived from the disclosed ones. Each sum is an equation with the suppressed counts as unknowns; in
 * reduced row echelon form, an unknown alone in its row is known. Also returns rows whose unknowns add up to fewer than `minBase`,
 * because they describe a small group too.
 */
function* findDerivableCounts(
  counts: readonly number[],
  sums: readonly CountSum[],
  { suppressed, minBase }: { suppressed: ReadonlySet<number>; minBase: number },
): Generator<void, number[][]> {
  const { rows } = yield* createSumEquations(sums, suppressed);
  return [...rows].filter((row) => isRevealing(row, counts, minBase)).map((row) => [...row.keys()]);
}

/** Whether an equation isolates an unknown count, or several that are a small group together. */
export function isRevealing(
  row: ReadonlyMap<number, number>,
  counts: readonly number[],
  minBase: number,
): boolean {
  if (row.size === 1) return true;
  const adds = [...row.values()].every((coefficient) => Math.abs(coefficient - 1) < UNIT_TOLERANCE);
  return adds && sumOf(counts, [...row.keys()]) < minBase;
}

const UNIT_TOLERANCE = 1e-9;

/** The sums as equations for the suppressed counts. Yields after each. */
export function* createSumEquations(
  sums: readonly CountSum[],
  suppressed: ReadonlySet<number>,
): Generator<void, EquationSystem> {
  const system = new EquationSystem();
  for (const row of buildEquations(sums, suppressed)) {
    yield;
    system.add(row);
  }
  return system;
}

function buildEquations(sums: readonly CountSum[], suppressed: ReadonlySet<number>): EquationRow[] {
  return sums.flatMap(({ total, parts }) => {
    const row: EquationRow = new Map();
    const add = (index: number, coefficient: number) => {
      if (suppressed.has(index)) row.set(index, (row.get(index) ?? 0) + coefficient);
    };
    for (const part of parts) add(part, 1);
    add(total, -1);
    return row.size > 0 ? [row] : [];
  });
}

/**
 * Finds the counts to suppress so that no group of fewer than `minBase` respondents is disclosed: small counts (primary suppression) and
 * as many others as needed so that no sum reveals them (complementary suppression). `counts` are all counts that a reader can see or
 * derive, `sums` the relations between them. A count of 0 is always disclosed, because an empty group has no respondents to reveal.
 * Counts in `sensitive` are suppressed too.
 *
 * Three rules hold for the result. In every sum with a disclosed total, at least two parts are suppressed, and together they have at
 * least `minBase` respondents: if suppressed counts are 1 to 4, "two parts, 2 in total" would be 1 and 1. No linear combination of sums
 * isolates one suppressed count (L. H. Cox, "Suppression methodology and statistical disclosure control", JASA 75, 1980). None isolates
 * several counts with a small total.
 */
export function findSuppressedCounts(
  counts: readonly number[],
  sums: readonly CountSum[],
  settings: SuppressionSettings,
): ReadonlySet<number> {
  return runToCompletion(chooseSuppressedCounts(counts, sums, settings));
}

interface SuppressionSettings {
  minBase: number;
  sensitive?: ReadonlySet<number>;
}

/** `findSuppressedCounts` in small steps: yields between sums and equations, of which dashboards can have thousands. */
export function* chooseSuppressedCounts(
  counts: readonly number[],
  sums: readonly CountSum[],
  { minBase, sensitive = new Set() }: SuppressionSettings,
): Generator<void, ReadonlySet<number>> {
  const suppressed = new Set(sensitive);
  counts.forEach((count, index) => {
    if (count > 0 && count < minBase) suppressed.add(index);
  });
  if (suppressed.size === 0) return suppressed;
  const sumsOf = counts.map((): CountSum[] => []);
  for (const sum of sums) for (const index of [sum.total, ...sum.parts]) sumsOf[index]?.push(sum);
  const countAt = (index: number) => counts[index] ?? 0;

  /** Suppresses the smallest count of these sums that is still disclosed, totals last. Returns false if none is left. */
  const hideOneOf = (among: readonly CountSum[]): boolean => {
    const isDisclosed = (index: number) => !suppressed.has(index) && countAt(index) > 0;
    const parts = among.flatMap((sum) => sum.parts).filter(isDisclosed);
    const left = parts.length > 0 ? parts : among.map(({ total }) => total).filter(isDisclosed);
    if (left.length === 0) return false;
    suppressed.add(left.reduce((least, index) => (countAt(index) < countAt(least) ? index : least)));
    return true;
  };
  const isOpen = ({ total, parts }: CountSum): boolean => {
    if (suppressed.has(total)) return false;
    const inside = parts.filter((index) => suppressed.has(index));
    return inside.length === 1 || (inside.length > 1 && sumOf(counts, inside) < minBase);
  };

  for (;;) {
    for (let isStable = false; !isStable;) {
      isStable = true;
      for (const sum of sums) {
        while (isOpen(sum) && hideOneOf([sum])) isStable = false;
        yield;
      }
    }
    const derived = yield* findDerivableCounts(counts, sums, { suppressed, minBase });
    if (derived.length === 0) return suppressed;
    for (const indices of derived) {
      yield;
      const near = indices.flatMap((index) => sumsOf[index] ?? []);
      const affectedSums = sums.filter(
        ({ total, parts }) => suppressed.has(total) || parts.some((part) => suppressed.has(part)),
      );
      if (!hideOneOf(near) && !hideOneOf(affectedSums)) return suppressed;
    }
  }
}

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
  addPartition(total: number, parts: readonly number[]): void {
    const others = sumOf(this.counts, [total]) - sumOf(this.counts, parts);
    this.sums.push({ total, parts: others > 0 ? [...parts, this.add(others)] : parts });
  }

  /** Adds parts that may share respondents. For each, the number not in it can be derived. */
  addOverlapping(total: number, parts: readonly number[]): void {
    for (const part of parts) this.addPartition(total, [part]);
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
  { count, largestContribution, isDisclosive }: ChartCell,
  { dominancePercent }: Protection,
): boolean {
  if (count.count === 0) return false;
  return (
    isDisclosive ||
    (dominancePercent !== null && largestContribution !== null && largestContribution > dominancePercent)
  );
}

/**
 * Finds the figures to suppress so that no group of fewer than `minBase` respondents and no sensitive figure is disclosed. Category
 * totals count as disclosed even if they are not drawn, because a chart of the same question without series shows them.
 */
export function findSuppressedFigures(table: ChartTable, protection: Protection): SuppressedFigures {
  const { rows, base, rowsOverlap, seriesOverlap } = table;
  const series = table.series ?? [];
  const all = new TableCounts();
  const totalIndex = all.add(base.count);
  const bases = series.map((one) => all.add(one.base.count));
  const lines = rows
    .map((row) => ({ row, total: all.add(row.total.count.count) }))
    .map((line) => ({ ...line, cells: line.row.cells.map(({ count }) => all.add(count.count)) }));
  const addParts = (total: number, parts: readonly number[]) =>
    seriesOverlap ? all.addOverlapping(total, parts) : all.addPartition(total, parts);
  if (series.length > 0) {
    addParts(totalIndex, bases);
    for (const { total, cells } of lines) addParts(total, cells);
  }
  const indicesOf = (cells: readonly { index: number }[]) => cells.map(({ index }) => index);
  const columns = [
    { total: totalIndex, cells: lines.map(({ row, total }) => ({ row, index: total })) },
    ...bases.map((total, column) => ({
      total,
      cells: lines.flatMap(({ row, cells }) =>
        cells.slice(column, column + 1).map((index) => ({ row, index })),
      ),
    })),
  ];
  for (const { total, cells } of columns) {
    if (rowsOverlap) all.addOverlapping(total, indicesOf(cells));
    else all.addPartition(total, indicesOf(cells.filter(({ row }) => !row.category.isNet)));
    for (const net of cells) {
      if (!net.row.category.isNet) continue;
      const members = indicesOf(cells.filter(({ row }) => isMemberOfNet(net.row, row)));
      if (rowsOverlap) all.addOverlapping(net.index, members);
      else all.addPartition(net.index, members);
    }
  }
  const sensitive = new Set<number>();
  for (const { row, total, cells } of lines) {
    if (isSensitive(row.total, protection)) sensitive.add(total);
    for (const [column, index] of cells.entries()) {
      const cell = row.cells[column];
      if (cell !== undefined && isSensitive(cell, protection)) sensitive.add(index);
    }
  }
  const suppressed = findSuppressedCounts(all.counts, all.sums, { minBase: protection.minBase, sensitive });
  const own = {
    everything: suppressed.has(totalIndex),
    totals: lines.map(({ total }) => suppressed.has(total)),
    cells: lines.map(({ cells }) => cells.map((index) => suppressed.has(index))),
    series: bases.map((index) => suppressed.has(index)),
  };
  return addSharedFigures(table, own, protection);
}

/** Also suppresses the figures that other elements of the dashboard would reveal. */
function addSharedFigures(
  { regions, rows, series }: ChartTable,
  own: SuppressedFigures,
  { shared }: Protection,
): SuppressedFigures {
  // A table of other responses, such as those in the base of a whole question, is protected by itself only.
  if (shared === undefined || regions?.mask !== shared.mask) return own;
  const { parts, averaged } = regions;
  const seriesBase = regions.series === null ? [] : [answerRegion(regions.series, regions.series.base)];
  const rowBase = answerRegion(regions.rows, regions.rows.base);
  const hides = (...cell: AnswerRegion[]): boolean => {
    // Every figure is reported, hence no short circuit.
    const hidden =
      parts.length === 0 ? [shared.hides(cell)] : parts.map((part) => shared.hides([...cell, part]));
    const isAverageHidden = averaged !== null && shared.hidesAverage(cell, averaged);
    return hidden.includes(true) || isAverageHidden;
  };
  const columns = (series ?? []).map(({ category }) =>
    regions.series === null ? rowBase : answerRegion(regions.series, category.region),
  );
  const lines = rows.map(({ category }) => answerRegion(regions.rows, category.region));
  const totals = lines.map((line) => hides(line, ...seriesBase));
  return {
    everything: shared.hides([rowBase, ...seriesBase, ...parts.slice(0, 1)]) || own.everything,
    totals: totals.map((isHidden, row) => isHidden || own.totals[row] === true),
    cells: lines.map((line, row) =>
      columns.map((column, at) => hides(line, column) || own.cells[row]?.[at] === true),
    ),
    series: columns.map(
      (column, at) => shared.hides([rowBase, column, ...parts.slice(0, 1)]) || own.series[at] === true,
    ),
  };
}

/** A minimum or maximum that only a few respondents have reveals their value. */
export function isExtremeOfFew({ extremeCount }: ChartCell, minBase: number): boolean {
  return extremeCount !== null && extremeCount < minBase;
}
