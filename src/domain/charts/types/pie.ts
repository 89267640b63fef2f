import { drawPieOrDonut } from '../drawing/pie.ts';
import { figureType } from './figure-type.ts';

export const pieType = figureType({
  type: 'pie',
  name: 'Pie chart',
  layout: 'slices',
  draw: (chart) => drawPieOrDonut(chart, false),
  nativeWriter: 'pie',
  page: { isCentered: true, hasSmallMarks: false, tooltip: () => 'index' },
  example: { title: 'Regions', config: { dimension: 'Q8', aggregation: 'percent' } },
});
