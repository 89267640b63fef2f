import { SealingService } from '../datasets/segments/sealing.ts';
import type { Foundations } from '../foundations.ts';
import { CrosstabService } from './crosstabs.ts';
import { FigureService } from './figures.ts';

export function figureServices({ store, datasets }: Foundations) {
  return {
    crosstabs: new CrosstabService(datasets),
    figures: new FigureService(datasets),
    sealing: new SealingService(store),
  };
}
