import { drawLines } from '../drawing/lines.ts';
import { figureType } from './figure-type.ts';

export const lineType = figureType({
  type: 'line',
  name: 'Line chart',
  layout: 'categories',
  draw: (chart) => drawLines(chart, false),
  nativeWriter: 'lines',
  page: { isCentered: false, hasSmallMarks: true, tooltip: () => 'index' },
  example: {
    title: 'Responses by month',
    config: { dimension: { column_code: 'completed_at', period: 'month' } },
  },
});
