import { compareMeans, compareProportions, type CompareSettings, type Comparison } from '../compare-pairs.ts';
import type { Count } from '../base.ts';
import type { Axis } from './axis.ts';
import type { MeanFigure } from './mean-figure.ts';
import { hasTooManyColumns } from './notes.ts';
import { presentTests } from './table.ts';
import type { TableSettings } from './table-settings.ts';

/** Compares the columns of a table. Does nothing if neither letters nor tests are requested. */
export class ColumnComparer {
  readonly isEnabled: boolean;
  readonly #statistics: TableSettings['statistics'];
  readonly #settings: CompareSettings;

  constructor(columns: Axis, { statistics, minBase, correction }: TableSettings) {
    this.#statistics = statistics;
    this.isEnabled = statistics.has('letters') || statistics.has('tests');
    const comparable = this.isEnabled && !hasTooManyColumns(columns);
    const families = columns.categories.map(({ family }) => (comparable ? family : null));
    this.#settings = { minBase, correction, families };
  }

  /** Adds letters to a row of shares, or of means that are shares. Returns the tests if requested. */
  compareShares(cells: { letters?: string[] }[], counts: readonly Count[], bases: readonly Count[]) {
    if (!this.isEnabled) return {};
    const columns = counts.map(({ weight }, index) => {
      const base = bases[index]!;
      return { base, share: base.weight > 0 ? weight / base.weight : 0 };
    });
    return this.#addLetters(compareProportions(columns, this.#settings), cells);
  }

  /** Adds letters to the row of means. */
  compareMeans(cells: MeanFigure[]) {
    if (!this.isEnabled) return {};
    const columns = cells.map(({ count, effective_base, mean, sd }) => {
      return { count, effectiveBase: effective_base, mean, sd };
    });
    return this.#addLetters(compareMeans(columns, this.#settings), cells);
  }

  #addLetters({ letters, pairs }: Comparison, cells: { letters?: string[] }[]) {
    if (this.#statistics.has('letters')) cells.forEach((cell, index) => (cell.letters = letters[index]!));
    return this.#statistics.has('tests') ? { tests: presentTests(pairs) } : {};
  }
}
