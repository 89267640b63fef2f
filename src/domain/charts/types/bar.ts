import type { ChartDrawing, DrawableChart } from '../drawing/chart-drawing.ts';
import { drawClassBars, drawHorizontalBars, drawVerticalBars, fitsVerticalBars } from '../drawing/bars.ts';
import { figureType, maxBarCategories } from './figure-type.ts';

export const barType = figureType({
  type: 'bar',
  name: 'Bar chart',
  layout: 'categories',
  draw: drawBars,
  nativeWriter: 'bars',
  maxCategories: maxBarCategories,
  example: {
    title: 'Satisfaction by gender',
    config: { dimension: 'Q4', series: 'Q1', aggregation: 'percent' },
  },
});

/** Bars with too many names for vertical ones become horizontal, or a histogram if they are classes of a number. */
function drawBars(chart: DrawableChart): ChartDrawing {
  if (fitsVerticalBars(chart)) return drawVerticalBars(chart);
  const { binning, series } = chart.figures;
  return binning === undefined || series.length > 1 ? drawHorizontalBars(chart) : drawClassBars(chart);
}
