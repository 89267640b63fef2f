import type { Count } from '../base.ts';
import { type Domains, estimateMeans, type Estimates, standardError } from '../design/estimates.ts';
import {
  linearizedShareError,
  type Precision,
  presentMeanPrecision,
  presentSharePrecision,
} from '../design/precision.ts';
import { type MeanFigure, presentMean, type ValueMoments } from '../moments.ts';
import type { Axis } from './axis.ts';
import { columnDomains } from './axis-domains.ts';
import type { TableSample, TableSettings } from './table.ts';

/** The standard errors and intervals of a table's cells. */
export class CellPrecision {
  readonly #sample: TableSample | null;
  readonly #domains: Domains | null;
  readonly #compares: boolean;

  constructor(columns: Axis, { sample, statistics }: TableSettings) {
    this.#sample = sample ?? null;
    this.#domains = sample?.design == null ? null : columnDomains(columns);
    this.#compares = statistics.has('letters') || statistics.has('tests');
  }

  /** The means of the values (by row, NaN: not in the row) in each column and, last, the total; null without a design. */
  estimate(valuesOf: () => Float64Array): Estimates | null {
    const design = this.#sample?.design ?? null;
    if (design === null || this.#domains === null) return null;
    return estimateMeans(design, valuesOf(), this.#domains, { onlyVariances: !this.#compares });
  }

  /** The precision of a share in percent; empty without intervals. `index`: its estimate. */
  ofShare(
    share: { part: Count; base: Count },
    estimates: Estimates | null,
    index: number,
  ): Partial<Precision> {
    const { intervals, size } = this.#sample ?? { intervals: null, size: null };
    if (intervals === null) return {};
    const { part, base } = share;
    const estimate = part.weight / base.weight;
    const { se, df } =
      estimates === null
        ? { se: linearizedShareError(share, size ?? base.count), df: base.count - 1 }
        : { se: standardError(estimates, index), df: estimates.degreesOfFreedom[index]! };
    return presentSharePrecision({ estimate, se, df, base }, intervals);
  }

  /** A mean, under the design if there is one, with its interval if they are requested. `size`: see `presentMean`. */
  presentMean(
    moments: ValueMoments,
    { estimates, index, size }: { estimates: Estimates | null; index: number; size: number | null },
  ): MeanFigure {
    const designSize = size === null ? null : (this.#sample?.size ?? size);
    const plain = presentMean(moments, designSize);
    const se = estimates === null ? plain.se : finiteOrNull(standardError(estimates, index));
    const figure = { ...plain, se };
    const { intervals } = this.#sample ?? { intervals: null };
    if (intervals === null) return figure;
    const df = estimates === null ? figure.count - 1 : estimates.degreesOfFreedom[index]!;
    const { ci_low, ci_high } = presentMeanPrecision(
      { estimate: figure.mean ?? NaN, se: se ?? NaN, df },
      intervals.level,
    );
    return { ...figure, ci_low, ci_high, df: figure.count > 0 ? df : null };
  }
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
