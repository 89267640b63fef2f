import type { ChartFigures } from '../charts/chart-data.ts';
import { CHART_NAMES, figureColumns } from '../charts/figure-texts.ts';
import { isDrawable } from '../charts/draw-chart.ts';
import { formatBase } from './format-base.ts';

/** The maximum number of figures listed; above it, the range is given. */
const MAX_LISTED_FIGURES = 24;

/** Returns alternative text for a chart: its type, and its figures if they are few. */
export function chartAltText(figures: ChartFigures, title: string | null, decimals?: number): string {
  const { chart_type: type, dimension, series_by: by, aggregation, categories } = figures;
  const columns = figureColumns(figures, decimals).slice(0, figures.series.length);
  const subject = `${title ?? dimension.label}. ${CHART_NAMES[type]}: ${aggregation.label}`;
  const axes =
    isDrawable(type) && type !== 'gauge'
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
      : `${categories.length} categories${columns.length > 1 ? ` in ${columns.length} series` : ''}, ${describeRange(figures, decimals)}`;
  return `${head} ${body}. ${formatBase(figures.base)}.`;
}

function describeRange(figures: ChartFigures, decimals: number | undefined): string {
  let [low, high] = [
    { value: Infinity, said: '' },
    { value: -Infinity, said: '' },
  ];
  for (const { name, value, text } of figureColumns(figures, decimals).slice(0, figures.series.length)) {
    figures.categories.forEach(({ label }, index) => {
      const found = value(index);
      if (found === null) return;
      const description = `${text(index)} (${figures.series.length > 1 ? `${name}, ` : ''}${label})`;
      if (found < low.value) low = { value: found, said: description };
      if (found > high.value) high = { value: found, said: description };
    });
  }
  return low.said === '' ? 'none of them shown' : `from ${low.said} to ${high.said}`;
}
