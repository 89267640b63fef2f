import { countTableRows } from '../statistics/crosstab/count-crossing.ts';
import type { Column } from '../columns/columns.ts';
import type { MeanFigure } from '../statistics/moments.ts';
import type { SurveyDefinition } from '../survey/definition.ts';
import {
  type AnalysisInput,
  groupByColumn,
  groupBySegment,
  isIdentifier,
  type Grouping,
  type Outcome,
  readNumericAnswers,
  type SegmentColumn,
  type Variables,
} from './variables.ts';
import {
  type DifferenceContext,
  differenceFinding,
  formatPValue,
  levelFinding,
  majorityFinding,
} from './difference-findings.ts';
import { addCounts } from '../statistics/base.ts';
import {
  columnOf,
  computeCorrelation,
  countShareTable,
  meansOfGroups,
  meansOfPoints,
  testMeans,
  testShares,
  wilsonInterval,
} from './difference.ts';
import {
  type Candidate,
  FALSE_DISCOVERY_RATE,
  type Finding,
  formatCount,
  formatPercent,
  MIN_BASE,
  quoteLabel,
  roundSignificant,
  roundTo,
} from './finding.ts';

/** Minimum share of unfinished responses to report. */
const NOTABLE_SHARE = 0.1;

/** Masks of complete and partial responses, and the last page each submitted. */
interface CompletionData {
  complete: Uint8Array;
  partial: Uint8Array;
  lastPage: Column;
}

/** Reports the share of unfinished responses and the page after which most left; null if few, or too few responses. Ignores weights. */
export function completionFinding({ pages }: SurveyDefinition, endings: CompletionData): Finding | null {
  const { complete, partial, lastPage } = endings;
  const sum = (mask: Uint8Array) => mask.reduce((total, counts) => total + counts, 0);
  const left = sum(partial);
  const base = sum(complete) + left;
  const share = left / base;
  if (base < MIN_BASE || share < NOTABLE_SHARE) return null;
  const byPage = new Map<number, number>();
  if (lastPage.kind === 'numeric') {
    for (let row = 0; row < partial.length; row++) {
      const page = lastPage.values[row] ?? NaN;
      if (partial[row] === 1 && !Number.isNaN(page)) byPage.set(page, (byPage.get(page) ?? 0) + 1);
    }
  }
  const ordered = pages.map(({ id, title = null }, index) => {
    return { number: index + 1, title, left: byPage.get(id) ?? 0 };
  });
  const worst = ordered.reduce<(typeof ordered)[number] | null>(
    (best, page) => (page.left > (best?.left ?? 0) ? page : best),
    null,
  );
  const { low, high } = wilsonInterval(share, base);
  const pageTitle = worst === null || worst.title === null ? '' : `, ${quoteLabel(worst.title)}`;
  const pageText =
    worst === null
      ? ''
      : ` Most drop-outs with a recorded last page (${formatCount(worst.left)}) left after page ${worst.number}${pageTitle}.`;
  return {
    id: 'completion',
    kind: 'completion',
    headline: 'Many respondents did not finish',
    statement: `${formatPercent(share)} of ${formatCount(base)} respondents who started did not finish (95 % interval ${formatPercent(low)} to ${formatPercent(high)}).${pageText}`,
    figures: {
      unfinished: left,
      began: base,
      unfinished_percent: roundTo(100 * share),
      low_percent: roundTo(100 * low),
      high_percent: roundTo(100 * high),
      page: worst?.number ?? null,
      page_title: worst?.title ?? null,
      left_after_page: worst?.left ?? null,
    },
    evidence: {
      questionIds: [],
      responseIds: null,
      responseCount: null,
      base,
      pValue: null,
      qValue: null,
      effect: { measure: 'share', value: roundSignificant(share) },
    },
  };
}

/** Number of comparisons made and possible. */
interface Tested {
  /** Compared pairs of a question with a question or metadata column. */
  pairs: number;
  of: number;
  /** Number of p-values in the correction. */
  tests: number;
}

/** The p-values of all tests in order, and the candidate findings. */
export interface TestResults {
  candidates: { candidate: Candidate; test: number | null }[];
  pValues: number[];
  tested: Tested;
}

/** Maximum number of compared pairs, and of rows scanned for them. */
const MAX_PAIRS = 5_000;
const MAX_ROW_VISITS = 2_000_000_000;
const MIN_PAIRS = 500;
const MEDIUM_R = 0.3;
const SMALL_R = 0.1;

