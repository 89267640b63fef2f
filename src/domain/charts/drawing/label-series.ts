import { formatFigure } from '../format-figure.ts';
import type { DrawableChart } from './chart-drawing.ts';

/** Appends the series that are drawn as labels to the category names: `Price (mean rank 1.80)`. */
export function mergeLabelSeries<Chart extends DrawableChart>(chart: Chart): Chart {
  const { figures, options } = chart;
  const labels = figures.series.filter((one) => one.drawn_as === 'label');
  if (labels.length === 0) return chart;
  const categories = figures.categories.map((category, index) => {
    const disclosed = labels.flatMap(({ name, values, function: own }) => {
      const value = values[index] ?? null;
      if (value === null) return [];
      return `${name.toLowerCase()} ${formatFigure(value, own ?? figures.aggregation.function, options.decimals)}`;
    });
    return disclosed.length === 0
      ? category
      : { ...category, label: `${category.label} (${disclosed.join(', ')})` };
  });
  const series = figures.series.filter((one) => one.drawn_as !== 'label');
  return { ...chart, figures: { ...figures, categories, series } };
}
