import { UTC } from '../../lib/time-zone.ts';
import type { CatalogColumn } from '../dataset/column-catalog.ts';
import type { ColumnSpec } from '../columns/column-spec.ts';
import { DURATION_COLUMN } from '../responses/metadata-columns.ts';
import { wallClockValues } from '../columns/dates.ts';
import { createSpeederCheck, createStraightlinerCheck, type RowCheck } from '../quality/row-checks.ts';
import { addCounts, NO_RESPONSES } from '../statistics/base.ts';
import type { Coding } from '../statistics/crosstab/axis.ts';
import { isMeasure } from '../statistics/crosstab/variable-axis.ts';
import type { QualitySettings } from '../survey/quality-settings.ts';
import {
  type AnalysisInput,
  groupByColumn,
  groupBySegment,
  type Grouping,
  type Outcome,
  readNumericAnswers,
  type SegmentColumn,
  type Variables,
} from './variables.ts';
import { differenceFinding, formatPValue } from './difference-findings.ts';
import { columnOf, countShareTable, type ShareTable, testShares } from './difference.ts';
import {
  type Candidate,
  type Finding,
  formatCount,
  formatPercent,
  MAX_LISTED,
  MIN_BASE,
  pluralize,
  roundSignificant,
  roundTo,
} from './finding.ts';
import type { TestResults } from './insights.ts';
import {
  findOutliers,
  ImprobabilityScore,
  type OutlierInput,
  poissonAtLeast,
  poissonAtMost,
  summarizeRobustly,
} from './outliers.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Minimum number of days to determine a usual one. */
const MIN_DAYS = 7;
const MAX_DAYS = 2_000;
/** A day is reported if it has at least twice, or at most half, the usual number. */
const MIN_RATIO = 2;

/** Responses by the day they started, in the survey's time zone: slot 0 for none, then one slot per day. */
interface DailyCounts {
  coding: Coding;
  /** First day: local midnight in milliseconds, as if in UTC. */
  firstMs: number;
  counts: Float64Array;
  /** IANA name. */
  timeZone: string;
}

/** Counts responses by start day. `values`: timestamps, `spec`: the column in the catalog. null: too few or too many days. */
function countDays(spec: ColumnSpec, values: Float64Array, mask: Uint8Array): DailyCounts | null {
  const startedAtMs = wallClockValues(spec, values);
  let first = Infinity;
  let last = -Infinity;
  for (let row = 0; row < mask.length; row++) {
    const day = Math.floor((startedAtMs[row] ?? NaN) / DAY_MS);
    if (mask[row] === 0 || Number.isNaN(day)) continue;
    if (day < first) first = day;
    if (day > last) last = day;
  }
  const days = last - first + 1;
  if (!(days >= 2 && days <= MAX_DAYS)) return null;
  const indices = new Int16Array(mask.length);
  const counts = new Float64Array(days);
  for (let row = 0; row < mask.length; row++) {
    const day = Math.floor((startedAtMs[row] ?? NaN) / DAY_MS) - first;
    if (mask[row] === 0 || !(day >= 0 && day < days)) continue;
    indices[row] = day + 1;
    counts[day] = (counts[day] ?? 0) + 1;
  }
  return {
    coding: { indices, offset: 0, size: days + 1 },
    firstMs: first * DAY_MS,
    counts,
    timeZone: spec.timeZone ?? UTC,
  };
}

const formatDay = ({ firstMs }: DailyCounts, day: number): string =>
  new Date(firstMs + day * DAY_MS).toISOString().slice(0, 10);

/**
 * Finds days with unusually many or few responses by a Poisson test against the median day, with overdispersion estimated by the median
 * absolute deviation (quasi-Poisson). The first and last day can be incomplete and are only tested for too many. One test per day.
 */
function findUnusualDays(
  days: DailyCounts,
  mask: Uint8Array,
  responseIds: Float64Array,
): { pValue: number; candidate: Candidate | null }[] {
  const { counts } = days;
  if (counts.length < MIN_DAYS) return [];
  const usual = summarizeRobustly(counts, new Uint8Array(counts.length).fill(1));
  // Without variation, every day has the number of the first one.
  const median = usual?.median ?? counts[0] ?? 0;
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
    const ids = ratio >= MIN_RATIO ? responseIdsOfDay(days, day, { mask, responseIds }) : null;
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
  { mask, responseIds }: { mask: Uint8Array; responseIds: Float64Array },
): number[] {
  const ids: number[] = [];
  for (let row = 0; row < mask.length && ids.length < MAX_LISTED; row++) {
    const id = responseIds[row];
    if (id !== undefined && mask[row] === 1 && coding.indices[row] === day + 1) ids.push(id);
  }
  return ids.sort((a, b) => a - b);
}

/** Maximum number of splits tested; with more days only every n-th is. */
const MAX_SPLITS = 60;
/** Minimum number and share of responses on each side of a split. */
const MIN_SIDE = { count: 30, share: 0.05 };