interface GroupedSegment extends SegmentColumn {
  groups: Grouping;
}

/**
 * Finds insights: notable answers of each question, differences between segments, drivers of the key measure, and trend breaks between
 * waves. Yields after each pair. Columns must be loaded.
 */
export function* findInsights(
  input: AnalysisInput,
  { outcomes, segments, key }: Variables,
): Generator<void, TestResults> {
  const { dataset, rows } = input;
  const rowCount = rows.mask.length;
  const designSize = rows.weights === null ? null : countTableRows(rows);
  const open: GroupedSegment[] = [];
  for (const segment of segments) {
    const groups = groupBySegment(dataset, segment, { mask: rows.mask, linkNames: input.linkNames });
    if (groups !== null && groups.categories.length > 1) open.push({ ...segment, groups });
    yield;
  }
  const pairs = createPairs(outcomes, open, key);
  const kept = samplePairs(pairs, rowCount);
  const tests: TestResults = {
    candidates: [],
    pValues: [],
    tested: { pairs: kept.size, of: pairs.length, tests: 0 },
  };
  const add = (candidate: Candidate | null, test: number | null = null) => {
    if (candidate !== null) tests.candidates.push({ candidate, test });
  };
  const addDifference = (found: DifferenceContext, test: Parameters<typeof differenceFinding>[1] | null) => {
    if (test === null) return;
    add(differenceFinding(found, test), tests.pValues.push(test.pValue) - 1);
  };
  const keyMeasure = key === null ? null : { key, values: readNumericAnswers(dataset, key, rowCount) };
  const comparedPairs = pairs.filter((_, index) => kept.has(index));
  for (const outcome of outcomes) {
    const outcomePairs = comparedPairs.filter((pair) => pair.outcome === outcome);
    if (outcome.measured === 'mean') {
      const values = readNumericAnswers(dataset, outcome, rowCount);
      if (isIdentifier(outcome.entry, values, rows.mask)) continue;
      add(levelFinding(outcome, values, rows));
      const points = outcome.isScale ? groupByColumn(dataset, outcome.entry, rows.mask) : null;
      yield;
      for (const { segment } of outcomePairs) {
        if (segment === 'key') addCorrelation(outcome, values);
        else compareAllMeans(outcome, segment, meansOf(values, points, segment.groups));
        yield;
      }
    } else {
      const answers = groupByColumn(dataset, outcome.entry, rows.mask);
      if (answers === null) continue;
      add(majorityFinding(outcome, answers, rows));
      yield;
      for (const { segment } of outcomePairs) {
        if (segment === 'key') compareKey(outcome, answers);
        else compareAllShares(outcome, segment, answers);
        yield;
      }
    }
  }
  tests.tested.tests = tests.pValues.length;
  return tests;

  function meansOf(values: Float64Array, points: Grouping | null, groups: Grouping) {
    if (points === null) return meansOfGroups(values, groups, rows);
    return meansOfPoints(points.categories, countShareTable(points, groups, rows), designSize);
  }

  function compareAllMeans(outcome: Outcome, segment: GroupedSegment, means: MeanFigure[]) {
    const labels = segment.groups.categories.map(({ label }) => label);
    addDifference({ kind: 'difference', outcome, segment }, testMeans(means, labels));
    if (segment.kind !== 'wave') return;
    let previous: { label: string; mean: MeanFigure } | null = null;
    for (const [index, { label, slot }] of segment.groups.categories.entries()) {
      const mean = means[index];
      if (mean === undefined || mean.count < MIN_BASE) continue;
      if (previous !== null) {
        const test = testMeans([previous.mean, mean], [previous.label, label]);
        addDifference({ kind: 'trend_break', outcome, segment, part: `${slot}` }, test);
      }
      previous = { label, mean };
    }
  }

  function compareAllShares(outcome: Outcome, segment: GroupedSegment, answers: Grouping) {
    const table = countShareTable(answers, segment.groups, rows);
    if (outcome.measured === 'yes')
      table.answers = table.answers.map((label, index) => (index === 0 ? null : label));
    addDifference({ kind: 'difference', outcome, segment }, testShares(table));
    if (segment.kind !== 'wave') return;
    let previous: { label: string; index: number } | null = null;
    for (const [index, { label, slot }] of segment.groups.categories.entries()) {
      if (addCounts(...columnOf(table.cells, index)).count < MIN_BASE) continue;
      if (previous !== null) {
        const compared = [index, previous.index];
        const test = testShares({
          answers: table.answers,
          groups: [label, previous.label],
          cells: table.cells.map((line) => compared.flatMap((group) => line[group] ?? [])),
          designSize: table.designSize,
        });
        addDifference({ kind: 'trend_break', outcome, segment, part: `${slot}` }, test);
      }
      previous = { label, index };
    }
  }

  /** Tests whether the key measure differs between respondents who chose an option and those who did not. */
  function compareKey(option: Outcome, groups: Grouping) {
    if (keyMeasure === null) return;
    const means = meansOfGroups(keyMeasure.values, groups, rows);
    const labels = groups.categories.map(({ label }) => label);
    const segment = { entry: option.entry, questionId: option.questionId, kind: 'question' as const };
    addDifference({ kind: 'driver', outcome: keyMeasure.key, segment }, testMeans(means, labels));
  }

  function addCorrelation(outcome: Outcome, values: Float64Array) {
    if (keyMeasure === null) return;
    const { key: measure } = keyMeasure;
    const found = computeCorrelation(values, keyMeasure.values, rows);
    if (found === null || found.base < MIN_BASE) return;
    const test = tests.pValues.push(found.pValue) - 1;
    if (Math.abs(found.r) < SMALL_R) return;
    const { spec } = outcome.entry;
    const [outcomeLabel, measureLabel] = [quoteLabel(spec.label), quoteLabel(measure.entry.spec.label)];
    const direction = found.r > 0 ? 'higher' : 'lower';
    add(
      {
        topic: ['pair', ...[String(outcome.questionId), String(measure.questionId)].sort()].join(':'),
        strength: Math.abs(found.r) / MEDIUM_R,
        finding: {
          id: `driver:${spec.columnCode}:${measure.entry.spec.columnCode}`,
          kind: 'driver',
          headline: `${outcomeLabel} is related to ${measureLabel}`,
          statement:
            `The higher ${outcomeLabel}, the ${direction} ${measureLabel}: correlation ${roundTo(found.r, 2)} among ${formatCount(found.base)} respondents ` +
            `(${formatPValue(found.pValue)}). A correlation does not show which one influences the other.`,
          figures: {
            correlation: roundSignificant(found.r),
            base: found.base,
            p_value: roundSignificant(found.pValue),
          },
          evidence: {
            questionIds: [outcome.questionId, measure.questionId],
            responseIds: null,
            responseCount: null,
            base: found.base,
            pValue: found.pValue,
            qValue: null,
            effect: { measure: 'pearson_r', value: roundSignificant(found.r) },
          },
        },
      },
      test,
    );
  }
}

