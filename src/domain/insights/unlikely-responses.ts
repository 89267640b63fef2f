import type { RowCheck } from '../quality/row-checks.ts';
import {
  type Candidate,
  type Finding,
  formatCount,
  formatPercent,
  MAX_LISTED,
  pluralize,
  roundSignificant,
  roundTo,
} from './finding.ts';
import { countCrossing, type TableRows } from '../statistics/crosstab/count-crossing.ts';
import type { Grouping } from './variables.ts';
import { isOutsideOuterFences, modifiedZ, normalTwoSided, summarizeRobustly } from './outliers.ts';

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
const ROWS_BETWEEN_PAUSES = 5_000;

/** Reports responses flagged by a quality check with the survey's settings. Yields regularly. null: none. */
export function* lowQualityResponses(
  check: RowCheck,
  mask: Uint8Array,
  responseIds: Float64Array,
): Generator<void, Finding | null> {
  if (check.check !== 'speeder' && check.check !== 'straightliner') return null;
  let [checked, flagged] = [0, 0];
  const ids: number[] = [];
  for (let row = 0; row < mask.length; row++) {
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
    if (mask[row] === 0) continue;
    const flags = check.evaluate(row, {});
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
      responseIds: ids,
      responseCount: flagged,
      base: checked,
      pValue: null,
      qValue: null,
      effect: { measure: 'share', value: roundSignificant(flagged / checked) },
    },
  };
}

/** Minimum number of closed answers per response. */
const MIN_ANSWERS = 10;
const MIN_RESPONSES = 50;
const MIN_MODIFIED_Z = 3.5;
const EXPECTED_BY_CHANCE = 0.05;
const MAX_SHARE = 0.02;
/** Values of t at which Chernoff's bound is evaluated. */
const EXPONENTS = [0.25, 0.5, 0.75, 1, 1.5] as const;

/**
 * Scores how improbable a response's answers are together: s is the sum of -ln of each answer's share, minus its expectation, in standard
 * deviations under independence. A response is reported if s is an outlier among all responses (which accounts for dependence between
 * answers), and also improbable under independence: P(S ≥ s) ≤ exp(ln E(exp tS) - ts) for every t > 0 (H. Chernoff, Ann. Math. Statist. 23,
 * 1952), because sums of rare answers are skewed. Call `add` for each question.
 */
export class ImprobabilityScore {
  private readonly sums: Float64Array;
  private readonly variances: Float64Array;
  private readonly answers: Uint16Array;
  /** By exponent and row: ln E(exp tS) - ts. */
  private readonly bounds: readonly Float64Array[];

  constructor(private readonly rows: TableRows) {
    const { length } = rows.mask;
    this.sums = new Float64Array(length);
    this.variances = new Float64Array(length);
    this.answers = new Uint16Array(length);
    this.bounds = EXPONENTS.map(() => new Float64Array(length));
  }

  add({ coding, categories }: Grouping): void {
    const { mask } = this.rows;
    const { indices, offset, size } = coding;
    const one = { indices: new Int16Array(mask.length), offset: 0, size: 1 };
    const { weights } = countCrossing(coding, one, this.rows);
    const total = categories.reduce((sum, { slot }) => sum + weights[slot]!, 0);
    if (!(total > 0)) return;
    let mean = 0;
    const surprise = new Float64Array(size).fill(NaN);
    for (const { slot } of categories) {
      const share = weights[slot]! / total;
      if (!(share > 0)) continue;
      surprise[slot] = -Math.log(share);
      mean += share * surprise[slot];
    }
    let variance = 0;
    for (const { slot } of categories) {
      const own = surprise[slot]!;
      if (!Number.isNaN(own)) variance += Math.exp(-own) * (own - mean) ** 2;
    }
    if (!(variance > 1e-9)) return;
    const logMeans = EXPONENTS.map((t) =>
      Math.log(surprise.reduce((sum, own) => (Number.isNaN(own) ? sum : sum + Math.exp((t - 1) * own)), 0)),
    );
    const { sums, variances, answers, bounds } = this;
    EXPONENTS.forEach((t, exponentIndex) => {
      const bound = bounds[exponentIndex]!;
      const logMean = logMeans[exponentIndex]!;
      for (let row = 0; row < mask.length; row++) {
        const own = surprise[indices[row]! + offset]!;
        if (!Number.isNaN(own)) bound[row]! += logMean - t * own;
      }
    });
    for (let row = 0; row < mask.length; row++) {
      const own = surprise[indices[row]! + offset]!;
      if (Number.isNaN(own)) continue;
      sums[row]! += own - mean;
      variances[row]! += variance;
      answers[row]! += 1;
    }
  }

  /** Returns the responses that are more improbable than expected among this many. null: too few responses or answers. */
  findOutliers(responseIds: Float64Array): { pValue: number; candidate: Candidate | null } | null {
    const { sums, variances, answers, bounds } = this;
    const { mask } = this.rows;
    const scores = new Float64Array(mask.length).fill(NaN);
    for (let row = 0; row < mask.length; row++)
      if (mask[row] === 1 && answers[row]! >= MIN_ANSWERS)
        scores[row] = sums[row]! / Math.sqrt(variances[row]!);
    const usual = summarizeRobustly(scores, mask);
    if (usual === null || usual.count < MIN_RESPONSES) return null;
    const found: { row: number; z: number }[] = [];
    let [highest, least] = [0, 1];
    for (let row = 0; row < mask.length; row++) {
      const score = scores[row]!;
      if (Number.isNaN(score)) continue;
      // Only unusually rare answers: answering like most respondents is no anomaly.
      const z = modifiedZ(score, usual);
      if (z < MIN_MODIFIED_Z || !isOutsideOuterFences(score, usual)) continue;
      const chernoff = Math.exp(bounds.reduce((least, bound) => Math.min(least, bound[row]!), 0));
      const probability = Math.max(normalTwoSided(z), chernoff) * usual.count;
      if (probability < least) least = probability;
      if (probability > EXPECTED_BY_CHANCE) continue;
      if (z > highest) highest = z;
      found.push({ row, z });
    }
    const pValue = Math.min(1, least);
    if (found.length === 0 || found.length > Math.max(1, MAX_SHARE * usual.count))
      return { pValue, candidate: null };
    found.sort((a, b) => b.z - a.z || a.row - b.row);
    const isOne = found.length === 1;
    return {
      pValue,
      candidate: {
        topic: 'unlikely_responses',
        strength: Math.min(4, Math.log2(highest / MIN_MODIFIED_Z) + 1),
        finding: {
          id: 'unlikely_responses',
          kind: 'unlikely_responses',
          headline: 'Responses with a rare combination of answers',
          statement:
            `${pluralize(found.length, 'response')} of ${formatCount(usual.count)} ${isOne ? 'has' : 'have'} a far rarer combination of answers ` +
            `than the others (highest modified z ${roundTo(highest, 1)}).`,
          figures: {
            responses: found.length,
            of: usual.count,
            largest_modified_z: roundSignificant(highest),
            fewest_answers: MIN_ANSWERS,
            p_value: roundSignificant(pValue),
          },
          evidence: {
            questionIds: [],
            responseIds: found.slice(0, MAX_LISTED).flatMap(({ row }) => responseIds[row] ?? []),
            responseCount: found.length,
            base: usual.count,
            pValue,
            qValue: null,
            effect: { measure: 'share', value: roundSignificant(found.length / usual.count) },
          },
        },
      },
    };
  }
}
