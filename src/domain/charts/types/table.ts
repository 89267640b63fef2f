import { figureType } from './figure-type.ts';

export const tableType = figureType({
  type: 'table',
  name: 'Table',
  layout: 'categories',
  draw: null,
  nativeWriter: null,
  view: 'table',
  example: {
    title: 'Satisfaction by gender, tested',
    config: {
      dimension: 'Q4',
      series: 'Q1',
      aggregation: 'percent',
      compare: { letters: true },
    },
  },
});