interface Pair {
  outcome: Outcome;
  /** `key`: correlate with the key measure. */
  segment: GroupedSegment | 'key';
}

/**
 * Returns pairs of every outcome with every segment of another question (two choices only once) and with the key measure, in outcome order.
 */
function createPairs(
  outcomes: readonly Outcome[],
  segments: readonly GroupedSegment[],
  key: Outcome | null,
): Pair[] {
  const asOutcomes = new Map(outcomes.map(({ entry, measured }, index) => [entry, { measured, index }]));
  const sizeOf = ({ entry }: Pick<Outcome, 'entry'>) => entry.spec.values.length;
  const isOwnSegment = new Set(segments.map(({ entry }) => entry));
  return outcomes.flatMap((outcome, index): Pair[] => {
    const bySegment = segments.flatMap((segment): Pair[] => {
      if (segment.questionId === outcome.questionId) return [];
      const mirror = asOutcomes.get(segment.entry);
      if (mirror !== undefined && isOwnSegment.has(outcome.entry)) {
        // An ordered choice is the outcome, the unordered one the segment.
        if (mirror.measured !== outcome.measured)
          return outcome.measured === 'mean' ? [{ outcome, segment }] : [];
        // The choice with fewer options is the segment; for ties, the earlier one.
        const [own, other] = [sizeOf(outcome), sizeOf(segment)];
        if (other > own || (other === own && mirror.index > index)) return [];
      }
      return [{ outcome, segment }];
    });
    const byKey = key !== null && outcome.questionId !== key.questionId && outcome.measured !== 'shares';
    return byKey ? [...bySegment, { outcome, segment: 'key' }] : bySegment;
  });
}

