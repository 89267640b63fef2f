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
  type Candidate,
  formatCount,
  formatPercent,
  MIN_BASE,
  quoteLabel,
  roundSignificant,
  roundTo,
} from './finding.ts';
import type { Grouping, Outcome } from './variables.ts';
import { cohensH, npsInterval, wilsonInterval } from './difference.ts';

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
  const answerCounts = answers.categories.map(({ slot }): Count => {
    return { count: counts[slot]!, weight: weights[slot]!, squaredWeight: squares[slot]! };
  });
  const base = addCounts(...answerCounts);
  const candidates = outcome.measured === 'yes' ? [answerCounts.length - 1] : [...answerCounts.keys()];
  const answerIndex = candidates.reduce(
    (best, index) => (answerCounts[index]!.weight > answerCounts[best]!.weight ? index : best),
    candidates[0] ?? -1,
  );
  const most = answerCounts[answerIndex];
  if (most === undefined || base.count < MIN_BASE) return null;
  const share = most.weight / base.weight;
  const { low, high } = wilsonInterval(share, effectiveCount(base));
  if (share < CLEAR_SHARE || low <= 0.5) return null;
  const { spec } = outcome.entry;
  const answer = answers.categories[answerIndex]!.label;
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
  weights.forEach((weight, index) => {
    all += weight;
    if (takes(values[index]!)) weightTaken += weight;
  });
  return weightTaken / all;
}

function npsFinding({ entry, questionId }: Outcome, tally: Tally, base: number): Candidate {
  const score = computeNetPromoterScore(tally)!;
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
  const points = entry.spec.values.filter(({ missing }) => !missing).map(({ code }) => code);
  const best = points.sort((a, b) => a - b).slice(-2);
  if (points.length < 4) return null;
  const share = shareOf(tally, (value) => best.includes(value));
  const { low, high } = wilsonInterval(share, effectiveOf(tally));
  if (share < HIGH_TOP_BOX || low <= 0.5) return null;
  const { mean } = computeMoments(tally);
  return {
    topic: `standout:${questionId}`,
    strength: cohensH(Math.min(1, share), 0.5) / MEDIUM_H,
    finding: {
      id: `top_box:${entry.spec.columnCode}`,
      kind: 'top_box',
      headline: `Most respondents gave one of the two highest answers to ${quoteLabel(entry.spec.label)}`,
      statement:
        `${formatPercent(share)} of ${formatCount(base)} respondents gave one of the two highest answers, ${best.join(' or ')}, to ` +
        `${quoteLabel(entry.spec.label)} (95 % interval ${formatPercent(low)} to ${formatPercent(high)}; mean ${roundTo(mean!, 2)}).`,
      figures: {
        percent: roundTo(100 * share),
        low_percent: roundTo(100 * low),
        high_percent: roundTo(100 * high),
        mean: roundSignificant(mean!),
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
