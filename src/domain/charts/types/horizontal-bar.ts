import { drawHorizontalBars } from '../drawing/bars.ts';
import { figureType, maxBarCategories } from './figure-type.ts';

export const horizontalBarType = figureType({
  type: 'horizontal-bar',
  name: 'Bar chart',
  layout: 'categories',
  draw: drawHorizontalBars,
  nativeWriter: 'horizontal-bars',
  maxCategories: maxBarCategories,
  example: {
    title: 'Drinks',
    config: { dimension: 'Q3', aggregation: 'percent', options: { sort: 'value_desc' } },
  },
});
