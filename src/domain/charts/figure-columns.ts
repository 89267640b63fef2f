import type { ChartFigures, ChartSeries } from './chart-data.ts';
import { isCounting } from './chart-types.ts';
import { letterOf } from './drawing/legend.ts';
import { figureText, numberText } from './figure-text.ts';

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
  if (series.length === 1 && isCounting(aggregation.function) && !hasOwnBases(figures)) {
    const share: FigureColumn = {
      ...drawn(first!, 'Percent'),
      value: (row) => first!.percents[row] ?? null,
      text: (row) => told(first!.percents[row], (value) => figureText(value, 'percent', decimals)),
    };
    return [share, counted(first!, 'Count')];
  }
  const columns = series.map((one, place): FigureColumn => {
    const function_ = one.function ?? (one.drawn_as === 'line' ? 'mean' : aggregation.function);
    return {
      ...drawn(one, one.name),
      letter: compared && one.drawn_as === undefined ? letterOf(place) : null,
      text: (row) => told(one.values[row], (value) => figureText(value, function_, decimals)),
    };
  });
  if (hasOwnBases(figures)) return [...columns, ownBases(figures)];
  if (series.length > 1 || first === undefined) return columns;
  return [...columns, counted(first, 'n')];
}

/** Whether percents are of the categories, so that the columns have no base. */
export const hasOwnBases = ({ categories }: ChartFigures): boolean =>
  categories.some(({ base }) => base !== undefined);

function ownBases({ categories }: ChartFigures): FigureColumn {
  const of = (row: number) => categories[row]?.base?.unweighted ?? null;
  const text = (row: number) => told(of(row), (value) => numberText(value, 0));
  return { name: 'n', letter: null, value: of, text, letters: () => NO_LETTERS, base: null };
}

/** Where categories are compared, because there is one series, they are the columns that letters name; else null for each. */
export function categoryLetters({ series, categories }: ChartFigures): (string | null)[] {
  if (series.filter(({ letters }) => letters !== undefined).length !== 1) return categories.map(() => null);
  let place = 0;
  return categories.map(({ is_net: isNet }) => (isNet === true ? null : letterOf(place++)));
}

const drawn = ({ values, letters, base }: ChartSeries, name: string): Omit<FigureColumn, 'text'> => ({
  name,
  letter: null,
  value: (row) => values[row] ?? null,
  letters: (row) => letters?.[row] ?? NO_LETTERS,
  base,
});

const counted = (series: ChartSeries, name: string): FigureColumn => ({
  ...drawn(series, name),
  letters: () => NO_LETTERS,
  value: (row) => series.counts[row] ?? null,
  text: (row) => told(series.counts[row], (value) => numberText(value, 0)),
});

const told = (value: number | null | undefined, text: (value: number) => string): string | null =>
  value == null ? null : text(value);
