import { unprocessable } from '../../../lib/errors.ts';
import { factorizeSymmetric } from '../../../lib/symmetric-matrix.ts';
import type { LONELY_CLUSTER_RULES, REPLICATE_METHODS } from '../../survey/sampling-design.ts';
import type { Calibration } from './calibration.ts';

/**
 * What to do with a stratum that has one cluster, whose variance cannot be estimated: the `survey.lonely.psu` of the R package survey.
 *
 * - `fail`: refuse every figure
 * - `certainty`: the stratum adds nothing
 * - `adjust`: its distance from the mean of all clusters counts instead of that from its own mean
 * - `average`: it adds the average of the other strata
 */
type LonelyClusterRule = (typeof LONELY_CLUSTER_RULES)[number];

interface DesignRows {
  /** By row of the dataset; 0 for rows outside of the design. */
  weights: Float64Array;
  /** The rows in the design; in a linearized design by stratum, then cluster. */
  rows: Int32Array;
}

/** A design whose variances are linearized: the sum over strata of the variance between the totals of their clusters. */
export interface LinearizedDesign extends DesignRows {
  kind: 'linearized';
  /** The first position in `rows` of each cluster, and the number of rows at the end. */
  clusterStarts: Int32Array;
  /** The first cluster of each stratum, and the number of clusters at the end. */
  stratumStarts: Int32Array;
  /** 1 - n/N of each stratum for n of N clusters; 1 without a finite population. */
  corrections: Float64Array;
  lonelyClusters: LonelyClusterRule;
  /** Whether the rule is also for strata of which a domain has one cluster: R's `survey.adjust.domain.lonely`. */
  appliesToDomains: boolean;
  /** Names a stratum in messages. */
  nameStratum: (stratum: number) => string;
  /** Null: weights are not calibrated. */
  calibration: Calibration | null;
}

/** A design with replicate weights: the variance between the estimates with each of them. */
export interface ReplicateDesign extends DesignRows {
  kind: 'replicates';
  /** Weights by row for each replicate; they contain the sampling weight (R's `combined.weights = TRUE`). */
  replicates: readonly Float64Array[];
  scale: number;
  /** One factor per replicate. */
  replicateScales: Float64Array;
  /** Whether distances are taken from the estimate; false: from the mean of the replicates. */
  isAroundEstimate: boolean;
  /** R's `degf`: the rank of the replicate weights minus 1. */
  degreesOfFreedom: number;
}

export type SampleDesign = LinearizedDesign | ReplicateDesign;

/** The number of clusters in the population of each stratum, or the part of them that is in the sample (0 to 1). */
interface FinitePopulation {
  kind: 'sizes' | 'fractions';
  /** By stratum; one number without strata. */
  byStratum: ArrayLike<number>;
}

export interface LinearizedDesignInput {
  /** 1 for the rows that were sampled and count, whether a figure describes them or not. */
  mask: Uint8Array;
  /** By row; null: all 1. Rows without a positive weight are not in the design. */
  weights: Float64Array | null;
  /** The stratum of each row, from 0; -1: missing, so the row is not in the design. */
  strata?: Int32Array | null;
  /**
   * The cluster of each row, from 0; -1: missing, so the row is not in the design. Equal numbers in different strata are different
   * clusters (R's `nest = TRUE`). Null: each row is a cluster.
   */
  clusters?: Int32Array | null;
  population?: FinitePopulation | null;
  /** Default: fail. */
  lonelyClusters?: LonelyClusterRule;
  /** Default: false. */
  appliesToDomains?: boolean;
  /** Default: the number of the stratum, from 1. */
  nameStratum?: (stratum: number) => string;
  calibration?: Calibration | null;
}

function usableWeights(
  mask: Uint8Array,
  weights: Float64Array | null,
  isUsable: (row: number) => boolean,
): Float64Array {
  const usable = new Float64Array(mask.length);
  for (let row = 0; row < mask.length; row++) {
    const weight = weights === null ? 1 : weights[row]!;
    if (mask[row] === 1 && weight > 0 && isUsable(row)) usable[row] = weight;
  }
  return usable;
}

function rowsWithWeight(weights: Float64Array): Int32Array {
  const rows = new Int32Array(weights.length);
  let size = 0;
  for (let row = 0; row < weights.length; row++) if (weights[row]! > 0) rows[size++] = row;
  return rows.slice(0, size);
}

