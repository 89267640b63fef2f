import { adjustPValues, type Correction } from '../adjust-p-values.ts';
import type { Count } from '../base.ts';
import {
  assignLetters,
  columnLetter,
  type ColumnPair,
  compareMeans,
  compareProportions,
  type CompareSettings,
  type Comparison,
  DEFAULT_TEST_LEVELS,
  pairsOfFamilies,
  significantLevel,
  type TestedPair,
  testPairs,
  toComparedMean,
} from '../compare-pairs.ts';
import { testAgainst, testEstimates } from '../design/compare-under-design.ts';
import type { MeanFigure } from '../moments.ts';
import { type Axis, codingAt, emptyAxis } from './axis.ts';
import { countCrossing, countInRegion, countTableRows, type TableRows } from './count-crossing.ts';
import type { RowEstimates } from './table-estimator.ts';
import {
  type CellComparison,
  type CellComparisons,
  type ComparedCell,
  comparesColumns,
  comparesOverlaps,
  hasTooManyColumns,
  presentTests,
  type TableSettings,
} from './table.ts';
import { findWavePairs, WAVE_COMPARISONS, type WaveComparison } from './wave-pairs.ts';

/** A row of shares or means, and how its columns are tested without a design. */
interface ComparedRow {
  cells: ComparedCell[];
  isShare: boolean;
  /** From estimates to the unit of differences. */
  scale: number;
  /** First minus second, in that unit. */
  differenceOf: (pair: ColumnPair) => number;
  compare: (settings: CompareSettings) => Comparison;
  estimates: RowEstimates | null;
}

/** Differences between columns, before the adjustment of p values. */
type Difference = Omit<CellComparison, 'direction' | 'level'>;

/** Compares the columns of a table with each other, the total, the rest and earlier waves, as the settings ask for. */
export class ColumnComparer {
  /** Whether columns are compared with each other. */
  readonly isEnabled: boolean;
  readonly #table: TableSettings;
  readonly #settings: CompareSettings;
  readonly #overlaps: boolean;
  readonly #waves: Record<WaveComparison, (number | null)[]> | null;

  constructor(columns: Axis, table: TableSettings) {
    const { minBase, correction, counting, sample, levels, compareWith, waves } = table;
    this.#table = table;
    this.isEnabled = comparesColumns(table);
    this.#overlaps = comparesOverlaps(columns, table);
    const comparesWaves = WAVE_COMPARISONS.some((wave) => compareWith?.has(wave));
    const comparable = (this.isEnabled || comparesWaves) && !hasTooManyColumns(columns, table);
    const families = columns.categories.map(({ family, overlapFamily }) => {
      if (!comparable) return null;
      return family ?? (table.testsOverlaps === true ? (overlapFamily ?? null) : null);
    });
    this.#settings = { minBase, correction, families, ...(levels !== undefined && { levels }) };
    const isWeighted = comparable && counting.weights !== null && sample?.design == null;
    const columnSizes = comparesWaves || isWeighted ? countColumns(columns, counting) : [];
    if (isWeighted) this.#settings.design = { size: countTableRows(counting), columnSizes };
    this.#waves = comparesWaves ? findWavePairs(columns, waves ?? [], columnSizes) : null;
  }

