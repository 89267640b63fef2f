import type { ChartFigures, ChartSeries } from './chart-data.ts';
import { isCounting } from './chart-types.ts';
import { columnLetter } from '../statistics/compare-pairs.ts';
import { formatFigure, formatNumber } from './format-figure.ts';

/** A column of the table of a chart's figures. */
export interface FigureColumn {
  name: string;
  /** Its column letter; null if it is not compared. */
  letter: string | null;
  /** The formatted value; null if it is suppressed. */
  text: (row: number) => string | null;
  value: (row: number) => number | null;
  letters: (row: number) => readonly string[];
  /** The unweighted, weighted and effective base of the column. */
  base: ChartSeries['base'];
}

const NO_LETTERS: readonly string[] = [];

/**
 * A single series of counts has a percent and a count column. Another single series has its figures and their n. Several series have one
 * column each.
 */
export function figureColumns(figures: ChartFigures, decimals: number | undefined): FigureColumn[] {
  const { series, aggregation } = figures;
  const compared = series.filter(({ letters }) => letters !== undefined).length > 1;
  const [first] = series;
  if (series.length === 1 && isCounting(aggregation.function) && !hasCategoryBases(figures)) {
    const share: FigureColumn = {
      ...seriesColumn(first!, 'Percent'),
      value: (row) => first!.percents[row] ?? null,
      text: (row) => formatOrNull(first!.percents[row], (value) => formatFigure(value, 'percent', decimals)),
    };
    return [share, countColumn(first!, 'Count')];
  }
  const columns = series.map((one, index): FigureColumn => {
    const function_ = one.function ?? (one.drawn_as === 'line' ? 'mean' : aggregation.function);
    return {
      ...seriesColumn(one, one.name),
      letter: compared && one.drawn_as === undefined ? columnLetter(index) : null,
      text: (row) => formatOrNull(one.values[row], (value) => formatFigure(value, function_, decimals)),
    };
  });
  if (hasCategoryBases(figures)) return [...columns, categoryBaseColumn(figures)];
  if (series.length > 1 || first === undefined) return columns;
  return [...columns, countColumn(first, 'n')];
}

/** Whether percents are of the categories, so that the columns have no base. */
export const hasCategoryBases = ({ categories }: ChartFigures): boolean =>
  categories.some(({ base }) => base !== undefined);

function categoryBaseColumn({ categories }: ChartFigures): FigureColumn {
  const baseOfRow = (row: number) => categories[row]?.base?.unweighted ?? null;
  const text = (row: number) => formatOrNull(baseOfRow(row), (value) => formatNumber(value, 0));
  return { name: 'n', letter: null, value: baseOfRow, text, letters: () => NO_LETTERS, base: null };
}

/** The column letter of each category if the categories of a single series are compared; null otherwise. */
export function categoryLetters({ series, categories }: ChartFigures): (string | null)[] {
  if (series.filter(({ letters }) => letters !== undefined).length !== 1) return categories.map(() => null);
  let index = 0;
  return categories.map(({ is_net: isNet }) => (isNet === true ? null : columnLetter(index++)));
}

const seriesColumn = ({ values, letters, base }: ChartSeries, name: string): Omit<FigureColumn, 'text'> => ({
  name,
  letter: null,
  value: (row) => values[row] ?? null,
  letters: (row) => letters?.[row] ?? NO_LETTERS,
  base,
});

const countColumn = (series: ChartSeries, name: string): FigureColumn => ({
  ...seriesColumn(series, name),
  letters: () => NO_LETTERS,
  value: (row) => series.counts[row] ?? null,
  text: (row) => formatOrNull(series.counts[row], (value) => formatNumber(value, 0)),
});

const formatOrNull = (value: number | null | undefined, text: (value: number) => string): string | null =>
  value == null ? null : text(value);
