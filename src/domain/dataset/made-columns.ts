import type { CatalogColumn, ColumnCatalog } from './columns/column-catalog.ts';
import type { Column } from './columns/columns.ts';
import { derivedLoadCode } from './columns/derived-column.ts';
import { WAVE_COLUMN } from './columns/metadata-columns.ts';
import { BinaryColumn } from './columns/multiple-column.ts';

/** A derived column as it was made, and from what. */
interface MadeColumn {
  column: Column;
  /** By which definitions: its own, those of the derived columns it is made from, and the waves where it is made from those. */
  madeBy: string;
  /** Of the rows it was made from; null: its values are its own, whatever becomes of the rows. */
  revision: number | null;
}

/** The derived columns of a dataset: they are made from its other columns, and made anew when rows or definitions change. */
export class MadeColumns {
  /** By load code. */
  readonly #made = new Map<string, MadeColumn>();

  /** Is it made, by the definitions of the catalog and from the rows of this revision? */
  isFresh(entry: CatalogColumn, catalog: ColumnCatalog, revision: number): boolean {
    const made = this.#made.get(derivedLoadCode(entry.spec.columnCode));
    return (
      made?.madeBy === definitionsOf(entry, catalog) && (made.revision === null || made.revision === revision)
    );
  }

  /** `revision` null: it stays right whatever becomes of the rows. */
  keep(entry: CatalogColumn, column: Column, catalog: ColumnCatalog, revision: number | null): void {
    if (entry.origin.kind !== 'derived') throw new Error(`${entry.spec.columnCode} is not derived`);
    const madeBy = definitionsOf(entry, catalog);
    this.#made.set(derivedLoadCode(entry.spec.columnCode), { column, madeBy, revision });
  }

  column({ spec }: CatalogColumn): Column {
    const made = this.#made.get(derivedLoadCode(spec.columnCode));
    if (!made) throw new Error(`column ${spec.columnCode} is not made`);
    return made.column;
  }

  /** The columns that have the same definitions under another catalog. */
  under(catalog: ColumnCatalog): MadeColumns {
    const rest = new MadeColumns();
    for (const [loadCode, made] of this.#made) {
      const entry = catalog.derivedUnder(loadCode);
      if (entry !== undefined && made.madeBy === definitionsOf(entry, catalog))
        rest.#made.set(loadCode, made);
    }
    return rest;
  }

  get count(): number {
    return this.#made.size;
  }

  /** What they hold in memory, by load code. */
  get sizes(): { loadCode: string; bytes: number; isText: boolean }[] {
    return Array.from(this.#made, ([loadCode, { column }]) => {
      return { loadCode, bytes: storageOf(column).bytes, isText: column.kind === 'text' };
    });
  }

  /** The same without some of them. */
  without(loadCodes: ReadonlySet<string>): MadeColumns {
    const rest = new MadeColumns();
    for (const [loadCode, made] of this.#made) if (!loadCodes.has(loadCode)) rest.#made.set(loadCode, made);
    return rest;
  }

  grow(capacity: number): void {
    for (const { column } of this.#made.values()) storageOf(column).grow(capacity);
  }
}

const storageOf = (column: Column) => (column instanceof BinaryColumn ? column.source : column);

/** The id tells a column from another that once had its code. */
function definitionsOf({ loadCodes }: CatalogColumn, catalog: ColumnCatalog): string {
  return loadCodes
    .flatMap((loadCode) => {
      // Waves have names, which are read like labels.
      if (loadCode === WAVE_COLUMN) return JSON.stringify(catalog.waves);
      const origin = catalog.derivedUnder(loadCode)?.origin;
      return origin?.kind === 'derived' ? `${origin.derived.columnId}:${origin.derived.version}` : [];
    })
    .join();
}
