import type { CatalogColumn, ColumnCatalog } from './columns/column-catalog.ts';
import { type ColumnStore, MetadataStore, QuestionStore } from './columns/column-store.ts';
import type { Column, StoredColumn } from './columns/columns.ts';
import { type MetadataColumn, METADATA_COLUMNS } from './columns/metadata-columns.ts';
import type { DatasetLoad } from './dataset-load.ts';
import { DatasetRows } from './dataset-rows.ts';
import { DerivedColumnCache } from './derived-column-cache.ts';
import type { ResponseRow, ResponseState } from './response-row.ts';
import { columnLayout } from './segments/segment-codec.ts';

/** A column's share of the memory. */
export interface ColumnSize {
  loadCode: string;
  bytes: number;
  isText: boolean;
}

const metadataColumns: ReadonlyMap<string, MetadataColumn> = new Map(
  METADATA_COLUMNS.map((column) => [column.spec.columnCode, column]),
);

/**
 * A survey's responses in columns: a row per response, deleted and test ones included. Ids and states are always there; questions
 * and metadata are loaded when first asked for (`beginLoad`) and from then on kept up to date by `upsert`.
 *
 * Readers. Get everything that is needed loaded first, then compute without an await in between: nothing can change
 * meanwhile. Who must pause (a long scan that yields) is protected by its mask: measures look at `mask.length` rows, so
 * rows appended meanwhile do not show, and arrays that had to grow are copied, never moved. A response that was *edited*
 * meanwhile is overwritten in place; who cannot bear that compares `revision` and starts again.
 *
 * A changed survey means a new dataset. Changed derived columns or waves mean a dataset of the same rows and questions (`under`): a
 * reader keeps the definitions with which it began.
 */
export class Dataset {
  readonly catalog: ColumnCatalog;
  /** One with a dataset that was made of this one with fewer columns, and so is its revision. */
  readonly #rows: DatasetRows;
  /** By load code. */
  readonly #stores = new Map<string, ColumnStore>();
  readonly #cache: DerivedColumnCache;

  /** `rows`: those of another one, or how many there is room for. */
  constructor(catalog: ColumnCatalog, rows: DatasetRows | number = 1_024, made = new DerivedColumnCache()) {
    this.catalog = catalog;
    this.#rows = typeof rows === 'number' ? new DatasetRows(rows) : rows;
    this.#cache = made;
  }

  /** A dataset of these rows with what `loadCodes` name: a filter means the same on it as on the whole. */
  static ofRows(catalog: ColumnCatalog, rows: readonly ResponseRow[], loadCodes: Iterable<string>): Dataset {
    const dataset = new Dataset(catalog, rows.length);
    dataset.beginLoad(loadCodes).finish();
    dataset.upsert(rows);
    return dataset;
  }

  get rowCount(): number {
    return this.#rows.count;
  }

  /** Grows with every change of the rows. */
  get revision(): number {
    return this.#rows.revision;
  }

  /** By row; in the order in which they came, which is mostly ascending. Replaced when it grows. */
  get responseIds(): Float64Array {
    return this.#rows.ids;
  }

  /** By row: status and flags in one byte, see row-state.ts. Replaced when it grows. */
  get rowStates(): Uint8Array {
    return this.#rows.states;
  }

  /** How many rows are in each state, by the byte of row-state.ts. */
  get stateCounts(): Uint32Array {
    return this.#rows.stateCounts;
  }

  /** Whether respondents can answer, or could before the survey was closed. Decides on test responses; see select-rows.ts. */
  get isPublished(): boolean {
    return this.#rows.isPublished;
  }

  set isPublished(isPublished: boolean) {
    this.#rows.isPublished = isPublished;
  }

  /** Rows that there is room for: how long a column must be. */
  get capacity(): number {
    return this.#rows.capacity;
  }

  /** What ids and states hold in memory. */
  get rowBytes(): number {
    return this.#rows.bytes;
  }

  get columnCount(): number {
    return this.#stores.size + this.#cache.count;
  }

