import { unprocessable } from '../../../lib/errors.ts';
import { regressInfluence, type RowValues } from './calibration.ts';
import type { LinearizedDesign } from './sample-design.ts';

/** Entries of `size` slots; only those that are listed differ from 0. */
class SparseTotals {
  readonly values: Float64Array;
  readonly slots: Int32Array;
  count = 0;
  readonly #isListed: Uint8Array;

  constructor(size: number) {
    this.values = new Float64Array(size);
    this.slots = new Int32Array(size);
    this.#isListed = new Uint8Array(size);
  }

  add(slot: number, value: number): void {
    if (this.#isListed[slot] === 0) {
      this.#isListed[slot] = 1;
      this.slots[this.count++] = slot;
    }
    this.values[slot]! += value;
  }

  addAll(other: SparseTotals): void {
    for (let index = 0; index < other.count; index++) {
      const slot = other.slots[index]!;
      this.add(slot, other.values[slot]!);
    }
  }

  clear(): void {
    for (let index = 0; index < this.count; index++) {
      const slot = this.slots[index]!;
      this.values[slot] = 0;
      this.#isListed[slot] = 0;
    }
    this.count = 0;
  }
}

/** A symmetric matrix of sums of products; with `onlyDiagonal` only its diagonal is computed and stored. */
class ProductSums {
  readonly values: Float64Array;

  constructor(
    readonly size: number,
    readonly onlyDiagonal: boolean,
  ) {
    this.values = new Float64Array(onlyDiagonal ? size : size * size);
  }

  /** Adds factor · t t'. */
  add({ values, slots, count }: SparseTotals, factor: number): void {
    for (let index = 0; index < count; index++) {
      const slot = slots[index]!;
      const scaled = factor * values[slot]!;
      if (this.onlyDiagonal) {
        this.values[slot]! += scaled * values[slot]!;
        continue;
      }
      const start = slot * this.size;
      for (let other = 0; other < count; other++) {
        const column = slots[other]!;
        this.values[start + column]! += scaled * values[column]!;
      }
    }
  }

  scale(factor: number): void {
    for (let index = 0; index < this.values.length; index++) this.values[index]! *= factor;
  }
}

/** Clusters minus strata by domain: those with a row of a slot, and those with a row of both of two slots. */
interface DomainSizes {
  /** By slot. */
  degreesOfFreedom: Int32Array;
  /** By row and column, of the rows in either slot; null if only variances were asked for. */
  ofPairs: Int32Array | null;
  /** Of the rows in any slot. */
  ofAll: number;
}

export interface LinearizedCovariance {
  /** By row; with `onlyVariances` the variances. */
  covariance: Float64Array;
  sizes: DomainSizes;
}

/** Counts clusters and strata by slot, and by pair of slots. */
class DomainCounter {
  readonly #ones: SparseTotals;
  readonly #clusters: ProductSums;
  readonly #strata: ProductSums;
  #all = 0;

  constructor(
    readonly size: number,
    onlyVariances: boolean,
  ) {
    this.#ones = new SparseTotals(size);
    this.#clusters = new ProductSums(size, onlyVariances);
    this.#strata = new ProductSums(size, onlyVariances);
  }

  addCluster(totals: SparseTotals): void {
    this.#all++;
    this.#addTo(this.#clusters, totals);
  }

  addStratum(totals: SparseTotals): void {
    this.#all--;
    this.#addTo(this.#strata, totals);
  }

  #addTo(sums: ProductSums, { slots, count }: SparseTotals): void {
    for (let index = 0; index < count; index++) this.#ones.add(slots[index]!, 1);
    sums.add(this.#ones, 1);
    this.#ones.clear();
  }

