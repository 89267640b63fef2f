import { figureText } from '../figure-text.ts';
import type { DrawnChart } from './chart-drawing.ts';

/** The chart with series that are labels as a part of the names of its categories: `Price (mean rank 1.80)`. */
export function withLabelSeries<Chart extends DrawnChart>(chart: Chart): Chart {
  const { figures, options } = chart;
  const labels = figures.series.filter((one) => one.drawn_as === 'label');
  if (labels.length === 0) return chart;
  const categories = figures.categories.map((category, place) => {
    const told = labels.flatMap(({ name, values, function: own }) => {
      const value = values[place] ?? null;
      if (value === null) return [];
      return `${name.toLowerCase()} ${figureText(value, own ?? figures.aggregation.function, options.decimals)}`;
    });
    return told.length === 0 ? category : { ...category, label: `${category.label} (${told.join(', ')})` };
  });
  const series = figures.series.filter((one) => one.drawn_as !== 'label');
  return { ...chart, figures: { ...figures, categories, series } };
}
