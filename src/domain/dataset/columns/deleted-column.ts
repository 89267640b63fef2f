import type { CatalogColumn } from './column-catalog.ts';
import { DELETED_FLAG } from './metadata-columns.ts';

/** Of files that hold deleted responses too. In no catalog: wherever else there are rows, none is deleted. */
export const DELETED_COLUMN: CatalogColumn = {
  spec: DELETED_FLAG.spec,
  loadCodes: [],
  origin: { kind: 'metadata', metadata: DELETED_FLAG },
};
