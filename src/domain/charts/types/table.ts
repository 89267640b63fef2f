import { figureType } from './figure-type.ts';

export const tableType = figureType({
  type: 'table',
  name: 'Table',
  layout: 'categories',
  draw: null,
  nativeWriter: null,
  view: 'table',
});
