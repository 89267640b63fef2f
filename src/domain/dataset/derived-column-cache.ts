import type { CatalogColumn, ColumnCatalog } from './columns/column-catalog.ts';
import type { Column } from './columns/columns.ts';
import { derivedLoadCode } from './columns/derived-column.ts';
import { WAVE_COLUMN } from './columns/metadata-columns.ts';
import { BinaryColumn } from './columns/multiple-column.ts';

/** A derived column as it was made, and from what. */
interface CachedColumn {
  column: Column;
  /** By which definitions: its own, those of the derived columns it is made from, and the waves where it is made from those. */
  definitions: string;
  /** Of the rows it was made from; null: its values are its own, whatever becomes of the rows. */
  revision: number | null;
}

/** The derived columns of a dataset: they are made from its other columns, and made anew when rows or definitions change. */
export class DerivedColumnCache {
  /** By load code. */
  readonly #columns = new Map<string, CachedColumn>();

  /** Is it made, by the definitions of the catalog and from the rows of this revision? */
  isFresh(entry: CatalogColumn, catalog: ColumnCatalog, revision: number): boolean {
    const made = this.#columns.get(derivedLoadCode(entry.spec.columnCode));
    return (
      made?.definitions === definitionKey(entry, catalog) &&
      (made.revision === null || made.revision === revision)
    );
  }

  /** `revision` null: it stays right whatever becomes of the rows. */
  store(entry: CatalogColumn, column: Column, catalog: ColumnCatalog, revision: number | null): void {
    if (entry.origin.kind !== 'derived') throw new Error(`${entry.spec.columnCode} is not derived`);
    const madeBy = definitionKey(entry, catalog);
    this.#columns.set(derivedLoadCode(entry.spec.columnCode), { column, definitions: madeBy, revision });
  }

  column({ spec }: CatalogColumn): Column {
    const made = this.#columns.get(derivedLoadCode(spec.columnCode));
    if (!made) throw new Error(`column ${spec.columnCode} is not made`);
    return made.column;
  }

  /** The columns that have the same definitions under another catalog. */
  withCatalog(catalog: ColumnCatalog): DerivedColumnCache {
    const rest = new DerivedColumnCache();
    for (const [loadCode, made] of this.#columns) {
      const entry = catalog.derivedByLoadCode(loadCode);
      if (entry !== undefined && made.definitions === definitionKey(entry, catalog))
        rest.#columns.set(loadCode, made);
    }
    return rest;
  }

  get count(): number {
    return this.#columns.size;
  }

  /** What they hold in memory, by load code. */
  get sizes(): { loadCode: string; bytes: number; isText: boolean }[] {
    return Array.from(this.#columns, ([loadCode, { column }]) => {
      return { loadCode, bytes: storageOf(column).bytes, isText: column.kind === 'text' };
    });
  }

  /** The same without some of them. */
  withoutColumns(loadCodes: ReadonlySet<string>): DerivedColumnCache {
    const rest = new DerivedColumnCache();
    for (const [loadCode, made] of this.#columns)
      if (!loadCodes.has(loadCode)) rest.#columns.set(loadCode, made);
    return rest;
  }

  grow(capacity: number): void {
    for (const { column } of this.#columns.values()) storageOf(column).grow(capacity);
  }
}

const storageOf = (column: Column) => (column instanceof BinaryColumn ? column.source : column);

/** The id tells a column from another that once had its code. */
function definitionKey({ loadCodes }: CatalogColumn, catalog: ColumnCatalog): string {
  return loadCodes
    .flatMap((loadCode) => {
      // Waves have names, which are read like labels.
      if (loadCode === WAVE_COLUMN) return JSON.stringify(catalog.waves);
      const origin = catalog.derivedByLoadCode(loadCode)?.origin;
      return origin?.kind === 'derived' ? `${origin.derived.columnId}:${origin.derived.version}` : [];
    })
    .join();
}
