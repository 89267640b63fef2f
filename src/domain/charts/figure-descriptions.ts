import type { ChartBase, ChartFigures } from './chart-data.ts';
import type { FigureChart } from './chart-types.ts';

/** Chart names for the text alternative. */
export const CHART_NAMES: Record<FigureChart, string> = {
  bar: 'Bar chart',
  'horizontal-bar': 'Bar chart',
  'stacked-bar': 'Stacked bars',
  line: 'Line chart',
  area: 'Area chart',
  'line-bar': 'Bars with a line',
  pie: 'Pie chart',
  donut: 'Donut chart',
  radar: 'Radar chart',
  gauge: 'Gauge',
  kpi: 'Figure',
  table: 'Table',
};

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