/**
 * Finds the day from which a question is answered differently: the split with the largest chi-square; p is multiplied by the number of
 * splits (Bonferroni). `byDay`: answers (first index) by day. null: no possible split.
 */
function findChangePoint(
  outcome: Outcome,
  byDay: ShareTable,
  days: DailyCounts,
): { pValue: number; candidate: Candidate | null } | null {
  const { cells, answers, designSize } = byDay;
  const perDay = byDay.groups.map((_, day) => addCounts(...columnOf(cells, day)).count);
  const all = perDay.reduce((sum, count) => sum + count, 0);
  const least = Math.max(MIN_SIDE.count, MIN_SIDE.share * all);
  const possible: number[] = [];
  let before = 0;
  for (const [day, count] of perDay.entries()) {
    // A split on a day without responses equals the next one.
    if (before >= least && all - before >= least && count > 0) possible.push(day);
    before += count;
  }
  const step = Math.max(1, Math.ceil(possible.length / MAX_SPLITS));
  const splits = possible.filter((_, index) => index % step === 0);
  const tried = splits.flatMap((split) => {
    const name = formatDay(days, split);
    const test = testShares({
      answers,
      groups: [`from ${name} on`, `before ${name}`],
      cells: cells.map((line) => [addCounts(...line.slice(split)), addCounts(...line.slice(0, split))]),
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

const CHECKS = {
  speeder: {
    kind: 'speeders',
    headline: 'Responses completed too fast',
    predicate: 'answered too fast',
  },
  straightliner: {
    kind: 'straightliners',
    headline: 'The same answer throughout a list of statements',
    predicate: 'gave the same answer to too many statements in a list',
  },
} as const;
const ROWS_BETWEEN_YIELDS = 5_000;

/** Reports responses flagged by a quality check with the survey's settings. Yields regularly. null: none. */
function* lowQualityResponses(
  check: RowCheck,
  mask: Uint8Array,
  responseIds: Float64Array,
): Generator<void, Finding | null> {
  if (check.check !== 'speeder' && check.check !== 'straightliner') return null;
  let [checked, flagged] = [0, 0];
  const ids: number[] = [];
  for (let row = 0; row < mask.length; row++) {
    if (row % ROWS_BETWEEN_YIELDS === 0) yield;
    if (mask[row] === 0) continue;
    // Without the number of questions the least time for each of them does not apply.
    const flags = check.evaluate(row, { answers: {}, shownQuestions: 0 });
    if (flags === null) continue;
    checked += 1;
    if (flags.length === 0) continue;
    flagged += 1;
    const id = responseIds[row];
    if (id !== undefined && ids.length < MAX_LISTED) ids.push(id);
  }
  if (flagged === 0) return null;
  const { kind, headline, predicate } = CHECKS[check.check];
  const seconds = check.thresholds['duration_seconds'] ?? null;
  const line = seconds === null ? '' : `, in less than ${roundTo(seconds)} seconds`;
  return {
    id: kind,
    kind,
    headline,
    statement: `${pluralize(flagged, 'response')} of ${formatCount(checked)} (${formatPercent(flagged / checked)}) ${predicate}${line}.`,
    figures: {
      responses: flagged,
      of: checked,
      percent: roundTo((100 * flagged) / checked),
      ...(check.check === 'speeder'
        ? { threshold_seconds: seconds === null ? null : roundTo(seconds, 1) }
        : { identical_share: check.thresholds['max_identical_share'] ?? null }),
    },
    evidence: {
      questionIds: [],
      responseIds: ids.sort((a, b) => a - b),
      responseCount: flagged,
      base: checked,
      pValue: null,
      qValue: null,
      effect: { measure: 'share', value: roundSignificant(flagged / checked) },
    },
  };
}

/** The input for anomaly detection. */
interface AnomalyPlan {
  variables: Variables;
  batteries: readonly CatalogColumn[][];
  quality: QualitySettings;
  /** Mask of complete responses, whose median duration is the reference for speeders. */
  completes: Uint8Array;
}

/** With more links than this, sources are not compared. */
const MAX_SOURCES = 40;

/** Finds anomalies in values and durations, whole responses, days, sources and trends. Yields after each test. Columns must be loaded. */
export function* findAnomalies(input: AnalysisInput, plan: AnomalyPlan): Generator<void, TestResults> {
  const { dataset, rows } = input;
  const { mask } = rows;
  const { responseIds } = dataset;
  const { outcomes, segments } = plan.variables;
  const tests: TestResults = { candidates: [], pValues: [], tested: { pairs: 0, of: 0, tests: 0 } };
  const add = (found: { pValue: number; candidate: Candidate | null } | null) => {
    if (found === null) return;
    const test = tests.pValues.push(found.pValue) - 1;
    if (found.candidate !== null) tests.candidates.push({ candidate: found.candidate, test });
  };
  const describe = (finding: Candidate['finding'] | null) => {
    if (finding === null) return;
    // Equal to a medium effect at a share of 10 %.
    const strength = Math.min(2, 10 * (finding.evidence.effect?.value ?? 0));
    tests.candidates.push({ candidate: { finding, topic: finding.id, strength }, test: null });
  };

  for (const amounts of outlierInputs(input, outcomes)) {
    add(findOutliers(amounts(), mask, responseIds));
    yield;
  }
  const { speeder, straightliner } = plan.quality;
  if (speeder.enabled)
    describe(
      yield* lowQualityResponses(createSpeederCheck(dataset, plan.completes, speeder), mask, responseIds),
    );
  if (straightliner.enabled && plan.batteries.length > 0) {
    const check = createStraightlinerCheck(dataset, plan.batteries, straightliner);
    describe(yield* lowQualityResponses(check, mask, responseIds));
  }
  const startedAt = dataset.column('started_at');
  const startColumn = input.catalog.find('started_at');
  const days =
    startedAt.kind === 'date' && startColumn !== undefined
      ? countDays(startColumn.spec, startedAt.values, mask)
      : null;
  yield;
  if (days !== null) findUnusualDays(days, mask, responseIds).forEach(add);
  const sources = groupByLink(input, segments);
  const surprise = new ImprobabilityScore(rows);
  for (const outcome of outcomes) {
    if (outcome.measured === 'mean' && !outcome.isScale) continue;
    const answers = groupByColumn(dataset, outcome.entry, mask);
    if (answers === null) continue;
    yield;
    surprise.add(answers);
    yield;
    if (days !== null) {
      const groups = {
        coding: days.coding,
        categories: Array.from(days.counts, (_, day) => ({
          label: formatDay(days, day),
          slot: day + 1,
          number: null,
        })),
      };
      add(findChangePoint(outcome, tableOf(outcome, answers, groups), days));
      yield;
    }
    if (sources !== null) {
      const table = tableOf(outcome, answers, sources);
      for (const source of table.groups.keys()) add(testSource(outcome, table, source));
      tests.tested.pairs += 1;
      yield;
    }
  }
  add(surprise.findOutliers(responseIds));
  tests.tested.of = tests.tested.pairs;
  tests.tested.tests = tests.pValues.length;
  return tests;

  function tableOf(outcome: Outcome, answers: Grouping, groups: Grouping): ShareTable {
    const table = countShareTable(answers, groups, rows);
    const names = table.answers.map((label, answerIndex) => (answerIndex === 0 ? null : label));
    return outcome.measured === 'yes' ? { ...table, answers: names } : table;
  }
}

/** Lazily, because each may be large. */
function outlierInputs(
  { dataset, rows }: AnalysisInput,
  outcomes: readonly Outcome[],
): (() => OutlierInput)[] {
  const numbers = outcomes.filter(({ entry }) => isMeasure(entry));
  const createInputs = numbers.map(({ entry, questionId }) => (): OutlierInput => {
    const { columnCode, label } = entry.spec;
    const values = readNumericAnswers(dataset, { entry }, rows.mask.length);
    return {
      kind: 'outliers',
      columnCode,
      label,
      questionIds: [questionId],
      values,
      logarithm: 'where_skewed',
    };
  });
  const durations = dataset.column(DURATION_COLUMN);
  if (durations.kind !== 'numeric') return createInputs;
  return [
    ...createInputs,
    () => {
      const { columnCode, label } = durations.spec;
      const { values } = durations;
      return { kind: 'unusual_durations', columnCode, label, questionIds: [], values, logarithm: 'always' };
    },
  ];
}

/** Returns null if there is one link only, or too many to compare. */
function groupByLink(
  { dataset, rows, linkNames }: AnalysisInput,
  segments: readonly SegmentColumn[],
): Grouping | null {
  const link = segments.find(({ kind }) => kind === 'link');
  const groups = link === undefined ? null : groupBySegment(dataset, link, { mask: rows.mask, linkNames });
  if (groups === null || groups.categories.length < 2 || groups.categories.length > MAX_SOURCES) return null;
  return groups;
}

/** Tests whether respondents of one link answer differently from all others. */
function testSource(outcome: Outcome, { answers, groups, cells, designSize }: ShareTable, source: number) {
  const base = addCounts(...columnOf(cells, source)).count;
  const name = groups[source] ?? '';
  const test =
    base < MIN_BASE
      ? null
      : testShares({
          answers,
          groups: [`from the link “${name}”`, 'from other links'],
          cells: cells.map((line) => [
            line[source] ?? NO_RESPONSES,
            addCounts(...line.filter((_, group) => group !== source)),
          ]),
          designSize,
        });
  if (test === null) return null;
  const candidate = differenceFinding({ kind: 'source_differs', outcome, segment: null, part: name }, test);
  return { pValue: test.pValue, candidate };
}