/** A stable counting sort. */
function sortRows(rows: Int32Array, keys: Int32Array): Int32Array {
  let most = 0;
  for (const row of rows) most = Math.max(most, keys[row]!);
  const ends = new Int32Array(most + 2);
  for (const row of rows) ends[keys[row]! + 1]!++;
  for (let key = 0; key <= most; key++) ends[key + 1]! += ends[key]!;
  const sorted = new Int32Array(rows.length);
  for (const row of rows) sorted[ends[keys[row]!]!++] = row;
  return sorted;
}

/** Finds where clusters and strata begin in sorted rows. `stratumIndices`: the stratum of each found one, in the numbers of the input. */
function findStarts(rows: Int32Array, strata: Int32Array | null, clusters: Int32Array | null) {
  const clusterStarts = new Int32Array(rows.length + 1);
  const stratumStarts: number[] = [];
  const stratumIndices: number[] = [];
  let found = 0;
  let [lastStratum, lastCluster] = [-1, -1];
  for (let position = 0; position < rows.length; position++) {
    const row = rows[position]!;
    const stratum = strata === null ? 0 : strata[row]!;
    const cluster = clusters === null ? position : clusters[row]!;
    if (stratum !== lastStratum) {
      stratumStarts.push(found);
      stratumIndices.push(stratum);
    } else if (cluster === lastCluster) continue;
    clusterStarts[found++] = position;
    [lastStratum, lastCluster] = [stratum, cluster];
  }
  clusterStarts[found] = rows.length;
  return {
    clusterStarts: clusterStarts.slice(0, found + 1),
    stratumStarts: Int32Array.from([...stratumStarts, found]),
    stratumIndices,
  };
}

/** Below this part of clusters that are not in the sample, R treats a stratum as counted completely. */
const CENSUS = 1e-7;

function correctionOf(clusters: number, population: number, kind: FinitePopulation['kind'], name: string) {
  if (!(population > 0)) {
    throw unprocessable('design_invalid', `Stratum ${name} has no population: ${population} is not above 0`);
  }
  if (kind === 'fractions') {
    if (population <= 1) return 1 - population;
    throw unprocessable(
      'design_invalid',
      `The sampling fraction of stratum ${name} is ${population}; it must be from 0 to 1`,
    );
  }
  if (population >= clusters) return (population - clusters) / population;
  const message = `Stratum ${name} has ${clusters} clusters in the sample, but a population of ${population}`;
  throw unprocessable('design_invalid', message);
}

/**
 * Builds a design of strata, clusters and finite populations: `svydesign(~cluster, strata = ~stratum, weights = ~w, fpc = ~N, nest = TRUE)`
 * of the R package survey. Only the first stage of sampling counts ("ultimate clusters"). Takes time by rows.
 *
 * @throws 422 if a population is smaller than the sample
 */
export function buildLinearizedDesign(input: LinearizedDesignInput): LinearizedDesign {
  const { mask, population = null, nameStratum = (stratum) => String(stratum + 1) } = input;
  const [strata, clusters] = [input.strata ?? null, input.clusters ?? null];
  const weights = usableWeights(
    mask,
    input.weights,
    (row) => (strata === null || strata[row]! >= 0) && (clusters === null || clusters[row]! >= 0),
  );
  let rows = rowsWithWeight(weights);
  if (clusters !== null) rows = sortRows(rows, clusters);
  if (strata !== null) rows = sortRows(rows, strata);
  const { clusterStarts, stratumStarts, stratumIndices } = findStarts(rows, strata, clusters);
  const corrections = Float64Array.from(stratumIndices, (stratum, index) => {
    if (population === null) return 1;
    const size = stratumStarts[index + 1]! - stratumStarts[index]!;
    const known = population.byStratum[stratum] ?? NaN;
    const correction = correctionOf(size, known, population.kind, nameStratum(stratum));
    return correction < CENSUS ? 0 : correction;
  });
  return {
    kind: 'linearized',
    weights,
    rows,
    clusterStarts,
    stratumStarts,
    corrections,
    lonelyClusters: input.lonelyClusters ?? 'fail',
    appliesToDomains: input.appliesToDomains ?? false,
    nameStratum: (index) => nameStratum(stratumIndices[index]!),
    calibration: input.calibration ?? null,
  };
}

type ReplicateMethod = (typeof REPLICATE_METHODS)[number];

