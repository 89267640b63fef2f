import { ColumnSnapshotService } from '../datasets/column-snapshots.ts';
import type { SharedServices } from '../shared-services.ts';
import { CrosstabService } from './crosstabs.ts';
import { FigureService } from './figures.ts';
import { RelationService } from './relations.ts';

export function figureServices({ store, datasets }: SharedServices) {
  return {
    crosstabs: new CrosstabService(datasets),
    figures: new FigureService(datasets),
    relations: new RelationService(datasets),
    columnSnapshots: new ColumnSnapshotService(store),
  };
}