  /** Whether earlier waves were requested, and no column has one. */
  get lacksEarlierWave(): boolean {
    const { compareWith } = this.#table;
    const requested = WAVE_COMPARISONS.filter((wave) => compareWith?.has(wave));
    return (
      requested.length > 0 &&
      requested.every((wave) => this.#waves?.[wave].every((column) => column === null))
    );
  }

  /**
   * Adds letters and comparisons to a row of shares, or of means that are shares. Returns the tests if requested. `scale`: of the difference
   * of shares from 0 to 1. Default: percentage points.
   */
  compareShares(
    cells: ComparedCell[],
    { counts, bases, scale = 100 }: { counts: readonly Count[]; bases: readonly Count[]; scale?: number },
    estimates: RowEstimates | null = null,
  ) {
    const columns = counts.map((part, index) => ({ base: bases[index]!, part }));
    const shareOf = (index: number) => counts[index]!.weight / bases[index]!.weight;
    return this.#compareRow({
      cells,
      isShare: true,
      scale,
      differenceOf: ([first, second]) => scale * (shareOf(first) - shareOf(second)),
      compare: (settings) => compareProportions(columns, settings),
      estimates,
    });
  }

  /** Adds letters and comparisons to the row of means. */
  compareMeans(cells: (MeanFigure & ComparedCell)[], estimates: RowEstimates | null = null) {
    return this.#compareRow({
      cells,
      isShare: false,
      scale: 1,
      differenceOf: ([first, second]) => (cells[first]!.mean ?? NaN) - (cells[second]!.mean ?? NaN),
      compare: (settings) => compareMeans(cells.map(toComparedMean), settings),
      estimates,
    });
  }

  #compareRow(row: ComparedRow) {
    this.#addComparisons(row);
    if (!this.isEnabled) return {};
    const { statistics } = this.#table;
    const { letters, pairs } = this.#comparePairs(row);
    if (statistics.has('letters')) row.cells.forEach((cell, index) => (cell.letters = letters[index]!));
    return statistics.has('tests') ? { tests: presentTests(pairs) } : {};
  }

  /** Tests pairs of columns, by default all of the same family. Under a design, and where columns share respondents, by their estimates. */
  #comparePairs(
    { estimates, isShare, cells, compare }: ComparedRow,
    wanted?: readonly ColumnPair[],
  ): Comparison {
    // Columns of different waves share no respondents.
    const isSeparate = !this.#overlaps || wanted !== undefined;
    const settings = { ...this.#settings, ...(wanted !== undefined && { pairs: wanted }) };
    if (estimates === null || (isSeparate && !estimates.isDeclared)) return compare(settings);
    const found = estimates.estimates;
    const pairs = testPairs(
      wanted ?? pairsOfFamilies(settings.families ?? []),
      {
        countOf: (index) => found.counts[index]!,
        test: (pair) => testEstimates(found, pair, { isShare, isSeparate }),
      },
      settings,
    );
    return { pairs, letters: assignLetters(pairs, cells.length, settings.levels) };
  }

  #addComparisons(row: ComparedRow): void {
    const { compareWith } = this.#table;
    const { cells, estimates, isShare, scale } = row;
    const add = (name: keyof CellComparisons, found: readonly (Difference | null)[]) => {
      for (const [index, each] of found.entries())
        cells[index]!.comparisons = { ...cells[index]!.comparisons, [name]: each && this.#present(each) };
    };
    for (const against of ['total', 'rest'] as const) {
      if (compareWith?.has(against) !== true || estimates === null) continue;
      const { minBase, correction } = this.#settings;
      const found = cells.map((_, column) => {
        const test = testAgainst(estimates, column, { against, isShare, minBase });
        return test && toDifference({ ...test, difference: scale * test.difference });
      });
      add(against, adjustDifferences(found, correction));
    }
    for (const wave of WAVE_COMPARISONS) {
      if (compareWith?.has(wave) !== true) continue;
      const earlier = this.#waves?.[wave] ?? [];
      const wanted = earlier.flatMap((second, first): ColumnPair[] =>
        second === null ? [] : [[first, second]],
      );
      const { pairs } = this.#comparePairs(row, wanted);
      add(
        wave,
        cells.map((_, column) => {
          const pair = pairs.find(({ first }) => first === column);
          if (pair === undefined) return null;
          const difference = row.differenceOf([pair.first, pair.second]);
          return { ...toDifference({ ...pair, difference }), column: columnLetter(pair.second) };
        }),
      );
    }
  }

  /** Adds the results at the levels of significance. */
  #present({ p_value, ...difference }: Difference): CellComparison {
    const { levels = DEFAULT_TEST_LEVELS } = this.#settings;
    const level = levels[significantLevel(p_value, levels)] ?? null;
    const sign = difference.t > 0 ? ('higher' as const) : ('lower' as const);
    return { ...difference, p_value, direction: level === null ? null : sign, level };
  }
}

/** Adjusts the p values of all tests. */
function adjustDifferences(
  found: readonly (Difference | null)[],
  correction: Correction,
): (Difference | null)[] {
  const tested = found.filter((each) => each !== null);
  const pValues = adjustPValues(
    tested.map(({ p_value }) => p_value),
    correction,
  );
  const adjusted = new Map(tested.map((each, index) => [each, { ...each, p_value: pValues[index]! }]));
  return found.map((each) => each && (adjusted.get(each) ?? null));
}

const toDifference = ({
  difference,
  t,
  df,
  pValue,
}: Pick<TestedPair, 't' | 'df' | 'pValue'> & { difference: number }): Difference => {
  return { difference, t, df, p_value: pValue };
};

/** The counted respondents in each category of the columns, whatever their answers in the rows. */
export function countColumns(columns: Axis, counting: TableRows): number[] {
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
