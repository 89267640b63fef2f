import type { CatalogColumn } from './column-catalog.ts';
import { DELETED_FLAG } from './metadata-columns.ts';

/** For files that include deleted responses. Not in any catalog: no other output has deleted rows. */
export const DELETED_COLUMN: CatalogColumn = {
  spec: DELETED_FLAG.spec,
  loadCodes: [],
  origin: { kind: 'metadata', metadata: DELETED_FLAG },
};
