import { UTC } from '../../lib/time-zone.ts';
import type { ColumnSpec } from '../dataset/columns/column-spec.ts';
import { wallClockValues } from '../dataset/columns/wall-clock-values.ts';
import type { Coding } from '../statistics/crosstab/coding.ts';
import { testShares, type ShareTable } from './difference.ts';
import { differenceFinding } from './difference-findings.ts';
import { type Candidate, formatCount, MAX_LISTED, pluralize, roundSignificant, roundTo } from './finding.ts';
import { formatPValue } from './difference-findings.ts';
import { poissonAtLeast, poissonAtMost, summarizeRobustly } from './outliers.ts';
import type { Outcome } from './variables.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Minimum number of days to determine a usual one. */
const MIN_DAYS = 7;
const MAX_DAYS = 2_000;
/** A day is reported if it has at least twice, or at most half, the usual number. */
const MIN_RATIO = 2;

/** Responses by the day they started, in the survey's time zone: slot 0 for none, then one slot per day. */
export interface DailyCounts {
  coding: Coding;
  /** First day: local midnight in milliseconds, as if in UTC. */
  firstMs: number;
  counts: Float64Array;
  /** IANA name. */
  timeZone: string;
}

/** Counts responses by start day. `values`: timestamps, `spec`: the column in the catalog. null: too few or too many days. */
export function countDays(spec: ColumnSpec, values: Float64Array, mask: Uint8Array): DailyCounts | null {
  const startedAtMs = wallClockValues(spec, values);
  let first = Infinity;
  let last = -Infinity;
  for (let row = 0; row < mask.length; row++) {
    const day = Math.floor(startedAtMs[row]! / DAY_MS);
    if (mask[row] === 0 || Number.isNaN(day)) continue;
    if (day < first) first = day;
    if (day > last) last = day;
  }
  const days = last - first + 1;
  if (!(days >= 2 && days <= MAX_DAYS)) return null;
  const indices = new Int16Array(mask.length);
  const counts = new Float64Array(days);
  for (let row = 0; row < mask.length; row++) {
    const day = Math.floor(startedAtMs[row]! / DAY_MS) - first;
    if (mask[row] === 0 || !(day >= 0 && day < days)) continue;
    indices[row] = day + 1;
    counts[day]! += 1;
  }
  return {
    coding: { indices, offset: 0, size: days + 1 },
    firstMs: first * DAY_MS,
    counts,
    timeZone: spec.timeZone ?? UTC,
  };
}

export const formatDay = ({ firstMs }: DailyCounts, day: number): string =>
  new Date(firstMs + day * DAY_MS).toISOString().slice(0, 10);

/**
 * Finds days with unusually many or few responses by a Poisson test against the median day, with overdispersion estimated by the median
 * absolute deviation (quasi-Poisson). The first and last day can be incomplete and are only tested for too many. One test per day.
 */
export function findUnusualDays(
  days: DailyCounts,
  mask: Uint8Array,
  responseIds: Float64Array,
): { pValue: number; candidate: Candidate | null }[] {
  const { counts } = days;
  if (counts.length < MIN_DAYS) return [];
  const usual = summarizeRobustly(counts, new Uint8Array(counts.length).fill(1));
  const median = usual?.median ?? counts[0]!;
  if (median < 1) return [];
  const wider = usual === null ? 1 : Math.max(1, usual.spread ** 2 / median);
  return Array.from(counts, (count, day) => {
    const isEdge = day === 0 || day === counts.length - 1;
    const [scaled, mean] = [count / wider, median / wider];
    const more = poissonAtLeast(scaled, mean);
    const fewer = isEdge ? 1 : poissonAtMost(scaled, mean);
    const pValue = Math.min(1, 2 * Math.min(more, fewer));
    const ratio = count / median;
    if (ratio < MIN_RATIO && ratio > 1 / MIN_RATIO) return { pValue, candidate: null };
    const ids = ratio >= MIN_RATIO ? responseIdsOfDay(days, day, mask, responseIds) : null;
    const name = formatDay(days, day);
    return {
      pValue,
      candidate: {
        topic: `day:${day}`,
        strength: Math.min(4, Math.abs(Math.log2(Math.max(ratio, 1 / median)))),
        finding: {
          id: `sudden_day:${name}`,
          kind: 'sudden_day',
          headline: ratio > 1 ? `Unusually many responses on ${name}` : `Unusually few responses on ${name}`,
          statement:
            `${pluralize(count, 'response')} started on ${name} (${days.timeZone}), compared with ${roundTo(median)} on a typical day, the median of ${formatCount(counts.length)} ` +
            `days (${formatPValue(pValue)}).`,
          figures: {
            day: name,
            responses: count,
            usual: roundTo(median),
            days: counts.length,
            ratio: roundTo(ratio, 2),
            overdispersion: roundSignificant(wider),
            p_value: roundSignificant(pValue),
          },
          evidence: {
            questionIds: [],
            responseIds: ids,
            responseCount: ids === null ? null : count,
            base: counts.reduce((sum, each) => sum + each, 0),
            pValue,
            qValue: null,
            effect: { measure: 'ratio', value: roundSignificant(ratio) },
          },
        },
      },
    };
  });
}

