import type { ChartFigures, ChartSeries } from './chart-data.ts';
import { isCounting } from './chart-types.ts';
import { columnLetter } from '../statistics/compare-pairs.ts';
import { formatFigure, formatNumber } from './format-figure.ts';

/** A column of the table that says what a chart draws. */
export interface FigureColumn {
  name: string;
  /** By which others name it; null: it is compared with none. */
  letter: string | null;
  /** As people read it; null: it is not to be told. */
  text: (row: number) => string | null;
  value: (row: number) => number | null;
  letters: (row: number) => readonly string[];
  /** Whom the column is of, unweighted, and what they are worth. */
  base: ChartSeries['base'];
}

const NO_LETTERS: readonly string[] = [];

/** Of a single series of counts percents and counts, of another its figures and how many they are of; else a column for each series. */
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
  const of = (row: number) => categories[row]?.base?.unweighted ?? null;
  const text = (row: number) => formatOrNull(of(row), (value) => formatNumber(value, 0));
  return { name: 'n', letter: null, value: of, text, letters: () => NO_LETTERS, base: null };
}

/** Where categories are compared, because there is one series, they are the columns that letters name; else null for each. */
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
