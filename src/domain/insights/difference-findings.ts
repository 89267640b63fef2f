import {
  addCounts,
  computeEffectiveBase,
  type Count,
  effectiveCount,
  selectCountedRows,
} from '../statistics/base.ts';
import { countCrossing, type TableRows } from '../statistics/crosstab/count-crossing.ts';
import { computeMoments, computeNetPromoterScore } from '../statistics/moments.ts';
import { type Tally, tallyNumbers } from '../statistics/tally.ts';
import {
  cohensH,
  type MeanDifference,
  npsInterval,
  type ShareDifference,
  wilsonInterval,
} from './difference.ts';
import {
  type AnomalyKind,
  type Candidate,
  formatCount,
  formatPercent,
  type InsightKind,
  MIN_BASE,
  quoteLabel,
  roundSignificant,
  roundTo,
} from './finding.ts';
import type { Grouping, Outcome, SegmentColumn } from './variables.ts';

/** The variables between which a difference was found. */
export interface DifferenceContext {
  kind: Extract<
    InsightKind | AnomalyKind,
    'difference' | 'trend_break' | 'driver' | 'change_point' | 'source_differs'
  >;
  outcome: Outcome;
  /** null: the group names are complete descriptions. */
  segment: Pick<SegmentColumn, 'entry' | 'questionId' | 'kind'> | null;
  /** Distinguishes this finding from others of the same two variables. */
  part?: string;
}

/** Minimum effect sizes to report, however significant: Cohen's "small". */
const SMALL = { w: 0.1, h: 0.2, d: 0.2 };
const MEDIUM = { w: 0.3, d: 0.5 };

/** Creates the finding of a difference; null if the effect is too small. */
export function differenceFinding(
  found: DifferenceContext,
  test: ShareDifference | MeanDifference,
): Candidate | null {
  const { kind, outcome, segment, part } = found;
  const questionIds = [...new Set([outcome.questionId, segment?.questionId ?? null])].filter(
    (id) => id !== null,
  );
  const codes = [outcome, ...(segment === null ? [] : [segment])].map(({ entry }) => entry.spec.columnCode);
  const id = [kind, ...codes, ...(part === undefined ? [] : [part])].join(':');
  const topic = [
    TOPICS.get(kind) ?? 'pair',
    ...pairOf(outcome, segment),
    ...(kind === 'source_differs' ? [part] : []),
  ].join(':');
  const common = { id, kind, headline: headlineOf(found) };
  if (test.kind === 'shares') {
    if (test.w < SMALL.w || Math.abs(test.h) < SMALL.h) return null;
    return {
      topic,
      strength: test.w / MEDIUM.w,
      finding: {
        ...common,
        ...describeShares(found, test),
        evidence: {
          ...evidence(questionIds, test),
          effect: { measure: 'cramers_v', value: roundSignificant(test.cramersV) },
        },
      },
    };
  }
  if (Math.abs(test.d) < SMALL.d) return null;
  return {
    topic,
    strength: Math.abs(test.d) / MEDIUM.d,
    finding: {
      ...common,
      ...describeMeans(found, test),
      evidence: {
        ...evidence(questionIds, test),
        effect: { measure: 'cohens_d', value: roundSignificant(test.d) },
      },
    },
  };
}

const TOPICS: ReadonlyMap<DifferenceContext['kind'], string> = new Map([
  ['trend_break', 'time'],
  ['change_point', 'change'],
  ['source_differs', 'source'],
]);

/** Returns the key of two variables in either order, by whole question, so that its rows and options share a topic. */
function pairOf(outcome: Outcome, segment: DifferenceContext['segment']): string[] {
  if (segment === null) return [String(outcome.questionId)];
  return [String(outcome.questionId), String(segment.questionId ?? segment.entry.spec.columnCode)].sort();
}

const evidence = (questionIds: readonly number[], { base, pValue }: { base: number; pValue: number }) => {
  return { questionIds, responseIds: null, responseCount: null, base, pValue, qValue: null };
};

function headlineOf({ kind, outcome, segment, part }: DifferenceContext): string {
  const questionLabel = quoteLabel(outcome.entry.spec.label);
  if (kind === 'trend_break') return `${questionLabel} changed between two waves`;
  if (segment === null) {
    if (kind === 'change_point') return `Answers to ${questionLabel} changed on ${part ?? 'some day'}`;
    return `Respondents from the link ${quoteLabel(part ?? 'one link')} answered ${questionLabel} differently`;
  }
  if (kind === 'driver') return `${questionLabel} is related to ${quoteLabel(segment.entry.spec.label)}`;
  return `${questionLabel} differs by ${segmentName(segment)}`;
}

const segmentName = ({ entry, kind }: NonNullable<DifferenceContext['segment']>): string =>
  kind === 'question' ? quoteLabel(entry.spec.label) : kind;

