import { figureType } from './figure-type.ts';

export const kpiType = figureType({
  type: 'kpi',
  name: 'Figure',
  layout: 'single',
  draw: null,
  nativeWriter: null,
  view: 'number',
  gridSize: { w: 3, h: 3 },
  slides: ['key-figures', 'chart'],
  example: { title: 'Satisfied', config: { dimension: 'Q4', aggregation: { function: 'top_box', n: 2 } } },
});
