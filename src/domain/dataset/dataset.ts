import type { StoredAnswer } from '../questions/answers/codec.ts';
import type { CatalogColumn, ColumnCatalog } from './column-catalog.ts';
import { type ColumnStore, DatasetRows, MetadataStore, QuestionStore } from './dataset-rows.ts';
import { BinaryColumn, type Column, type NumericColumn, type StoredColumn } from '../columns/columns.ts';
import { derivedLoadCode } from './computed-column.ts';
import { VERSION_COLUMN, WAVE_COLUMN } from '../responses/metadata-columns.ts';
import type { ResponseRow, ResponseState } from '../responses/response-row.ts';
import { columnLayout } from './segment-codec.ts';

/** A computed derived column and what it was computed from. */
interface CachedColumn {
  column: Column;
  /** Key of its definition, the definitions of the derived columns it depends on, and the waves if it depends on them. */
  definitions: string;
  /** Revision of the rows it was computed from; null: independent of row changes. */
  revision: number | null;
}

/** Caches computed derived columns. An entry is stale when the rows or a definition change. */
class DerivedColumnCache {
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
  store(
    entry: CatalogColumn,
    column: Column,
    { catalog, revision }: { catalog: ColumnCatalog; revision: number | null },
  ): void {
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
      if (loadCode === VERSION_COLUMN) return JSON.stringify(catalog.absences);
      const origin = catalog.derivedByLoadCode(loadCode)?.origin;
      return origin?.kind === 'derived' ? `${origin.derived.columnId}:${origin.derived.version}` : [];
    })
    .join();
}

/** Memory used by the columns of one load code. */
export interface ColumnSize {
  loadCode: string;
  bytes: number;
  isText: boolean;
}

/**
 * A survey's responses in columnar form: one row per response, including deleted and test responses. Ids and states are always present;
 * questions and metadata columns are loaded on first use (`beginLoad`) and then kept up to date by `upsert`.
 *
 * Reading: load all required columns first, then compute without awaiting, so that rows cannot change. A reader that yields during a
 * long scan must iterate over `mask.length` rows: appended rows are then not visible, and arrays that grow are copied, never moved. A
 * response edited during the scan is overwritten in place; a reader that requires a consistent state compares `revision` and restarts.
 *
 * A changed survey needs a new dataset. When only derived columns or waves change, `withCatalog` returns a dataset over the same rows and
 * questions, so that current readers keep the definitions they started with.
 */
export class Dataset {
  /** Shared with datasets created by `withoutColumns` and `withCatalog`, so they have the same revision. */
  readonly #rows: DatasetRows;
  /** By load code. */
  readonly #stores = new Map<string, ColumnStore>();
  readonly #cache: DerivedColumnCache;

  /** `rows`: the rows of another dataset to share, or the initial capacity. */
  constructor(
    readonly catalog: ColumnCatalog,
    rows: DatasetRows | number = 1_024,
    cache = new DerivedColumnCache(),
  ) {
    this.#rows = typeof rows === 'number' ? new DatasetRows(rows) : rows;
    this.#cache = cache;
  }

  /** Creates a dataset of some responses with the given load codes; a filter gives the same result on it as on the full dataset. */
  static ofRows(catalog: ColumnCatalog, rows: readonly ResponseRow[], loadCodes: Iterable<string>): Dataset {
    const dataset = new Dataset(catalog, rows.length);
    dataset.beginLoad(loadCodes).finish();
    dataset.upsert(rows);
    return dataset;
  }

  get rowCount(): number {
    return this.#rows.count;
  }

  /** Incremented by every change of the rows. */
  get revision(): number {
    return this.#rows.revision;
  }

  /** Response ids by row: ascending where they were loaded, then in the order of arrival. Reallocated on growth. */
  get responseIds(): Float64Array {
    return this.#rows.ids;
  }

  /** By row: status and flags in one byte, see response-row.ts. Reallocated on growth. */
  get rowStates(): Uint8Array {
    return this.#rows.states;
  }

  /** Number of rows per state, indexed by the byte of response-row.ts. */
  get stateCounts(): Uint32Array {
    return this.#rows.stateCounts;
  }

  /** Whether the survey is or was open to respondents. Decides whether test responses count; see select-rows.ts. */
  get isPublished(): boolean {
    return this.#rows.isPublished;
  }

  set isPublished(isPublished: boolean) {
    this.#rows.isPublished = isPublished;
  }

  /** Number of rows allocated: the length of every column. */
  get capacity(): number {
    return this.#rows.capacity;
  }

  /** Bytes used by ids and states. */
  get rowBytes(): number {
    return this.#rows.bytes;
  }

  get columnCount(): number {
    return this.#stores.size + this.#cache.count;
  }