  sizes(): DomainSizes {
    const { size } = this;
    const difference = this.#clusters.values.map((clusters, index) => clusters - this.#strata.values[index]!);
    if (this.#clusters.onlyDiagonal) {
      return { degreesOfFreedom: Int32Array.from(difference), ofPairs: null, ofAll: this.#all };
    }
    const own = Int32Array.from({ length: size }, (_, slot) => difference[slot * size + slot]!);
    const ofPairs = Int32Array.from(
      difference,
      (shared, index) => own[Math.trunc(index / size)]! + own[index % size]! - shared,
    );
    return { degreesOfFreedom: own, ofPairs, ofAll: this.#all };
  }
}

/** Totals of the weighted influence values of clusters, without what the calibration explains. */
class ClusterTotals {
  readonly #coefficients: Float64Array[] | null;
  readonly #auxiliary: Float64Array;
  readonly totals: SparseTotals;

  constructor(
    readonly design: LinearizedDesign,
    size: number,
    readonly influence: RowValues,
  ) {
    const { calibration, rows } = design;
    this.totals = new SparseTotals(size);
    this.#coefficients = calibration && regressInfluence(calibration, rows, size, influence);
    this.#auxiliary = new Float64Array(calibration?.auxiliary.length ?? 0);
  }

  /** The totals of one cluster, until the next call. */
  compute(cluster: number): SparseTotals {
    const { rows, clusterStarts, weights } = this.design;
    const { totals } = this;
    totals.clear();
    let weight = 0;
    const add = (slot: number, value: number) => totals.add(slot, weight * value);
    for (let position = clusterStarts[cluster]!; position < clusterStarts[cluster + 1]!; position++) {
      const row = rows[position]!;
      weight = weights[row]!;
      this.influence(row, add);
    }
    return totals;
  }

  /** Subtracts the fitted values of the calibration from the totals of one cluster. */
  subtractExplained(cluster: number): void {
    const { calibration, rows, clusterStarts, weights } = this.design;
    if (calibration === null) return;
    const sums = this.#auxiliary.fill(0);
    for (let position = clusterStarts[cluster]!; position < clusterStarts[cluster + 1]!; position++) {
      const row = rows[position]!;
      for (let index = 0; index < sums.length; index++)
        sums[index]! += weights[row]! * calibration.auxiliary[index]![row]!;
    }
    for (const [slot, coefficients] of this.#coefficients!.entries()) {
      let explained = 0;
      for (let index = 0; index < sums.length; index++) explained += coefficients[index]! * sums[index]!;
      this.totals.add(slot, -explained);
    }
  }
}

/** What a stratum with one cluster, of `clusters` in the design, adds. */
function lonelyContribution(
  { lonelyClusters: rule, appliesToDomains, nameStratum }: LinearizedDesign,
  stratum: number,
  clusters: number,
): 'centered' | 'uncentered' | 'average' {
  if (clusters > 1 && !appliesToDomains) return 'centered';
  if (rule === 'adjust') return 'uncentered';
  if (rule === 'average') return 'average';
  if (clusters === 1 && rule === 'fail') {
    const message = `Stratum ${nameStratum(stratum)} has only one cluster, so its variance cannot be estimated; combine it with another stratum or choose a rule for such strata`;
    throw unprocessable('design_invalid', message);
  }
  return 'centered';
}

/**
 * The covariance of the totals of influence columns: Σ over strata of (1 - n/N) · n/(n - 1) · Σ over clusters of (t - t̄)(t - t̄)', where t are
 * the weighted totals of a cluster and n the clusters of the stratum. `svyrecvar` of the R package survey with the first stage of sampling;
 * with a calibration, t are totals of residuals of the influence values.
 *
 * Clusters without a row in a slot count with a total of 0, so domains keep all strata and clusters of the design.
 *
 * @param influence values without the weight; calls `add` for every slot to whose domain the row belongs. It is called twice per row if the
 * design is calibrated, otherwise once.
 *
 * @throws 422 if the rule is `fail` and a stratum in the domain has one cluster
 */
export function covarianceOfTotals(
  design: LinearizedDesign,
  size: number,
  influence: RowValues,
  { onlyVariances = false } = {},
): LinearizedCovariance {
  const { stratumStarts, corrections, calibration } = design;
  const clusterTotals = new ClusterTotals(design, size, influence);
  const sums = new ProductSums(size, onlyVariances);
  const counter = new DomainCounter(size, onlyVariances);
  const inStratum = new SparseTotals(size);
  const touched = new SparseTotals(size);
  let [strata, averaged] = [0, 0];
  for (let stratum = 0; stratum + 1 < stratumStarts.length; stratum++) {
    const [start, end] = [stratumStarts[stratum]!, stratumStarts[stratum + 1]!];
    const clusters = end - start;
    const factor = (corrections[stratum]! * clusters) / Math.max(1, clusters - 1);
    inStratum.clear();
    touched.clear();
    let inDomain = 0;
    for (let cluster = start; cluster < end; cluster++) {
      const totals = clusterTotals.compute(cluster);
      if (totals.count > 0) {
        counter.addCluster(totals);
        touched.addAll(totals);
      }
      clusterTotals.subtractExplained(cluster);
      if (totals.count === 0 && calibration === null) continue;
      // The first cluster may be the only one: its products are added with those of the second.
      if (++inDomain === 2) sums.add(inStratum, factor);
      if (inDomain >= 2) sums.add(totals, factor);
      inStratum.addAll(totals);
    }
    if (touched.count > 0) counter.addStratum(touched);
    if (inDomain === 0) continue;
    strata++;
    if (inDomain > 1) {
      sums.add(inStratum, -factor / clusters);
      continue;
    }
    if (factor === 0) continue;
    const contribution = lonelyContribution(design, stratum, clusters);
    if (contribution === 'average') averaged++;
    else sums.add(inStratum, contribution === 'uncentered' ? factor : factor * (1 - 1 / clusters));
  }
  if (averaged > 0) sums.scale(strata / (strata - averaged));
  return { covariance: sums.values, sizes: counter.sizes() };
}
