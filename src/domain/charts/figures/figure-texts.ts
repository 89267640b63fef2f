import { type AggregationName, isCounting } from '../chart-config.ts';
import type { ChartBase, ChartFigures, ChartSeries } from '../chart-data.ts';
import { columnLetter } from '../../statistics/compare-pairs.ts';

/** Whether a figure is a percentage; a rank summary draws percentages. */
export const isPercentage = (name: AggregationName): boolean =>
  name === 'percent' || name === 'top_box' || name === 'rank_summary';

/** The default number of decimals. */
function defaultDecimals(name: AggregationName, value: number): number {
  if (name === 'count' || name === 'nps' || isPercentage(name)) return 0;
  if (name === 'min' || name === 'max' || name === 'sum') return Number.isInteger(value) ? 0 : 1;
  return Math.abs(value) < 10 ? 2 : 1;
}

/** Formats a number: `2,436`, `4.25`. */
export function formatNumber(value: number, decimals: number): string {
  return cachedFormat(decimals).format(value);
}

/** Creating a formatter is slow. There is one per number of decimals. */
const formatCache = new Map<number, Intl.NumberFormat>();

function cachedFormat(decimals: number): Intl.NumberFormat {
  const cached = formatCache.get(decimals);
  if (cached !== undefined) return cached;
  const formatter = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    // Avoids a minus zero.
    signDisplay: 'negative',
  });
  formatCache.set(decimals, formatter);
  return formatter;
}

/** Formats a figure of a chart: `45%`, `+12`, `4.25`. */
export function formatFigure(value: number, name: AggregationName, decimals?: number): string {
  const text = formatNumber(value, decimals ?? defaultDecimals(name, value));
  if (isPercentage(name)) return `${text}%`;
  return name === 'nps' && value > 0 ? `+${text}` : text;
}

/** Formats a difference: `+0.30`, `−2`, `±0`. */
export function formatChange(change: number, decimals: number): string {
  return `${change > 0 ? '+' : change < 0 ? '−' : '±'}${formatNumber(Math.abs(change), decimals)}`;
}

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
  if (
    first !== undefined &&
    series.length === 1 &&
    isCounting(aggregation.function) &&
    !hasCategoryBases(figures)
  ) {
    const share: FigureColumn = {
      ...seriesColumn(first, 'Percent'),
      value: (row) => first.percents[row] ?? null,
      text: (row) => formatOrNull(first.percents[row], (value) => formatFigure(value, 'percent', decimals)),
    };
    return [share, countColumn(first, 'Count')];
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

/** Whether the weighted or effective base differs visibly from the unweighted one. */
export function isWeightedBase({ unweighted, weighted, effective }: ChartBase): boolean {
  return Math.abs(weighted - unweighted) >= 0.5 || unweighted - effective >= 0.5;
}

/** Explains the significance letters. Returns null if nothing is compared. */
export function lettersNote({ series }: Pick<ChartFigures, 'series'>): string | null {
  if (!series.some(({ letters }) => letters !== undefined)) return null;
  const letters = series.flatMap((one) => one.letters ?? []).flat();
  if (letters.length === 0) return 'No significant differences at 95%.';
  const hasLowerCase = letters.some((letter) => letter !== letter.toUpperCase());
  return hasLowerCase
    ? 'Letters: higher than that column, with 95% (upper case) or 90% (lower case) confidence.'
    : 'Letters: higher than that column, with 95% confidence.';
}

/** `Base: 2,436 respondents (weighted 2,436, effective 2,101)`. */
export function formatBase(base: ChartBase | null): string {
  if (base === null) return 'Base: hidden (too few respondents)';
  const { unweighted, weighted, effective } = base;
  const noun = unweighted === 1 ? 'respondent' : 'respondents';
  const sizes = isWeightedBase(base)
    ? ` (weighted ${formatNumber(weighted, 0)}, effective ${formatNumber(effective, 0)})`
    : '';
  return `Base: ${formatNumber(unweighted, 0)} ${noun}${sizes}`;
}

/** The maximum number of figures listed; above it, the range is given. */
const MAX_LISTED_FIGURES = 24;

/**
 * Alternative text of a chart: the name of its type, and its figures if they are few. `columns`: the table columns of the series. `hasAxes`:
 * the drawing has an axis for the dimension.
 */
export function chartAltText(
  figures: ChartFigures,
  title: string | null,
  { name: typeName, columns, hasAxes }: { name: string; columns: readonly FigureColumn[]; hasAxes: boolean },
): string {
  const { dimension, series_by: by, aggregation, categories } = figures;
  const subject = `${title ?? dimension.label}. ${typeName}: ${aggregation.label}`;
  const axes = hasAxes
    ? ` by ${[dimension, ...(by ? [by] : [])].map(({ label }) => label).join(' and ')}`
    : '';
  const head = `${subject}${axes}.`;
  if (columns.length === 0 || categories.length === 0) return `${head} ${formatBase(figures.base)}.`;
  const shown = columns.map(({ name, text }) => {
    const texts = categories.map(({ label }, index) => `${label} ${text(index) ?? 'not shown'}`).join(', ');
    return columns.length > 1 ? `${name}: ${texts}` : texts;
  });
  const body =
    columns.length * categories.length <= MAX_LISTED_FIGURES
      ? shown.join('; ')
      : `${categories.length} categories${columns.length > 1 ? ` in ${columns.length} series` : ''}, ${describeRange(figures, columns)}`;
  return `${head} ${body}. ${formatBase(figures.base)}.`;
}

function describeRange(figures: ChartFigures, columns: readonly FigureColumn[]): string {
  let [low, high] = [
    { value: Infinity, text: '' },
    { value: -Infinity, text: '' },
  ];
  for (const { name, value, text } of columns) {
    figures.categories.forEach(({ label }, index) => {
      const found = value(index);
      if (found === null) return;
      const description = `${text(index)} (${figures.series.length > 1 ? `${name}, ` : ''}${label})`;
      if (found < low.value) low = { value: found, text: description };
      if (found > high.value) high = { value: found, text: description };
    });
  }
  return low.text === '' ? 'none of them shown' : `from ${low.text} to ${high.text}`;
}
