import type { Count } from '../base.ts';
import { type Estimates, logitError, standardError } from '../design/estimates.ts';
import {
  linearizedShareError,
  type Precision,
  presentMeanPrecision,
  presentSharePrecision,
} from '../design/precision.ts';
import { type MeanFigure, presentMean, type ValueMoments } from '../moments.ts';
import type { RowEstimates } from './table-estimator.ts';
import type { TableSample } from './table.ts';

/** The estimates under the design of the survey. */
const declaredOf = (row: RowEstimates | null): Estimates | null =>
  row?.isDeclared === true ? row.estimates : null;

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** The standard errors and intervals of a table's cells. */
export class CellPrecision {
  readonly #sample: TableSample;

  constructor(sample: TableSample | null | undefined) {
    this.#sample = sample ?? { design: null, size: null, intervals: null };
  }

  /** The precision of a share in percent; empty without intervals. `index`: of its column, or behind them of the total. */
  ofShare(share: { part: Count; base: Count }, row: RowEstimates | null, index: number): Partial<Precision> {
    const { intervals, size } = this.#sample;
    if (intervals === null) return {};
    const { part, base } = share;
    const estimates = declaredOf(row);
    const precision =
      estimates === null
        ? { se: linearizedShareError(share, size ?? base.count), df: base.count - 1 }
        : {
            se: standardError(estimates, index),
            logitError: logitError(estimates, index),
            df: estimates.degreesOfFreedom[index]!,
          };
    return presentSharePrecision({ estimate: part.weight / base.weight, ...precision, base }, intervals);
  }

  /** A mean, under the design if there is one, with its interval if they are requested. `size`: see `presentMean`. */
  presentMean(
    moments: ValueMoments,
    { row, index, size }: { row: RowEstimates | null; index: number; size: number | null },
  ): MeanFigure {
    const { intervals, size: sampleSize } = this.#sample;
    const estimates = declaredOf(row);
    const plain = presentMean(moments, size === null ? null : (sampleSize ?? size));
    const se = estimates === null ? plain.se : finiteOrNull(standardError(estimates, index));
    const figure = { ...plain, se };
    if (intervals === null) return figure;
    const df = estimates === null ? figure.count - 1 : estimates.degreesOfFreedom[index]!;
    const { ci_low, ci_high } = presentMeanPrecision(
      { estimate: figure.mean ?? NaN, se: se ?? NaN, df },
      intervals.level,
    );
    return { ...figure, ci_low, ci_high, df: figure.count > 0 ? df : null };
  }
}
