import type { RowValues } from './calibration.ts';
import { covarianceOfTotals } from './linearized-covariance.ts';
import { covarianceOfReplicates } from './replicates.ts';
import type { ReplicateDesign, SampleDesign } from './sample-design.ts';

/** Estimates of several domains with their covariances under a design. */
export interface Estimates {
  size: number;
  /** NaN without respondents in the domain. */
  values: Float64Array;
  /** By row; null if only variances were asked for. */
  covariance: Float64Array | null;
  variances: Float64Array;
  /** Of replicate weights: the variances of the logits of shares, NaN where a share is 0 or 1; otherwise null. */
  logitVariances: Float64Array | null;
  /** Unweighted respondents in each domain, and the sum of their weights. */
  counts: Float64Array;
  weights: Float64Array;
  /** Clusters minus strata in each domain; of replicate weights those of the design. */
  degreesOfFreedom: Int32Array;
  /** The same of two domains together, by row and column; null if only variances were asked for. */
  ofPairs: Int32Array | null;
  /** The same of all domains together. */
  ofAll: number;
}

/** Calls `add` for every estimate to whose domain the row belongs, with what the row adds to its numerator and denominator. */
type RatioValues = (
  row: number,
  add: (estimate: number, numerator: number, denominator: number) => void,
) => void;

/** Domains of rows; a row can be in several. */
export interface Domains {
  size: number;
  forEach: (row: number, visit: (domain: number) => void) => void;
}

export const WHOLE_SAMPLE: Domains = { size: 1, forEach: (_, visit) => visit(0) };

/** Domains that share no rows. `indices`: the domain of each row, from 0; negative: none. */
export function separateDomains(indices: ArrayLike<number>, size: number): Domains {
  return {
    size,
    forEach: (row, visit) => {
      const domain = indices[row]!;
      if (domain >= 0) visit(domain);
    },
  };
}

/** Domains that may share rows, such as the options of a multiple choice. `masks`: 1 for the rows of each domain. */
export function overlappingDomains(masks: readonly Uint8Array[]): Domains {
  const { length: size } = masks;
  return {
    size,
    forEach: (row, visit) => {
      for (let domain = 0; domain < size; domain++) if (masks[domain]![row] === 1) visit(domain);
    },
  };
}

export interface EstimateOptions {
  /** Omits covariances, which take memory by the squared number of estimates. */
  onlyVariances?: boolean;
}

interface Sums {
  numerators: Float64Array;
  denominators: Float64Array;
}

function sumRatios(rows: Int32Array, weights: Float64Array, size: number, values: RatioValues): Sums {
  const numerators = new Float64Array(size);
  const denominators = new Float64Array(size);
  let weight = 0;
  const add = (estimate: number, numerator: number, denominator: number) => {
    numerators[estimate]! += weight * numerator;
    denominators[estimate]! += weight * denominator;
  };
  for (const row of rows) {
    weight = weights[row]!;
    values(row, add);
  }
  return { numerators, denominators };
}

function countDomains({ rows, weights }: SampleDesign, size: number, values: RatioValues) {
  const counts = new Float64Array(size);
  const sums = new Float64Array(size);
  let weight = 0;
  const add = (estimate: number) => {
    counts[estimate]!++;
    sums[estimate]! += weight;
  };
  for (const row of rows) {
    weight = weights[row]!;
    values(row, add);
  }
  return { counts, weights: sums };
}

type CovarianceParts = Pick<
  Estimates,
  'covariance' | 'variances' | 'logitVariances' | 'degreesOfFreedom' | 'ofPairs' | 'ofAll'
>;

function withVariances(
  covariance: Float64Array,
  size: number,
  onlyVariances: boolean,
): Pick<Estimates, 'covariance' | 'variances'> {
  if (onlyVariances) return { covariance: null, variances: covariance };
  const variances = Float64Array.from({ length: size }, (_, index) => covariance[index * size + index]!);
  return { covariance, variances };
}

const toLogit = (share: number): number => Math.log(share / (1 - share));

/** `estimate`: the estimates from the sums with one set of weights. */
function replicateParts(
  design: ReplicateDesign,
  estimates: Float64Array,
  estimate: (weights: Float64Array) => Float64Array,
  onlyVariances: boolean,
): CovarianceParts {
  const { length: size } = estimates;
  const replicates = design.replicates.map(estimate);
  const byReplicate = Array.from(estimates, (_, index) =>
    Float64Array.from(replicates, (values) => values[index]!),
  );
  const covariance = covarianceOfReplicates(design, estimates, byReplicate, onlyVariances);
  const df = design.degreesOfFreedom;
  const logits = byReplicate.map((values) => values.map(toLogit));
  return {
    ...withVariances(covariance, size, onlyVariances),
    logitVariances: covarianceOfReplicates(design, estimates.map(toLogit), logits, true).map(
      (variance, index) => (logits[index]!.every((logit) => Number.isFinite(logit)) ? variance : NaN),
    ),
    degreesOfFreedom: new Int32Array(size).fill(df),
    ofPairs: onlyVariances ? null : new Int32Array(size * size).fill(df),
    ofAll: df,
  };
}

function estimateParts(
  design: SampleDesign,
  estimates: Float64Array,
  {
    influence,
    estimate,
    onlyVariances,
  }: {
    influence: RowValues;
    estimate: (weights: Float64Array) => Float64Array;
    onlyVariances: boolean;
  },
): CovarianceParts {
  if (design.kind === 'replicates') return replicateParts(design, estimates, estimate, onlyVariances);
  const { covariance, sizes } = covarianceOfTotals(design, estimates.length, influence, { onlyVariances });
  return { ...withVariances(covariance, estimates.length, onlyVariances), logitVariances: null, ...sizes };
}

