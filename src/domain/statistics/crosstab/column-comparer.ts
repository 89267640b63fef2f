import type { Count } from '../base.ts';
import {
  compareMeans,
  comparePairs,
  compareProportions,
  type CompareSettings,
  type Comparison,
  toComparedMean,
} from '../compare-pairs.ts';
import { testEstimates } from '../design/compare-under-design.ts';
import type { Estimates } from '../design/estimates.ts';
import type { MeanFigure } from '../moments.ts';
import { type Axis, codingAt, emptyAxis } from './axis.ts';
import { countCrossing, countInRegion, countTableRows, type TableRows } from './count-crossing.ts';
import { hasTooManyColumns, presentTests, type TableSettings } from './table.ts';

/**
 * Compares the columns of a table, by their estimates if there is a design. Does nothing if neither letters nor tests are requested.
 */
export class ColumnComparer {
  readonly isEnabled: boolean;
  readonly #statistics: TableSettings['statistics'];
  readonly #settings: CompareSettings;

  constructor(columns: Axis, { statistics, minBase, correction, counting, sample }: TableSettings) {
    this.#statistics = statistics;
    this.isEnabled = statistics.has('letters') || statistics.has('tests');
    const comparable = this.isEnabled && !hasTooManyColumns(columns);
    const families = columns.categories.map(({ family }) => (comparable ? family : null));
    this.#settings = { minBase, correction, families };
    if (comparable && counting.weights !== null && sample?.design == null)
      this.#settings.design = {
        size: countTableRows(counting),
        columnSizes: countColumns(columns, counting),
      };
  }

  /** Adds letters to a row of shares, or of means that are shares. Returns the tests if requested. */
  compareShares(
    cells: { letters?: string[] }[],
    { counts, bases }: { counts: readonly Count[]; bases: readonly Count[] },
    estimates: Estimates | null = null,
  ) {
    if (!this.isEnabled) return {};
    const columns = counts.map((part, index) => ({ base: bases[index]!, part }));
    const compared =
      estimates === null
        ? compareProportions(columns, this.#settings)
        : this.#compareEstimates(estimates, { isShare: true });
    return this.#addLetters(compared, cells);
  }

  /** Adds letters to the row of means. */
  compareMeans(cells: MeanFigure[], estimates: Estimates | null = null) {
    if (!this.isEnabled) return {};
    const compared =
      estimates === null
        ? compareMeans(cells.map(toComparedMean), this.#settings)
        : this.#compareEstimates(estimates, { isShare: false });
    return this.#addLetters(compared, cells);
  }

  /** The first estimates are those of the columns. */
  #compareEstimates(estimates: Estimates, { isShare }: { isShare: boolean }): Comparison {
    const columns = (this.#settings.families ?? []).map((_, index) => index);
    // Columns of a family share no respondents.
    const test = (first: number, second: number) =>
      testEstimates(estimates, [first, second], { isShare, isSeparate: true });
    return comparePairs(columns, { countOf: (index) => estimates.counts[index]!, test }, this.#settings);
  }

  #addLetters({ letters, pairs }: Comparison, cells: { letters?: string[] }[]) {
    if (this.#statistics.has('letters')) cells.forEach((cell, index) => (cell.letters = letters[index]!));
    return this.#statistics.has('tests') ? { tests: presentTests(pairs) } : {};
  }
}

/** The counted respondents in each category of the columns, whatever their answers in the rows. */
function countColumns(columns: Axis, counting: TableRows): number[] {
  const { codings } = emptyAxis(counting.mask.length);
  const crossings = new Map<number, ReturnType<typeof countCrossing>>();
  return columns.categories.map(({ region }) => {
    let crossing = crossings.get(region.coding);
    if (crossing === undefined) {
      crossing = countCrossing(codings[0]!, codingAt(columns, region.coding), counting);
      crossings.set(region.coding, crossing);
    }
    return countInRegion(crossing, region).count;
  });
}
