import type { MeanDifference, ShareDifference } from './difference.ts';
import {
  type AnomalyKind,
  type Candidate,
  formatCount,
  formatPercent,
  type InsightKind,
  quoteLabel,
  roundSignificant,
  roundTo,
} from './finding.ts';
import type { Outcome, SegmentColumn } from './variables.ts';

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
