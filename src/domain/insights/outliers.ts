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

/** Fewer values have no shape from which one could stick out. */
const MIN_VALUES = 30;
/** As Iglewicz and Hoaglin have it. */
const MIN_MODIFIED_Z = 3.5;
/** So many by chance, in all the values of a column together, are called outliers at most. */
const EXPECTED_BY_CHANCE = 0.05;
/** Where more stick out it is the shape of the distribution, not a few values. */
const MAX_SHARE = 0.05;

/** Values by row, and what they are called. */
export interface OutlierInput {
  kind: Extract<Finding['kind'], 'outliers' | 'unusual_durations'>;
  columnCode: string;
  label: string;
  questionIds: readonly number[];
  values: Float64Array;
  /** Always: durations. Else where it makes the middle half even. */
  logarithm: 'always' | 'where_skewed';
}

interface Scale {
  name: 'log' | 'linear';
  of: RobustSummary;
  values: Float64Array;
}

/**
 * Values far from all others: by the modified z score, which must also be too large to be expected among so many values, and outside
 * Tukey's outer fences. `test`: the p of the most extreme one among all. null: nothing to look at.
 */
export function findOutliers(
  amounts: OutlierInput,
  mask: Uint8Array,
  responseIds: Float64Array,
): { pValue: number; candidate: Candidate | null } | null {
  const scale = chooseScale(amounts, mask);
  if (scale === null || scale.of.count < MIN_VALUES) return null;
  const { count } = scale.of;
  const found: { row: number; z: number }[] = [];
  let highest = 0;
  for (let row = 0; row < mask.length; row++) {
    const value = scale.values[row]!;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    const z = modifiedZ(value, scale.of);
    const distance = Math.abs(z);
    if (!(distance > MIN_MODIFIED_Z) || !isOutsideOuterFences(value, scale.of)) continue;
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
  const plain: Scale | null = linear === null ? null : { name: 'linear', of: linear, values };
  if (logarithm === 'where_skewed') {
    if (linear === null) return null;
    for (let row = 0; row < mask.length; row++) if (mask[row] === 1 && values[row]! < 0) return plain;
  }
  // From 0 on: log(1 + x) is there for all of them, and no different for seconds and amounts.
  const logarithms = values.slice(0, mask.length).map((value) => (value < 0 ? NaN : Math.log1p(value)));
  const logged = summarizeRobustly(logarithms, mask);
  if (logged === null) return plain;
  if (logarithm === 'where_skewed' && Math.abs(quantileSkew(logged)) >= Math.abs(quantileSkew(linear!)))
    return plain;
  return { name: 'log', of: logged, values: logarithms };
}

/** Of the outer octiles, nearly: how uneven the two halves are, whatever the ends. D. V. Hinkley, Biometrika 62 (1975). */
const quantileSkew = ({ p10, median, p90 }: RobustSummary): number =>
  p90 > p10 ? (p10 + p90 - 2 * median) / (p90 - p10) : 0;

function outlierFinding(
  { kind, columnCode, label, questionIds, values }: OutlierInput,
  { found, scale, pValue }: { found: { row: number; z: number }[]; scale: Scale; pValue: number },
  responseIds: Float64Array,
): Finding {
  const given = found.map(({ row }) => values[row]!);
  const [lowest, highest] = [Math.min(...minMax(given)), Math.max(...minMax(given))];
  const median = scale.name === 'log' ? Math.expm1(scale.of.median) : scale.of.median;
  const extreme = values[found[0]!.row]!;
  const what = kind === 'outliers' ? `answers to ${quoteLabel(label)}` : 'durations, in seconds,';
  const one = found.length === 1;
  return {
    id: `${kind}:${columnCode}`,
    kind,
    headline:
      kind === 'outliers' ? `Unusual values of ${quoteLabel(label)}` : 'Unusually short or long responses',
    statement:
      `${pluralize(found.length, 'response')} of ${formatCount(scale.of.count)} ${one ? 'is' : 'are'} far from all others by ${what} the furthest ` +
      `${roundTo(extreme, 2)} where the median is ${roundTo(median, 2)} (modified z ${roundTo(found[0]!.z, 1)} on a ` +
      `${scale.name === 'log' ? 'logarithmic' : 'linear'} scale; all of them outside Tukey's outer fences).`,
    figures: {
      outliers: found.length,
      values: scale.of.count,
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
      base: scale.of.count,
      pValue,
      qValue: null,
      effect: { measure: 'share', value: roundSignificant(found.length / scale.of.count) },
    },
  };
}

/** The lowest and the highest, however many there are. */
const minMax = (values: readonly number[]): [number, number] =>
  values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
