import { type ColumnEstimates, estimateColumns } from '../design/compare-under-design.ts';
import type { Domains } from '../design/estimates.ts';
import { buildLinearizedDesign, type SampleDesign } from '../design/sample-design.ts';
import type { Axis } from './axis.ts';
import { columnDomains } from './axis-domains.ts';
import { comparesColumns, comparesOverlaps, type TableSettings } from './table.ts';

/** Estimates of a row of a table in its columns. */
export interface RowEstimates extends ColumnEstimates {
  /** Whether they are under the design of the survey; false: the weights alone, or a simple random sample. */
  isDeclared: boolean;
}

/** Estimates rows of a table with covariances, if there is a design or columns are compared with what they are part of. */
export class TableEstimator {
  readonly #design: SampleDesign | null;
  readonly #domains: Domains | null;
  readonly #isDeclared: boolean;
  readonly #onlyVariances: boolean;

  constructor(columns: Axis, settings: TableSettings) {
    const { sample, compareWith, counting } = settings;
    const declared = sample?.design ?? null;
    const isCompared = comparesColumns(settings);
    const needsCovariances =
      compareWith?.has('total') === true ||
      compareWith?.has('rest') === true ||
      (isCompared && comparesOverlaps(columns, settings));
    this.#design = declared ?? (needsCovariances ? buildLinearizedDesign(counting) : null);
    this.#domains = this.#design === null ? null : columnDomains(columns);
    this.#isDeclared = declared !== null;
    this.#onlyVariances = !isCompared && (compareWith?.size ?? 0) === 0;
  }

  /** The means of the values (by row, NaN: not in the row) in each column and, last, the total; null if they are not needed. */
  estimate(valuesOf: () => Float64Array): RowEstimates | null {
    if (this.#design === null || this.#domains === null) return null;
    const options = { onlyVariances: this.#onlyVariances };
    return {
      ...estimateColumns(this.#design, valuesOf(), this.#domains, options),
      isDeclared: this.#isDeclared,
    };
  }
}