/** Describes a group of a segment in a sentence. */
function describeGroup({ segment, kind }: DifferenceContext, label: string): string {
  if (segment === null) return `respondents ${label}`;
  if (kind === 'driver')
    return `respondents with ${quoteLabel(label)} for ${quoteLabel(segment.entry.spec.label)}`;
  if (segment.kind === 'question')
    return `respondents with ${quoteLabel(label)} for ${quoteLabel(segment.entry.spec.label)}`;
  return `respondents of ${segment.kind} ${quoteLabel(label)}`;
}

function describeShares(
  found: DifferenceContext,
  { answer, group, others, h, pValue, cramersV }: ShareDifference,
) {
  const { outcome } = found;
  const questionLabel = quoteLabel(outcome.entry.spec.label);
  const formatBase = (base: number) => `of ${formatCount(base)}`;
  const chose =
    outcome.measured === 'yes'
      ? `chose ${questionLabel}`
      : `answered ${quoteLabel(answer)} to ${questionLabel}`;
  const rest =
    others.label === null
      ? `${formatPercent(others.share)} ${formatBase(others.base)} of all others`
      : `${formatPercent(others.share)} ${formatBase(others.base)} ${describeGroup(found, others.label)}`;
  return {
    statement:
      `${formatPercent(group.share)} ${formatBase(group.base)} ${describeGroup(found, group.label)} ${chose}, compared with ${rest} ` +
      `(Cramér's V ${roundTo(cramersV, 2)}, ${formatPValue(pValue)}).`,
    figures: {
      answer: outcome.measured === 'yes' ? null : answer,
      group: group.label,
      group_percent: roundTo(100 * group.share),
      group_base: group.base,
      compared_with: others.label,
      compared_percent: roundTo(100 * others.share),
      compared_base: others.base,
      difference_points: roundTo(100 * (group.share - others.share)),
      cohens_h: roundSignificant(h),
      cramers_v: roundSignificant(cramersV),
      p_value: roundSignificant(pValue),
    },
  };
}

function describeMeans(found: DifferenceContext, { higher, lower, d, pValue }: MeanDifference) {
  const questionLabel = quoteLabel(found.outcome.entry.spec.label);
  return {
    statement:
      `The mean of ${questionLabel} is ${roundTo(higher.mean, 2)} among ${formatCount(higher.base)} ${describeGroup(found, higher.label)}, compared with ` +
      `${roundTo(lower.mean, 2)} among ${formatCount(lower.base)} ${describeGroup(found, lower.label)} (Cohen's d ${roundTo(d, 2)}, ${formatPValue(pValue)}).`,
    figures: {
      group: higher.label,
      group_mean: roundSignificant(higher.mean),
      group_base: higher.base,
      compared_with: lower.label,
      compared_mean: roundSignificant(lower.mean),
      compared_base: lower.base,
      difference: roundSignificant(higher.mean - lower.mean),
      cohens_d: roundSignificant(d),
      p_value: roundSignificant(pValue),
    },
  };
}

/** `p < 0.001`, `p = 0.012`. */
export const formatPValue = (pValue: number): string =>
  pValue < 0.001 ? 'p < 0.001' : `p = ${roundTo(pValue, 3)}`;

/** Minimum share of a clear majority, whose interval must be above one half. */
const CLEAR_SHARE = 0.6;
/** Minimum share of the two highest points to report. */
const HIGH_TOP_BOX = 0.6;
const MEDIUM_H = 0.5;

const NO_TEST = { responseIds: null, responseCount: null, pValue: null, qValue: null };

/** Reports a choice made by a clear majority; null if there is none. */
export function majorityFinding(outcome: Outcome, answers: Grouping, rows: TableRows): Candidate | null {
  const one = { indices: new Int16Array(rows.mask.length), offset: 0, size: 1 };
  const { counts, weights, squares } = countCrossing(answers.coding, one, rows);
  const counted = answers.categories.map(({ label, slot }): Count & { label: string } => ({
    label,
    count: counts[slot] ?? 0,
    weight: weights[slot] ?? 0,
    squaredWeight: squares[slot] ?? 0,
  }));
  const base = addCounts(...counted);
  const [first, ...others] = outcome.measured === 'yes' ? counted.slice(-1) : counted;
  if (first === undefined || base.count < MIN_BASE) return null;
  const most = others.reduce((best, one) => (one.weight > best.weight ? one : best), first);
  const share = most.weight / base.weight;
  const { low, high } = wilsonInterval(share, effectiveCount(base));
  if (share < CLEAR_SHARE || low <= 0.5) return null;
  const { spec } = outcome.entry;
  const answer = most.label;
  const chose =
    outcome.measured === 'yes'
      ? `chose ${quoteLabel(spec.label)}`
      : `answered ${quoteLabel(answer)} to ${quoteLabel(spec.label)}`;
  return {
    topic: `standout:${outcome.questionId}`,
    strength: cohensH(Math.min(1, share), 0.5) / MEDIUM_H,
    finding: {
      id: `majority:${spec.columnCode}`,
      kind: 'majority',
      headline: `A clear majority for ${quoteLabel(outcome.measured === 'yes' ? spec.label : answer)}`,
      statement: `${formatPercent(share)} of ${formatCount(base.count)} respondents ${chose} (95 % interval ${formatPercent(low)} to ${formatPercent(high)}).`,
      figures: {
        answer: outcome.measured === 'yes' ? null : answer,
        percent: roundTo(100 * share),
        low_percent: roundTo(100 * low),
        high_percent: roundTo(100 * high),
        base: base.count,
      },
      evidence: {
        ...NO_TEST,
        questionIds: [outcome.questionId],
        base: base.count,
        effect: { measure: 'share', value: roundSignificant(share) },
      },
    },
  };
}

