import { drawLines } from '../drawing/lines.ts';
import { figureType } from './figure-type.ts';

export const areaType = figureType({
  type: 'area',
  name: 'Area chart',
  layout: 'categories',
  draw: (chart) => drawLines(chart, true),
  nativeWriter: 'areas',
  page: { isCentered: false, hasSmallMarks: true, tooltip: () => 'index' },
  example: {
    title: 'Responses by week',
    config: { dimension: { column_code: 'completed_at', period: 'week' } },
  },
});