/**
 * Ratios of totals Σwy / Σwx: means (x = 1), percentages (y = 0 or 1) and ratios, of several domains at once. `svyratio` and `svyby(…,
 * svymean)` of the R package survey. The influence value of a row is (y - r x) / Σwx.
 *
 * @param values may be called several times per row
 */
function estimateRatios(
  design: SampleDesign,
  size: number,
  values: RatioValues,
  { onlyVariances = false }: EstimateOptions = {},
): Estimates {
  const { rows } = design;
  const ratiosOf = ({ numerators, denominators }: Sums) =>
    numerators.map((numerator, index) => numerator / denominators[index]!);
  const sums = sumRatios(rows, design.weights, size, values);
  const ratios = ratiosOf(sums);
  const influence: RowValues = (row, add) =>
    values(row, (index, numerator, denominator) =>
      add(index, (numerator - ratios[index]! * denominator) / sums.denominators[index]!),
    );
  const estimate = (weights: Float64Array) => ratiosOf(sumRatios(rows, weights, size, values));
  const parts = estimateParts(design, ratios, { influence, estimate, onlyVariances });
  return { size, values: ratios, ...countDomains(design, size, values), ...parts };
}

/** The rows of each domain with a value that is not missing (NaN). */
function valuesInDomains(values: Float64Array, domains: Domains): RatioValues {
  return (row, add) => {
    const value = values[row]!;
    if (!Number.isNaN(value)) domains.forEach(row, (domain) => add(domain, value, 1));
  };
}

/**
 * Means of a variable (NaN: missing) in domains. Of a variable of 0 and 1 they are shares; of 100, 0 and -100 for promoters, passives and
 * detractors the Net Promoter Score.
 */
export function estimateMeans(
  design: SampleDesign,
  values: Float64Array,
  domains: Domains = WHOLE_SAMPLE,
  options: EstimateOptions = {},
): Estimates {
  return estimateRatios(design, domains.size, valuesInDomains(values, domains), options);
}

/** Σwy / Σwx of the rows with both values: `svyratio(~y, ~x, design, na.rm = TRUE)`. */
export function estimateRatiosOf(
  design: SampleDesign,
  { numerator, denominator }: { numerator: Float64Array; denominator: Float64Array },
  domains: Domains = WHOLE_SAMPLE,
  options: EstimateOptions = {},
): Estimates {
  const values: RatioValues = (row, add) => {
    const [y, x] = [numerator[row]!, denominator[row]!];
    if (!Number.isNaN(y + x)) domains.forEach(row, (domain) => add(domain, y, x));
  };
  return estimateRatios(design, domains.size, values, options);
}

/**
 * Totals Σwy of a variable (NaN: missing, adds nothing) in domains: `svytotal(~y, design, na.rm = TRUE)` and `svyby`. They are totals of the
 * population only if the weights are scaled to it.
 */
export function estimateTotals(
  design: SampleDesign,
  variable: Float64Array,
  domains: Domains = WHOLE_SAMPLE,
  { onlyVariances = false }: EstimateOptions = {},
): Estimates {
  const { rows } = design;
  const { size } = domains;
  const values = valuesInDomains(variable, domains);
  const totalsOf = (weights: Float64Array) => sumRatios(rows, weights, size, values).numerators;
  const totals = totalsOf(design.weights);
  const influence: RowValues = (row, add) => values(row, (domain, value) => add(domain, value));
  const parts = estimateParts(design, totals, { influence, estimate: totalsOf, onlyVariances });
  return { size, values: totals, ...countDomains(design, size, values), ...parts };
}

/** The Net Promoter Score as a mean: 100 for 9 and 10, -100 for 0 to 6, 0 otherwise; NaN stays missing. */
export function promoterValues(values: Float64Array): Float64Array {
  return values.map((value) => {
    if (Number.isNaN(value)) return NaN;
    if (value >= 9) return 100;
    return value <= 6 ? -100 : 0;
  });
}

/** The standard error of an estimate; NaN without respondents. */
export function standardError({ variances }: Estimates, index: number): number {
  return Math.sqrt(variances[index]!);
}

/** The standard error of the logit of a share with replicate weights; undefined: it follows from that of the share. */
export function logitError({ logitVariances }: Estimates, index: number): number | undefined {
  const variance = logitVariances?.[index];
  return variance !== undefined && variance >= 0 ? Math.sqrt(variance) : undefined;
}

/**
 * The design effect of a mean: its variance divided by that of a simple random sample of as many respondents. `svymean(~y, design, deff =
 * TRUE)` with a finite population, `deff = "replace"` without.
 *
 * @param populationSize the sum of the weights if they are scaled to the population; null: infinite
 */
export function computeDesignEffect(
  design: SampleDesign,
  values: Float64Array,
  populationSize: number | null = null,
): number {
  const { values: means, variances, counts } = estimateMeans(design, values);
  const [mean, count] = [means[0]!, counts[0]!];
  const squares = values.map((value) => ((value - mean) ** 2 * count) / (count - 1));
  const spread = estimateMeans(design, squares, WHOLE_SAMPLE, { onlyVariances: true }).values[0]!;
  const remaining = populationSize === null ? 1 : (populationSize - count) / populationSize;
  return variances[0]! / ((spread / count) * remaining);
}
