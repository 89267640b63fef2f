import type { CatalogColumn, ColumnCatalog } from './columns/column-catalog.ts';
import type { Column } from './columns/columns.ts';
import { derivedLoadCode } from './columns/derived-column.ts';
import { WAVE_COLUMN } from './columns/metadata-columns.ts';
import { BinaryColumn } from './columns/multiple-column.ts';

/** A computed derived column and what it was computed from. */
interface CachedColumn {
  column: Column;
  /** Key of its definition, the definitions of the derived columns it depends on, and the waves if it depends on them. */
  definitions: string;
  /** Revision of the rows it was computed from; null: independent of row changes. */
  revision: number | null;
}

/** Caches computed derived columns. An entry is stale when the rows or a definition change. */
export class DerivedColumnCache {
  /** By load code. */
  readonly #columns = new Map<string, CachedColumn>();

  /** Whether the column is cached for these definitions and this revision of the rows. */
  isFresh(entry: CatalogColumn, catalog: ColumnCatalog, revision: number): boolean {
    const cached = this.#columns.get(derivedLoadCode(entry.spec.columnCode));
    return (
      cached?.definitions === definitionKey(entry, catalog) &&
      (cached.revision === null || cached.revision === revision)
    );
  }

  /** `revision` null: the column stays valid when rows change. */
  store(entry: CatalogColumn, column: Column, catalog: ColumnCatalog, revision: number | null): void {
    if (entry.origin.kind !== 'derived') throw new Error(`${entry.spec.columnCode} is not derived`);
    const key = definitionKey(entry, catalog);
    this.#columns.set(derivedLoadCode(entry.spec.columnCode), { column, definitions: key, revision });
  }

  column({ spec }: CatalogColumn): Column {
    const cached = this.#columns.get(derivedLoadCode(spec.columnCode));
    if (!cached) throw new Error(`column ${spec.columnCode} is not computed`);
    return cached.column;
  }

  /** Returns the columns whose definitions are the same in another catalog. */
  withCatalog(catalog: ColumnCatalog): DerivedColumnCache {
    const rest = new DerivedColumnCache();
    for (const [loadCode, cached] of this.#columns) {
      const entry = catalog.derivedByLoadCode(loadCode);
      if (entry !== undefined && cached.definitions === definitionKey(entry, catalog))
        rest.#columns.set(loadCode, cached);
    }
    return rest;
  }

  get count(): number {
    return this.#columns.size;
  }

  /** Bytes used, by load code. */
  get sizes(): { loadCode: string; bytes: number; isText: boolean }[] {
    return Array.from(this.#columns, ([loadCode, { column }]) => {
      return { loadCode, bytes: storageOf(column).bytes, isText: column.kind === 'text' };
    });
  }

  /** Returns a cache without some load codes. */
  withoutColumns(loadCodes: ReadonlySet<string>): DerivedColumnCache {
    const rest = new DerivedColumnCache();
    for (const [loadCode, cached] of this.#columns)
      if (!loadCodes.has(loadCode)) rest.#columns.set(loadCode, cached);
    return rest;
  }

  grow(capacity: number): void {
    for (const { column } of this.#columns.values()) storageOf(column).grow(capacity);
  }
}

const storageOf = (column: Column) => (column instanceof BinaryColumn ? column.source : column);

/** Includes the column id, because a deleted column's code can be reused. */
function definitionKey({ loadCodes }: CatalogColumn, catalog: ColumnCatalog): string {
  return loadCodes
    .flatMap((loadCode) => {
      // Wave names are read like value labels.
      if (loadCode === WAVE_COLUMN) return JSON.stringify(catalog.waves);
      const origin = catalog.derivedByLoadCode(loadCode)?.origin;
      return origin?.kind === 'derived' ? `${origin.derived.columnId}:${origin.derived.version}` : [];
    })
    .join();
}
