import { drawPieOrDonut } from '../drawing/pie.ts';
import { figureType } from './figure-type.ts';

export const donutType = figureType({
  type: 'donut',
  name: 'Donut chart',
  layout: 'slices',
  draw: (chart) => drawPieOrDonut(chart, true),
  nativeWriter: 'donut',
  page: { isCentered: true, hasSmallMarks: false, tooltip: () => 'index' },
  example: { title: 'Gender', config: { dimension: 'Q1', aggregation: 'percent' } },
});