function responseIdsOfDay(
  { coding }: DailyCounts,
  day: number,
  mask: Uint8Array,
  responseIds: Float64Array,
): number[] {
  const ids: number[] = [];
  for (let row = 0; row < mask.length && ids.length < MAX_LISTED; row++)
    if (mask[row] === 1 && coding.indices[row] === day + 1) ids.push(responseIds[row]!);
  return ids;
}

/** Maximum number of splits tested; with more days only every n-th is. */
const MAX_SPLITS = 60;
/** Minimum number and share of responses on each side of a split. */
const MIN_SIDE = { count: 30, share: 0.05 };

/**
 * Finds the day from which a question is answered differently: the split with the largest chi-square; p is multiplied by the number of
 * splits (Bonferroni). `byDay`: answers (first index) by day. null: no possible split.
 */
export function findChangePoint(
  outcome: Outcome,
  byDay: ShareTable,
  days: DailyCounts,
): { pValue: number; candidate: Candidate | null } | null {
  const { cells, answers, designSize } = byDay;
  const perDay = byDay.groups.map((_, day) => cells.reduce((sum, line) => sum + line[day]!.count, 0));
  const all = perDay.reduce((sum, count) => sum + count, 0);
  const least = Math.max(MIN_SIDE.count, MIN_SIDE.share * all);
  const possible: number[] = [];
  let before = 0;
  for (let day = 0; day + 1 < perDay.length; day++) {
    before += perDay[day]!;
    if (before >= least && all - before >= least && perDay[day + 1]! > 0) possible.push(day + 1);
  }
  const step = Math.max(1, Math.ceil(possible.length / MAX_SPLITS));
  const splits = possible.filter((_, index) => index % step === 0);
  const sum = (line: (typeof cells)[number], from: number, until: number) => {
    const total = { count: 0, weight: 0, squaredWeight: 0 };
    for (let day = from; day < until; day++) {
      total.count += line[day]!.count;
      total.weight += line[day]!.weight;
      total.squaredWeight += line[day]!.squaredWeight;
    }
    return total;
  };
  const tried = splits.flatMap((split) => {
    const name = formatDay(days, split);
    const test = testShares({
      answers,
      groups: [`from ${name} on`, `before ${name}`],
      cells: cells.map((line) => [sum(line, split, perDay.length), sum(line, 0, split)]),
      designSize,
    });
    return test === null ? [] : [{ split, test }];
  });
  const best = tried.reduce<(typeof tried)[number] | null>(
    (a, b) =>
      a === null || b.test.pValue < a.test.pValue || (b.test.pValue === a.test.pValue && b.test.w > a.test.w)
        ? b
        : a,
    null,
  );
  if (best === null) return null;
  const pValue = Math.min(1, best.test.pValue * tried.length);
  const name = formatDay(days, best.split);
  const candidate = differenceFinding(
    { kind: 'change_point', outcome, segment: null, part: name },
    { ...best.test, pValue },
  );
  return { pValue, candidate };
}
