import type { Candidate, Finding } from './finding.ts';
import { MAX_LISTED } from './finding.ts';
import { formatCount, quoteLabel, roundTo, roundSignificant, pluralize } from './format-finding.ts';
import {
  isOutsideOuterFences,
  modifiedZ,
  normalTwoSided,
  type RobustSummary,
  summarizeRobustly,
} from './robust-summary.ts';

/** Minimum number of values for assessing their distribution. */
const MIN_VALUES = 30;
/** The threshold of Iglewicz and Hoaglin. */
const MIN_MODIFIED_Z = 3.5;
/** Maximum number of outliers expected by chance among all values of a column. */
const EXPECTED_BY_CHANCE = 0.05;
/** With a larger share, the distribution is heavy-tailed rather than having outliers. */
const MAX_SHARE = 0.05;

/** Values by row with their labels. */
export interface OutlierInput {
  kind: Extract<Finding['kind'], 'outliers' | 'unusual_durations'>;
  columnCode: string;
  label: string;
  questionIds: readonly number[];
  values: Float64Array;
  /** `always`: durations. `where_skewed`: if it makes the distribution more symmetric. */
  logarithm: 'always' | 'where_skewed';
}

interface Scale {
  name: 'log' | 'linear';
  summary: RobustSummary;
  values: Float64Array;
}

/**
 * Finds outliers by the modified z-score, which must also be improbable among this many values, and outside Tukey's outer fences. `pValue`:
 * of the most extreme value, corrected for their number. null: not enough data.
 */
export function findOutliers(
  amounts: OutlierInput,
  mask: Uint8Array,
  responseIds: Float64Array,
): { pValue: number; candidate: Candidate | null } | null {
  const scale = chooseScale(amounts, mask);
  if (scale === null || scale.summary.count < MIN_VALUES) return null;
  const { count } = scale.summary;
  const found: { row: number; z: number }[] = [];
  let highest = 0;
  for (let row = 0; row < mask.length; row++) {
    const value = scale.values[row]!;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    const z = modifiedZ(value, scale.summary);
    const distance = Math.abs(z);
    if (!(distance > MIN_MODIFIED_Z) || !isOutsideOuterFences(value, scale.summary)) continue;
    if (distance > highest) highest = distance;
    if (normalTwoSided(z) * count <= EXPECTED_BY_CHANCE) found.push({ row, z });
  }
  const pValue = highest === 0 ? 1 : Math.min(1, normalTwoSided(highest) * count);
  if (found.length === 0 || found.length > Math.max(1, MAX_SHARE * count)) return { pValue, candidate: null };
  found.sort((a, b) => Math.abs(b.z) - Math.abs(a.z) || a.row - b.row);
  const finding = outlierFinding(amounts, { found, scale, pValue }, responseIds);
  return {
    pValue,
    candidate: { finding, topic: finding.id, strength: Math.min(4, Math.log2(highest / MIN_MODIFIED_Z) + 1) },
  };
}

function chooseScale({ values, logarithm }: OutlierInput, mask: Uint8Array): Scale | null {
  const linear = summarizeRobustly(values, mask);
  const plain: Scale | null = linear === null ? null : { name: 'linear', summary: linear, values };
  if (logarithm === 'where_skewed') {
    if (linear === null) return null;
    for (let row = 0; row < mask.length; row++) if (mask[row] === 1 && values[row]! < 0) return plain;
  }
  // log(1 + x) is defined for all values from 0 and nearly the same for seconds and amounts.
  const logarithms = values.slice(0, mask.length).map((value) => (value < 0 ? NaN : Math.log1p(value)));
  const logged = summarizeRobustly(logarithms, mask);
  if (logged === null) return plain;
  if (logarithm === 'where_skewed' && Math.abs(quantileSkew(logged)) >= Math.abs(quantileSkew(linear!)))
    return plain;
  return { name: 'log', summary: logged, values: logarithms };
}

/** Quantile skewness by the 10 % and 90 % quantiles: asymmetry regardless of the tails. D. V. Hinkley, Biometrika 62 (1975). */
const quantileSkew = ({ p10, median, p90 }: RobustSummary): number =>
  p90 > p10 ? (p10 + p90 - 2 * median) / (p90 - p10) : 0;

function outlierFinding(
  { kind, columnCode, label, questionIds, values }: OutlierInput,
  { found, scale, pValue }: { found: { row: number; z: number }[]; scale: Scale; pValue: number },
  responseIds: Float64Array,
): Finding {
  const outlierValues = found.map(({ row }) => values[row]!);
  const [lowest, highest] = [Math.min(...minMax(outlierValues)), Math.max(...minMax(outlierValues))];
  const median = scale.name === 'log' ? Math.expm1(scale.summary.median) : scale.summary.median;
  const extreme = values[found[0]!.row]!;
  const subject = kind === 'outliers' ? `answers to ${quoteLabel(label)}` : 'durations in seconds';
  const one = found.length === 1;
  return {
    id: `${kind}:${columnCode}`,
    kind,
    headline:
      kind === 'outliers' ? `Unusual values of ${quoteLabel(label)}` : 'Unusually short or long responses',
    statement:
      `${pluralize(found.length, 'response')} of ${formatCount(scale.summary.count)} ${one ? 'has' : 'have'} unusual ${subject}: the most extreme is ` +
      `${roundTo(extreme, 2)}, the median ${roundTo(median, 2)} (modified z ${roundTo(found[0]!.z, 1)} on a ` +
      `${scale.name === 'log' ? 'logarithmic' : 'linear'} scale; all are outside Tukey's outer fences).`,
    figures: {
      outliers: found.length,
      values: scale.summary.count,
      median: roundSignificant(median),
      lowest_outlier: roundSignificant(lowest),
      highest_outlier: roundSignificant(highest),
      largest_modified_z: roundSignificant(found[0]!.z),
      scale: scale.name,
      p_value: roundSignificant(pValue),
    },
    evidence: {
      questionIds,
      responseIds: found.slice(0, MAX_LISTED).map(({ row }) => responseIds[row]!),
      responseCount: found.length,
      base: scale.summary.count,
      pValue,
      qValue: null,
      effect: { measure: 'share', value: roundSignificant(found.length / scale.summary.count) },
    },
  };
}

/** Returns minimum and maximum, for any number of values. */
const minMax = (values: readonly number[]): [number, number] =>
  values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