  /** What it holds in memory; texts are estimated. */
  get bytes(): number {
    return this.rowBytes + this.columnSizes.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** What the columns hold in memory, the derived ones included, by load code. */
  get columnSizes(): ColumnSize[] {
    const sizes = this.#cache.sizes;
    for (const [loadCode, { bytes, stored }] of this.#stores)
      sizes.push({ loadCode, bytes, isText: stored.some(({ kind }) => kind === 'text') });
    return sizes;
  }

  /**
   * The same rows and columns without some of these: from now on it is the one to be changed, and this one serves those alone who are
   * reading it: what changes among the rows shows in its revision too.
   */
  withoutColumns(loadCodes: ReadonlySet<string>): Dataset {
    const rest = new Dataset(this.catalog, this.#rows, this.#cache.withoutColumns(loadCodes));
    for (const [loadCode, store] of this.#stores)
      if (!loadCodes.has(loadCode)) rest.#stores.set(loadCode, store);
    return rest;
  }

  /**
   * The same rows and questions with other derived columns or waves. Only one of the two may be changed from now on; the other one
   * serves its readers, with the derived columns as they were defined.
   */
  withCatalog(catalog: ColumnCatalog): Dataset {
    const other = new Dataset(catalog, this.#rows, this.#cache.withCatalog(catalog));
    for (const [loadCode, store] of this.#stores) other.#stores.set(loadCode, store);
    return other;
  }

  /**
   * 1 for every row whose state counts (row-state.ts), 0 for the others. Kept until the rows change and handed out again:
   * whoever wants to change it takes a copy.
   */
  rowMask(counting: Uint8Array): Uint8Array {
    return this.#rows.maskOf(counting);
  }

  /** The row of a response, or -1. */
  rowOf(responseId: number): number {
    return this.#rows.rowOf(responseId);
  }

  /** Is it loaded? By load code: a question's code, or that of a metadata column. */
  isLoaded(loadCode: string): boolean {
    return this.#stores.has(loadCode);
  }

  /** Those of `loadCodes` that are still to be loaded, each once; derived columns are made, not loaded. */
  notLoaded(loadCodes: Iterable<string>): string[] {
    return [...new Set(loadCodes)].filter(
      (loadCode) => !this.#stores.has(loadCode) && this.catalog.derivedByLoadCode(loadCode) === undefined,
    );
  }

  /** The derived columns among `loadCodes` that are not made yet, or from rows or by a definition that have changed; in order. */
  pendingDerived(loadCodes: Iterable<string>): CatalogColumn[] {
    return [...new Set(loadCodes)].flatMap((loadCode) => {
      const entry = this.catalog.derivedByLoadCode(loadCode);
      if (entry?.origin.kind !== 'derived') return [];
      return this.#cache.isFresh(entry, this.catalog, this.revision) ? [] : [entry];
    });
  }

  /** Keeps a derived column; `frozen`: it stays right when rows change, new ones having no value. */
  storeDerived(entry: CatalogColumn, column: Column, frozen: boolean): void {
    this.#cache.store(entry, column, this.catalog, frozen ? null : this.revision);
  }

  /** A column by its code, ignoring case, or by its catalog entry. Its question must be loaded. */
  column(column: string | CatalogColumn): Column {
    if (typeof column === 'string') {
      const entry = this.catalog.find(column);
      if (!entry) throw new Error(`no column ${column} in the catalog`);
      return this.column(entry);
    }
    const { origin } = column;
    if (origin.kind === 'derived') return this.#cache.column(column);
    const store = this.#stores.get(column.loadCodes[0]!);
    if (!store) throw new Error(`column ${column.spec.columnCode} is not loaded`);
    const found =
      origin.kind === 'metadata'
        ? store.columns[0]
        : (origin.part === 'set' ? store.sets : store.columns)[origin.index];
    if (!found) throw new Error(`column ${column.spec.columnCode} is of another catalog`);
    return found;
  }

  /** The first load: responses without their answers. New ids are appended, known ones overwritten. */
  addResponses(responses: Iterable<ResponseState>): void {
    for (const response of responses) this.#put(response);
    this.#rows.revision++;
  }

  /**
   * The first load from a column snapshot: appends `count` responses of ascending ids. Returns the row of the first one. When `fill`
   * throws, nothing is added.
   */
  appendRows(count: number, fill: (into: { ids: Float64Array; states: Uint8Array }) => void): number {
    const needed = this.#rows.count + count;
    if (needed > this.capacity) this.#grow(needed);
    this.#rows.revision++;
    return this.#rows.append(count, fill);
  }

  /** How the cells that are loaded under a code are laid out: what was kept in another form is of no use. */
  storageLayout(loadCode: string): string {
    const question = this.catalog.question(loadCode)?.question;
    const made = question === undefined ? null : [question.type, question.settings];
    return JSON.stringify([columnLayout(this.#createStore(loadCode, 0).stored), made]);
  }

  /** What holds the cells that are loaded together under a code; it must be loaded. */
  storedColumns(loadCode: string): readonly StoredColumn[] {
    const store = this.#stores.get(loadCode);
    if (store === undefined) throw new Error(`nothing is loaded under the code ${loadCode}`);
    return store.stored;
  }

  /** The row from which on these ascending ids stand one behind the other, or -1. */
  findConsecutiveRows(ids: Float64Array): number {
    const at = ids.length === 0 ? -1 : this.rowOf(ids[0]!);
    if (at < 0 || at + ids.length > this.rowCount) return -1;
    const there = this.responseIds.subarray(at, at + ids.length);
    return ids.every((id, position) => there[position] === id) ? at : -1;
  }

  /**
   * Begins to load questions and metadata columns. They are seen once the load is finished, and rows must not change in
   * between (`upsert` and a load of the same dataset take turns): a late chunk would bring back what was just replaced.
   */
  beginLoad(loadCodes: Iterable<string>): DatasetLoad {
    const codes = this.notLoaded(loadCodes);
    const stores = codes.map((code) => this.#createStore(code));
    const storedColumns = new Map(codes.map((code, index) => [code, stores[index]!.stored]));
    const begunAt = this.revision;
    let cursor = 0;
    return {
      loadCodes: codes,
      storedColumns,
      add: (responseIds, values) => {
        for (let position = 0; position < responseIds.length; position++) {
          const id = responseIds[position] ?? NaN;
          // Chunks come in the order of the rows, nearly always.
          const row = this.responseIds[cursor] === id && cursor < this.rowCount ? cursor : this.rowOf(id);
          if (row < 0) continue;
          cursor = row + 1;
          stores.forEach((store, index) => store.set(row, values[index]?.[position]));
        }
      },
      finish: () => {
        if (this.revision !== begunAt) throw new Error('the rows changed while columns were being loaded');
        codes.forEach((code, index) => {
          const store = stores[index];
          if (store) this.#stores.set(code, store);
        });
      },
    };
  }

  /** Responses that are new or have changed, with all their answers. */
  upsert(rows: Iterable<ResponseRow>): void {
    for (const response of rows) {
      const row = this.#put(response);
      for (const [loadCode, store] of this.#stores) {
        const metadata = metadataColumns.get(loadCode);
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
    const metadata = metadataColumns.get(loadCode);
    if (metadata) return new MetadataStore(metadata, capacity);
    const of = this.catalog.question(loadCode);
    if (!of || of.question.code !== loadCode) throw new Error(`nothing to load under the code ${loadCode}`);
    return new QuestionStore(of, capacity);
  }

  #put(response: ResponseState): number {
    if (this.rowCount >= this.capacity) this.#grow(this.rowCount + 1);
    return this.#rows.put(response);
  }

  #grow(rows: number): void {
    const capacity = this.#rows.grow(rows);
    for (const store of this.#stores.values()) store.grow(capacity);
    this.#cache.grow(capacity);
  }
}