export interface ReplicateDesignInput {
  mask: Uint8Array;
  weights: Float64Array;
  replicates: readonly Float64Array[];
  method: ReplicateMethod;
  /** Fay's factor, 0 to 1 (exclusive): only for `fay`. */
  rho?: number;
  /** Default: by the method, as in `svrepdesign`. BRR and Fay ignore it. */
  scale?: number;
  /** One per replicate; required for `jkn`, (n - 1)/n of the stratum of each replicate. Default: all 1. */
  replicateScales?: readonly number[];
  /** R's `mse`. Default: false. */
  isAroundEstimate?: boolean;
  /** Default: the rank of the replicate weights minus 1, which takes time by rows times the squared number of replicates. */
  degreesOfFreedom?: number;
}

/** The factor of the sum of squares, as `svrepdesign(…, combined.weights = TRUE)`. */
function scaleOfMethod({ method, rho = 0, scale, replicates }: ReplicateDesignInput): number {
  const { length: count } = replicates;
  if (method === 'brr') return 1 / count;
  if (method === 'fay') return 1 / (count * (1 - rho) ** 2);
  if (scale !== undefined) return scale;
  if (method === 'jk1') return (count - 1) / count;
  return method === 'bootstrap' ? 1 / (count - 1) : 1;
}

/** The rank of the replicate weights as a matrix with a row per response. */
function countIndependentColumns(replicates: readonly Float64Array[], rows: Int32Array): number {
  const { length: size } = replicates;
  const products = new Float64Array(size * size);
  for (let first = 0; first < size; first++) {
    for (let second = 0; second <= first; second++) {
      const [a, b] = [replicates[first]!, replicates[second]!];
      let sum = 0;
      for (const row of rows) sum += a[row]! * b[row]!;
      products[first * size + second] = sum;
      products[second * size + first] = sum;
    }
  }
  return factorizeSymmetric(products, size).rank;
}

/**
 * Builds a design with replicate weights: `svrepdesign(weights = ~w, repweights = …, type = …, combined.weights = TRUE)` of the R package
 * survey.
 *
 * @throws 422 if there are fewer than two replicates, or the scales have another number or are missing
 */
export function buildReplicateDesign(input: ReplicateDesignInput): ReplicateDesign {
  const { mask, replicates, method } = input;
  if (replicates.length < 2) {
    throw unprocessable('design_invalid', `${replicates.length} replicate weights; at least 2 are needed`);
  }
  const short = replicates.findIndex(({ length }) => length < mask.length);
  if (short >= 0) {
    const message = `Replicate weight ${short + 1} has ${replicates[short]!.length} values for ${mask.length} responses`;
    throw unprocessable('design_invalid', message);
  }
  if (input.replicateScales === undefined && method === 'jkn') {
    throw unprocessable(
      'design_invalid',
      'JKn needs a scale for each replicate: (n - 1)/n of the stratum from which it leaves a cluster out',
    );
  }
  const { replicateScales = replicates.map(() => 1) } = input;
  if (replicateScales.length !== replicates.length) {
    const message = `${replicateScales.length} scales for ${replicates.length} replicate weights`;
    throw unprocessable('design_invalid', message);
  }
  const weights = usableWeights(mask, input.weights, () => true);
  const rows = rowsWithWeight(weights);
  return {
    kind: 'replicates',
    weights,
    rows,
    replicates,
    scale: scaleOfMethod(input),
    replicateScales: Float64Array.from(replicateScales),
    isAroundEstimate: input.isAroundEstimate ?? false,
    degreesOfFreedom: input.degreesOfFreedom ?? countIndependentColumns(replicates, rows) - 1,
  };
}

/**
 * Clusters minus strata with a row in the domain, as R's `degf(subset(design, …))`; of replicate weights those of the whole design.
 *
 * @param isInDomain absent: all rows of the design
 */
export function degreesOfFreedom(design: SampleDesign, isInDomain?: (row: number) => boolean): number {
  if (design.kind === 'replicates') return design.degreesOfFreedom;
  const { rows, clusterStarts, stratumStarts } = design;
  if (isInDomain === undefined) return clusterStarts.length - stratumStarts.length;
  let found = 0;
  for (let stratum = 0; stratum + 1 < stratumStarts.length; stratum++) {
    let inStratum = 0;
    for (let cluster = stratumStarts[stratum]!; cluster < stratumStarts[stratum + 1]!; cluster++) {
      let position = clusterStarts[cluster]!;
      while (position < clusterStarts[cluster + 1]! && !isInDomain(rows[position]!)) position++;
      if (position < clusterStarts[cluster + 1]!) inStratum++;
    }
    found += Math.max(0, inStratum - 1);
  }
  return found;
}