/** Returns the indexes of the pairs to compare: all, or an even sample. */
function samplePairs(pairs: readonly Pair[], rowCount: number): Set<number> {
  const most = Math.min(MAX_PAIRS, Math.max(MIN_PAIRS, Math.floor(MAX_ROW_VISITS / Math.max(1, rowCount))));
  if (pairs.length <= most) return new Set(pairs.keys());
  return new Set(Array.from({ length: most }, (_, index) => Math.floor((index * pairs.length) / most)));
}

/**
 * Returns q-values (false discovery rates), parallel to the p-values: R `p.adjust(p, "BH")`. Y. Benjamini, Y. Hochberg, "Controlling the
 * false discovery rate", J. R. Statist. Soc. B 57 (1995).
 */
export function falseDiscoveryRates(pValues: readonly number[]): number[] {
  const descending = pValues.map((pValue, index) => ({ pValue, index })).sort((a, b) => b.pValue - a.pValue);
  const rates = new Array<number>(pValues.length);
  let least = 1;
  for (const [position, { pValue, index }] of descending.entries()) {
    least = Math.min(least, (pValue * pValues.length) / (pValues.length - position));
    rates[index] = least;
  }
  return rates;
}

interface Limits {
  maxFindings: number;
  /** Maximum number of findings per question. */
  maxPerQuestion: number;
  /** Maximum number of descriptive findings, without a test. */
  maxDescriptive: number;
}

const LIMITS: Limits = { maxFindings: 25, maxPerQuestion: 4, maxDescriptive: 8 };
/** Evidence is capped at q = 10^-10. */
const MAX_EVIDENCE = 10;
/** Evidence assigned to descriptive findings. */
const DESCRIPTIVE_EVIDENCE = 4;

interface Scored {
  candidate: Candidate;
  score: number;
}

/**
 * Returns significant findings (after correction over all tests) and descriptive ones, ranked by effect times evidence, only the best per
 * topic.
 */
export function rankFindings(
  { candidates, pValues }: Pick<TestResults, 'candidates' | 'pValues'>,
  limits = LIMITS,
): Finding[] {
  const rates = falseDiscoveryRates(pValues);
  const scored = candidates.flatMap(({ candidate, test }): Scored[] => {
    if (test === null) return [{ candidate, score: scoreOf(candidate.strength, DESCRIPTIVE_EVIDENCE) }];
    const rate = rates[test] ?? 1;
    if (rate > FALSE_DISCOVERY_RATE) return [];
    const { finding } = candidate;
    const evidence = { ...finding.evidence, qValue: rate };
    const figures = { ...finding.figures, q_value: roundSignificant(rate) };
    const score = scoreOf(candidate.strength, Math.min(MAX_EVIDENCE, -Math.log10(rate)));
    return [{ candidate: { ...candidate, finding: { ...finding, evidence, figures } }, score }];
  });
  scored.sort((a, b) => b.score - a.score || (a.candidate.finding.id < b.candidate.finding.id ? -1 : 1));
  return selectTopFindings(scored, limits);
}

/** A large but barely significant effect, and a small but highly significant one, both rank below a large significant one. */
const scoreOf = (strength: number, evidence: number): number => strength * (1 + evidence);

function selectTopFindings(
  scored: readonly Scored[],
  { maxFindings, maxPerQuestion, maxDescriptive }: Limits,
): Finding[] {
  const topics = new Set<string>();
  const countByQuestion = new Map<number, number>();
  let describing = 0;
  const selected: Finding[] = [];
  // A break between two waves is more specific than a difference between waves.
  const breaks = new Set(
    scored.flatMap(({ candidate: { topic } }) =>
      topic.startsWith('time:') ? [topic.slice('time:'.length)] : [],
    ),
  );
  for (const { candidate } of scored) {
    const { finding, topic } = candidate;
    const { questionIds, pValue } = finding.evidence;
    if (selected.length === maxFindings) break;
    if (topics.has(topic) || (topic.startsWith('pair:') && breaks.has(topic.slice('pair:'.length)))) continue;
    if (pValue === null && describing === maxDescriptive) continue;
    const isFull = questionIds.some(
      (id) => (countByQuestion.get(id) ?? 0) >= maxPerQuestion * questionIds.length,
    );
    if (isFull) continue;
    topics.add(topic);
    if (pValue === null) describing += 1;
    for (const id of questionIds) countByQuestion.set(id, (countByQuestion.get(id) ?? 0) + 1);
    selected.push(finding);
  }
  return selected;
}