  /** Bytes used in total; the size of texts is an estimate. */
  get bytes(): number {
    return this.rowBytes + this.columnSizes.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Bytes used by each load code, including derived columns. */
  get columnSizes(): ColumnSize[] {
    const sizes = this.#cache.sizes;
    for (const [loadCode, { bytes, stored }] of this.#stores)
      sizes.push({ loadCode, bytes, isText: stored.some(({ kind }) => kind === 'text') });
    return sizes;
  }

  /**
   * Returns a dataset over the same rows without some columns. Write to the returned dataset only; this one serves its current readers. Row
   * changes increment the revision of both.
   */
  withoutColumns(loadCodes: ReadonlySet<string>): Dataset {
    const rest = new Dataset(this.catalog, this.#rows, this.#cache.withoutColumns(loadCodes));
    for (const [loadCode, store] of this.#stores)
      if (!loadCodes.has(loadCode)) rest.#stores.set(loadCode, store);
    return rest;
  }

  /**
   * Returns a dataset over the same rows and questions with other derived columns or waves. Afterwards, write to only one of the two; the
   * other serves its readers with the previous definitions.
   */
  withCatalog(catalog: ColumnCatalog): Dataset {
    const other = new Dataset(catalog, this.#rows, this.#cache.withCatalog(catalog));
    for (const [loadCode, store] of this.#stores) other.#stores.set(loadCode, store);
    return other;
  }

  /**
   * Returns a mask with 1 for every row whose state is included (response-row.ts). Cached and shared until the rows change; copy it before
   * modifying.
   */
  rowMask(counting: Uint8Array): Uint8Array {
    return this.#rows.maskOf(counting);
  }

  /** Returns a copy of a mask that may be modified. */
  copyMask(mask: Uint8Array): Uint8Array {
    return this.#rows.copyMask(mask);
  }

  /**
   * Makes the memory of a copied mask available for the next one. Optional, for figures that are requested often; nothing may use the mask
   * afterwards. Ignores shared masks.
   */
  releaseMask(mask: Uint8Array): void {
    this.#rows.releaseMask(mask);
  }

  /** Returns the row of a response, or -1. */
  rowOf(responseId: number): number {
    return this.#rows.rowOf(responseId);
  }

  /** Whether a load code is loaded: the code of a question or of a metadata column. */
  isLoaded(loadCode: string): boolean {
    return this.#stores.has(loadCode);
  }

  /** Returns the distinct load codes that are not loaded yet. Derived columns are computed, not loaded, and never included. */
  notLoaded(loadCodes: Iterable<string>): string[] {
    return [...new Set(loadCodes)].filter(
      (loadCode) => !this.#stores.has(loadCode) && this.catalog.derivedByLoadCode(loadCode) === undefined,
    );
  }

  /** Returns the derived columns among `loadCodes` that are not computed yet, or were computed from other rows or definitions. */
  pendingDerived(loadCodes: Iterable<string>): CatalogColumn[] {
    return [...new Set(loadCodes)].flatMap((loadCode) => {
      const entry = this.catalog.derivedByLoadCode(loadCode);
      if (entry?.origin.kind !== 'derived') return [];
      return this.#cache.isFresh(entry, this.catalog, this.revision) ? [] : [entry];
    });
  }

  /** Stores a computed derived column. `frozen`: it remains valid when rows change; new rows have no value. */
  storeDerived(entry: CatalogColumn, column: Column, frozen: boolean): void {
    this.#cache.store(entry, column, { catalog: this.catalog, revision: frozen ? null : this.revision });
  }

  /** Returns a column by its code (case-insensitive) or catalog entry. Throws if it is not loaded. */
  column(column: string | CatalogColumn): Column {
    if (typeof column === 'string') {
      const entry = this.catalog.find(column);
      if (!entry) throw new Error(`no column ${column} in the catalog`);
      return this.column(entry);
    }
    const { origin } = column;
    if (origin.kind === 'derived') return this.#cache.column(column);
    const [loadCode = ''] = column.loadCodes;
    const store = this.#stores.get(loadCode);
    if (!store) throw new Error(`column ${column.spec.columnCode} is not loaded`);
    const found =
      origin.kind === 'metadata'
        ? store.columns[0]
        : (origin.part === 'set' ? store.sets : store.columns)[origin.index];
    if (!found) throw new Error(`column ${column.spec.columnCode} belongs to another catalog`);
    return found.kind === 'binary' && column.spec.absentIn !== undefined
      ? found.withVersions(column.spec, this.#versions())
      : found;
  }

  #versions(): NumericColumn {
    const [versions] = this.#stores.get(VERSION_COLUMN)?.columns ?? [];
    if (versions?.kind !== 'numeric') throw new Error(`column ${VERSION_COLUMN} is not loaded`);
    return versions;
  }

  /** Adds responses without answers. Appends new ids and overwrites known ones. */
  addResponses(responses: Iterable<ResponseState>): void {
    for (const response of responses) this.#putRow(response);
    this.#rows.revision++;
  }

  /**
   * Appends `count` responses with ascending ids from a column snapshot and returns the row of the first. Adds nothing if `fill` throws.
   */
  appendRows(count: number, fill: (into: { ids: Float64Array; states: Uint8Array }) => void): number {
    const needed = this.#rows.count + count;
    if (needed > this.capacity) this.#grow(needed);
    this.#rows.revision++;
    return this.#rows.append(count, fill);
  }

  /** Identifies the storage layout of a load code; cells stored with another layout cannot be reused. */
  storageLayout(loadCode: string): string {
    const question = this.catalog.question(loadCode)?.question;
    const questionLayout = question === undefined ? null : [question.type, question.settings];
    return JSON.stringify([columnLayout(this.#createStore(loadCode, 0).stored), questionLayout]);
  }

  /** Returns the columns that store the cells of a load code. Throws if it is not loaded. */
  storedColumns(loadCode: string): readonly StoredColumn[] {
    const store = this.#stores.get(loadCode);
    if (store === undefined) throw new Error(`no column is loaded for the code ${loadCode}`);
    return store.stored;
  }

  /** Whether the columns of a load code have every cell exactly as the answers have it. Throws if it is not loaded. */
  isLossless(loadCode: string): boolean {
    return this.storedColumns(loadCode).every((column) => column.isLossless);
  }

  /** Returns the first row of a contiguous run of rows with exactly these ascending ids, or -1. */
  findConsecutiveRows(ids: Float64Array): number {
    const first = ids[0];
    const at = first === undefined ? -1 : this.rowOf(first);
    if (at < 0 || at + ids.length > this.rowCount) return -1;
    const candidates = this.responseIds.subarray(at, at + ids.length);
    return ids.every((id, position) => candidates[position] === id) ? at : -1;
  }

  /**
   * Starts loading questions and metadata columns. They become readable when the load finishes. Rows must not change in the meantime
   * (`upsert` and loads of one dataset are serialized), because a late chunk would overwrite newer values.
   */
  beginLoad(loadCodes: Iterable<string>): DatasetLoad {
    const codes = this.notLoaded(loadCodes);
    const stores = new Map(codes.map((code) => [code, this.#createStore(code)]));
    const storesInOrder = [...stores.values()];
    const storedColumns = new Map([...stores].map(([code, store]) => [code, store.stored]));
    const startRevision = this.revision;
    let cursor = 0;
    return {
      loadCodes: codes,
      storedColumns,
      add: (responseIds, values) => {
        for (let position = 0; position < responseIds.length; position++) {
          const id = responseIds[position] ?? NaN;
          // Chunks nearly always arrive in row order.
          const row = this.responseIds[cursor] === id && cursor < this.rowCount ? cursor : this.rowOf(id);
          if (row < 0) continue;
          cursor = row + 1;
          storesInOrder.forEach((store, index) => store.set(row, values[index]?.[position]));
        }
      },
      finish: () => {
        if (this.revision !== startRevision)
          throw new Error('the rows changed while columns were being loaded');
        for (const [code, store] of stores) this.#stores.set(code, store);
      },
    };
  }

  /** Inserts or replaces responses with all their answers. */
  upsert(rows: Iterable<ResponseRow>): void {
    for (const response of rows) {
      const row = this.#putRow(response);
      for (const [loadCode, store] of this.#stores) {
        const metadata = this.catalog.metadataByLoadCode(loadCode);
        if (metadata) store.set(row, metadata.read(response));
        else if (store instanceof QuestionStore) {
          const { answers } = response;
          store.set(row, Object.hasOwn(answers, loadCode) ? answers[loadCode] : undefined);
        }
      }
    }
    this.#rows.revision++;
  }

  #createStore(loadCode: string, capacity = this.responseIds.length): ColumnStore {
    const metadata = this.catalog.metadataByLoadCode(loadCode);
    if (metadata) return new MetadataStore(metadata, capacity);
    const questionColumns = this.catalog.question(loadCode);
    if (!questionColumns || questionColumns.question.code !== loadCode)
      throw new Error(`no question or metadata column has the code ${loadCode}`);
    return new QuestionStore(questionColumns, capacity);
  }

  #putRow(response: ResponseState): number {
    if (this.rowCount >= this.capacity) this.#grow(this.rowCount + 1);
    return this.#rows.put(response);
  }

  #grow(rows: number): void {
    const capacity = this.#rows.grow(rows);
    for (const store of this.#stores.values()) store.grow(capacity);
    this.#cache.grow(capacity);
  }
}

/** A value loaded for one response: an answer, or the value of a metadata column. */
export type LoadedValue = StoredAnswer | null | undefined;

/** A load in progress. */
export interface DatasetLoad {
  /** The codes that this load reads: those requested without those already loaded. */
  readonly loadCodes: readonly string[];
  /** The columns being filled, by load code; a caller that has cells in storage form can write them directly. */
  readonly storedColumns: ReadonlyMap<string, readonly StoredColumn[]>;
  /**
   * Adds a chunk of responses in ascending id order. `values` has one array per entry of `loadCodes`, parallel to the ids; null is skipped,
   * undefined not shown. Ignores ids that are not in the dataset.
   */
  add(responseIds: ArrayLike<number>, values: readonly ArrayLike<LoadedValue>[]): void;
  /** Makes the columns readable. Responses that no chunk contained are not shown. */
  finish(): void;
}
