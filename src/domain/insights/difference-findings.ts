import type { MeanDifference, ShareDifference } from './difference.ts';
import type { AnomalyKind, Candidate, InsightKind } from './finding.ts';
import { named, percent, rounded, significant, counted } from './in-words.ts';
import type { Outcome, SegmentColumn } from './variables.ts';

/** Where a difference was found. */
export interface Found {
  kind: Extract<
    InsightKind | AnomalyKind,
    'difference' | 'trend_break' | 'driver' | 'change_point' | 'source_differs'
  >;
  outcome: Outcome;
  /** null: groups that say themselves what they are. */
  segment: Pick<SegmentColumn, 'entry' | 'questionId' | 'kind'> | null;
  /** What tells this one from others of the same two variables. */
  part?: string;
}

/** Smaller effects are not told, however sure: Cohen's "small". */
const SMALL = { w: 0.1, h: 0.2, d: 0.2 };
const MEDIUM = { w: 0.3, d: 0.5 };

/** null: too small to be told. */
export function differenceFinding(found: Found, test: ShareDifference | MeanDifference): Candidate | null {
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
        ...saidOfShares(found, test),
        evidence: {
          ...evidence(questionIds, test),
          effect: { measure: 'cramers_v', value: significant(test.cramersV) },
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
      ...saidOfMeans(found, test),
      evidence: {
        ...evidence(questionIds, test),
        effect: { measure: 'cohens_d', value: significant(test.d) },
      },
    },
  };
}

const TOPICS: ReadonlyMap<Found['kind'], string> = new Map([
  ['trend_break', 'time'],
  ['change_point', 'change'],
  ['source_differs', 'source'],
]);

/** The two variables, whichever way round: a question as a whole, so that its rows and options are one. */
function pairOf(outcome: Outcome, segment: Found['segment']): string[] {
  if (segment === null) return [String(outcome.questionId)];
  return [String(outcome.questionId), String(segment.questionId ?? segment.entry.spec.columnCode)].sort();
}

const evidence = (questionIds: readonly number[], { base, pValue }: { base: number; pValue: number }) => {
  return { questionIds, responseIds: null, responseCount: null, base, pValue, qValue: null };
};

function headlineOf({ kind, outcome, segment, part }: Found): string {
  const what = named(outcome.entry.spec.label);
  if (kind === 'trend_break') return `${what} changed from one wave to the next`;
  if (segment === null) {
    if (kind === 'change_point') return `${what} was answered differently from ${part ?? 'some day'} on`;
    return `Those who came over ${named(part ?? 'one link')} answered ${what} differently`;
  }
  if (kind === 'driver') return `${what} goes with ${named(segment.entry.spec.label)}`;
  return `${what} differs by ${segmentName(segment)}`;
}

const segmentName = ({ entry, kind }: NonNullable<Found['segment']>): string =>
  kind === 'question' ? named(entry.spec.label) : kind;

/** How groups of a segment are told of. */
function among({ segment, kind }: Found, label: string): string {
  if (segment === null) return `respondents ${label}`;
  if (kind === 'driver') return `respondents with ${named(label)} for ${named(segment.entry.spec.label)}`;
  if (segment.kind === 'question')
    return `respondents with ${named(label)} for ${named(segment.entry.spec.label)}`;
  return `respondents of ${segment.kind} ${named(label)}`;
}

function saidOfShares(found: Found, { answer, group, others, h, pValue, cramersV }: ShareDifference) {
  const { outcome } = found;
  const what = named(outcome.entry.spec.label);
  const of = (base: number) => `of ${counted(base)}`;
  const chose = outcome.measured === 'yes' ? `chose ${what}` : `answered ${named(answer)} to ${what}`;
  const rest =
    others.label === null
      ? `${percent(others.share)} ${of(others.base)} of all others`
      : `${percent(others.share)} ${of(others.base)} ${among(found, others.label)}`;
  return {
    statement:
      `${percent(group.share)} ${of(group.base)} ${among(found, group.label)} ${chose}, against ${rest} ` +
      `(Cramér's V ${rounded(cramersV, 2)}, ${pInWords(pValue)}).`,
    figures: {
      answer: outcome.measured === 'yes' ? null : answer,
      group: group.label,
      group_percent: rounded(100 * group.share),
      group_base: group.base,
      compared_with: others.label,
      compared_percent: rounded(100 * others.share),
      compared_base: others.base,
      difference_points: rounded(100 * (group.share - others.share)),
      cohens_h: significant(h),
      cramers_v: significant(cramersV),
      p_value: significant(pValue),
    },
  };
}

function saidOfMeans(found: Found, { higher, lower, d, pValue }: MeanDifference) {
  const what = named(found.outcome.entry.spec.label);
  return {
    statement:
      `The mean of ${what} is ${rounded(higher.mean, 2)} among ${counted(higher.base)} ${among(found, higher.label)}, against ` +
      `${rounded(lower.mean, 2)} among ${counted(lower.base)} ${among(found, lower.label)} (Cohen's d ${rounded(d, 2)}, ${pInWords(pValue)}).`,
    figures: {
      group: higher.label,
      group_mean: significant(higher.mean),
      group_base: higher.base,
      compared_with: lower.label,
      compared_mean: significant(lower.mean),
      compared_base: lower.base,
      difference: significant(higher.mean - lower.mean),
      cohens_d: significant(d),
      p_value: significant(pValue),
    },
  };
}

/** `p < 0.001`, `p = 0.012`. */
export const pInWords = (pValue: number): string =>
  pValue < 0.001 ? 'p < 0.001' : `p = ${rounded(pValue, 3)}`;