/** Reports a Net Promoter Score, or a scale on which most chose the two highest points. */
export function levelFinding(
  outcome: Outcome,
  values: Float64Array,
  { mask, weights }: TableRows,
): Candidate | null {
  if (!outcome.isScale) return null;
  const tally = tallyNumbers(values, selectCountedRows(mask, weights));
  const { count } = computeMoments(tally);
  if (count < MIN_BASE) return null;
  return outcome.isNps ? npsFinding(outcome, tally, count) : topBoxFinding(outcome, tally, count);
}

const effectiveOf = ({ weights, squaredWeights }: Tally): number =>
  computeEffectiveBase(
    weights.reduce((sum, weight) => sum + weight, 0),
    squaredWeights.reduce((sum, weight) => sum + weight, 0),
  );

/** Returns the weighted share of the values that satisfy a predicate. */
function shareOf({ values, weights }: Tally, takes: (value: number) => boolean): number {
  let weightTaken = 0;
  let all = 0;
  for (const [index, value] of values.entries()) {
    const weight = weights[index] ?? 0;
    all += weight;
    if (takes(value)) weightTaken += weight;
  }
  return weightTaken / all;
}

function npsFinding({ entry, questionId }: Outcome, tally: Tally, base: number): Candidate | null {
  const score = computeNetPromoterScore(tally);
  if (score === null) return null;
  const promoters = shareOf(tally, (value) => value >= 9);
  const detractors = shareOf(tally, (value) => value <= 6);
  const { low, high } = npsInterval(promoters, detractors, effectiveOf(tally));
  return {
    topic: `standout:${questionId}`,
    // The NPS is always reported.
    strength: 1,
    finding: {
      id: `nps:${entry.spec.columnCode}`,
      kind: 'nps',
      headline: `The Net Promoter Score of ${quoteLabel(entry.spec.label)}`,
      statement:
        `The Net Promoter Score of ${quoteLabel(entry.spec.label)} is ${roundTo(score)} (95 % interval ${roundTo(low)} to ${roundTo(high)}): ` +
        `${formatPercent(promoters)} promoters and ${formatPercent(detractors)} detractors among ${formatCount(base)} respondents.`,
      figures: {
        nps: roundTo(score),
        low: roundTo(low),
        high: roundTo(high),
        promoters_percent: roundTo(100 * promoters),
        detractors_percent: roundTo(100 * detractors),
        base,
      },
      evidence: { ...NO_TEST, questionIds: [questionId], base, effect: null },
    },
  };
}

function topBoxFinding({ entry, questionId }: Outcome, tally: Tally, base: number): Candidate | null {
  const points = entry.spec.values.filter(({ missing }) => !missing).map(({ number }) => number);
  const best = points.sort((a, b) => a - b).slice(-2);
  if (points.length < 4) return null;
  const share = shareOf(tally, (value) => best.includes(value));
  const { low, high } = wilsonInterval(share, effectiveOf(tally));
  if (share < HIGH_TOP_BOX || low <= 0.5) return null;
  const { mean } = computeMoments(tally);
  if (mean === null) return null;
  return {
    topic: `standout:${questionId}`,
    strength: cohensH(Math.min(1, share), 0.5) / MEDIUM_H,
    finding: {
      id: `top_box:${entry.spec.columnCode}`,
      kind: 'top_box',
      headline: `Most respondents gave one of the two highest answers to ${quoteLabel(entry.spec.label)}`,
      statement:
        `${formatPercent(share)} of ${formatCount(base)} respondents gave one of the two highest answers, ${best.join(' or ')}, to ` +
        `${quoteLabel(entry.spec.label)} (95 % interval ${formatPercent(low)} to ${formatPercent(high)}; mean ${roundTo(mean, 2)}).`,
      figures: {
        percent: roundTo(100 * share),
        low_percent: roundTo(100 * low),
        high_percent: roundTo(100 * high),
        mean: roundSignificant(mean),
        base,
      },
      evidence: {
        ...NO_TEST,
        questionIds: [questionId],
        base,
        effect: { measure: 'share', value: roundSignificant(share) },
      },
    },
  };
}
