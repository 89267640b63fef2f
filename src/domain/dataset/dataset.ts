import type { CatalogColumn, ColumnCatalog } from './columns/column-catalog.ts';
import { type ColumnStore, MetadataStore, QuestionStore } from './columns/column-store.ts';
import type { Column, StoredColumn } from './columns/columns.ts';
import { type MetadataColumn, METADATA_COLUMNS } from './columns/metadata-columns.ts';
import type { DatasetLoad } from './dataset-load.ts';
import { MadeColumns } from './made-columns.ts';
import type { ResponseRow, ResponseState } from './response-row.ts';
import { RowIndex } from './row-index.ts';
import { rowState } from './row-state.ts';
import { layoutOf } from './segments/segment-bytes.ts';

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
 * A changed survey means a new dataset. Changed derived columns do not: they are made anew, never overwritten.
 */
export class Dataset {
  #catalog: ColumnCatalog;
  /** By row: status and flags in one byte, see row-state.ts. Replaced when it grows. */
  rowStates: Uint8Array;
  #responseIds: Float64Array;
  #rowCount = 0;
  #revision = 0;
  /** There are few combinations of statuses and flags that anybody asks for. */
  #masks = { revision: -1, byStates: new Map<string, Uint8Array>() };
  readonly #index = new RowIndex();
  /** By load code. */
  readonly #stores = new Map<string, ColumnStore>();
  readonly #made = new MadeColumns();

  constructor(catalog: ColumnCatalog, capacity = 1_024) {
    this.#catalog = catalog;
    this.rowStates = new Uint8Array(capacity);
    this.#responseIds = new Float64Array(capacity);
  }

  /** A dataset of these rows with what `loadCodes` name: a filter means the same on it as on the whole. */
  static ofRows(catalog: ColumnCatalog, rows: readonly ResponseRow[], loadCodes: Iterable<string>): Dataset {
    const dataset = new Dataset(catalog, rows.length);
    dataset.beginLoad(loadCodes).finish();
    dataset.upsert(rows);
    return dataset;
  }

  get catalog(): ColumnCatalog {
    return this.#catalog;
  }

  /** The same questions, other derived columns or waves. */
  useCatalog(catalog: ColumnCatalog): void {
    this.#catalog = catalog;
    this.#made.keepOnly(catalog);
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Grows with every change of the rows. */
  get revision(): number {
    return this.#revision;
  }

  /** By row; in the order in which they came, which is mostly ascending. */
  get responseIds(): Float64Array {
    return this.#responseIds;
  }

  /** Rows that there is room for: how long a column must be. */
  get capacity(): number {
    return this.#responseIds.length;
  }

  /** What it holds in memory; texts are estimated. */
  get bytes(): number {
    let bytes =
      this.rowStates.byteLength + this.#responseIds.byteLength + this.#index.bytes + this.#made.bytes;
    for (const store of this.#stores.values()) bytes += store.bytes;
    for (const mask of this.#masks.byStates.values()) bytes += mask.byteLength;
    return bytes;
  }

  /**
   * 1 for every row whose state counts (row-state.ts), 0 for the others. Kept until the rows change and handed out again:
   * whoever wants to change it takes a copy.
   */
  rowsCounting(counting: Uint8Array): Uint8Array {
    if (this.#masks.revision !== this.#revision)
      this.#masks = { revision: this.#revision, byStates: new Map() };
    const { byStates } = this.#masks;
    const key = counting.join('');
    const kept = byStates.get(key);
    if (kept !== undefined) return kept;
    const { rowStates } = this;
    const mask = new Uint8Array(this.#rowCount);
    for (let row = 0; row < mask.length; row++) mask[row] = counting[rowStates[row]!]!;
    byStates.set(key, mask);
    return mask;
  }

  /** The row of a response, or -1. */
  rowOf(responseId: number): number {
    return this.#index.find(responseId, this.#responseIds, this.#rowCount);
  }

  /** Is it loaded? By load code: a question's code, or that of a metadata column. */
  has(loadCode: string): boolean {
    return this.#stores.has(loadCode);
  }

  /** Those of `loadCodes` that are still to be loaded, each once; derived columns are made, not loaded. */
  missingOf(loadCodes: Iterable<string>): string[] {
    return [...new Set(loadCodes)].filter(
      (loadCode) => !this.#stores.has(loadCode) && this.#catalog.derivedUnder(loadCode) === undefined,
    );
  }

  /** The derived columns among `loadCodes` that are not made yet, or from rows or by a definition that have changed; in order. */
  toBeMade(loadCodes: Iterable<string>): CatalogColumn[] {
    return [...new Set(loadCodes)].flatMap((loadCode) => {
      const entry = this.#catalog.derivedUnder(loadCode);
      if (entry?.origin.kind !== 'derived') return [];
      return this.#made.isFresh(entry, this.#catalog, this.#revision) ? [] : [entry];
    });
  }

  /** Keeps a derived column; `frozen`: it stays right when rows change, new ones having no value. */
  keepMade(entry: CatalogColumn, column: Column, frozen: boolean): void {
    this.#made.keep(entry, column, this.#catalog, frozen ? null : this.#revision);
  }

  /** A column by its code, ignoring case, or by its catalog entry. Its question must be loaded. */
  column(column: string | CatalogColumn): Column {
    if (typeof column === 'string') {
      const entry = this.#catalog.find(column);
      if (!entry) throw new Error(`no column ${column} in the catalog`);
      return this.column(entry);
    }
    const { origin } = column;
    if (origin.kind === 'derived') return this.#made.column(column);
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
    for (const response of responses) this.#setState(response);
    this.#revision++;
  }

  /**
   * The first load from what was kept: responses of ascending ids, behind those that are there. Gives the row of the first.
   */
  addSealed(ids: Float64Array, states: Uint8Array): number {
    const at = this.#rowCount;
    if (at + ids.length > this.#responseIds.length) this.#grow(at + ids.length);
    this.#responseIds.set(ids, at);
    this.rowStates.set(states, at);
    this.#index.addAscending(ids, at);
    this.#rowCount = at + ids.length;
    this.#revision++;
    return at;
  }

  /** How the cells that are loaded under a code are laid out: what was kept in another form is of no use. */
  layoutOf(loadCode: string): string {
    const question = this.#catalog.question(loadCode)?.question;
    const made = question === undefined ? null : [question.type, question.settings];
    return JSON.stringify([layoutOf(this.#createStore(loadCode, 0).stored), made]);
  }

  /** What holds the cells that are loaded together under a code; it must be loaded. */
  storedColumns(loadCode: string): readonly StoredColumn[] {
    const store = this.#stores.get(loadCode);
    if (store === undefined) throw new Error(`nothing is loaded under the code ${loadCode}`);
    return store.stored;
  }

  /** The row from which on these ascending ids stand one behind the other, or -1. */
  placeOf(ids: Float64Array): number {
    const at = ids.length === 0 ? -1 : this.rowOf(ids[0]!);
    if (at < 0 || at + ids.length > this.#rowCount) return -1;
    const there = this.#responseIds.subarray(at, at + ids.length);
    return ids.every((id, position) => there[position] === id) ? at : -1;
  }

  /**
   * Begins to load questions and metadata columns. They are seen once the load is finished, and rows must not change in
   * between (`upsert` and a load of the same dataset take turns): a late chunk would bring back what was just replaced.
   */
  beginLoad(loadCodes: Iterable<string>): DatasetLoad {
    const codes = this.missingOf(loadCodes);
    const stores = codes.map((code) => this.#createStore(code));
    const storedColumns = new Map(codes.map((code, index) => [code, stores[index]!.stored]));
    const begunAt = this.#revision;
    let cursor = 0;
    return {
      loadCodes: codes,
      storedColumns,
      add: (responseIds, values) => {
        for (let position = 0; position < responseIds.length; position++) {
          const id = responseIds[position] ?? NaN;
          // Chunks come in the order of the rows, nearly always.
          const row = this.#responseIds[cursor] === id && cursor < this.#rowCount ? cursor : this.rowOf(id);
          if (row < 0) continue;
          cursor = row + 1;
          stores.forEach((store, index) => store.set(row, values[index]?.[position]));
        }
      },
      finish: () => {
        if (this.#revision !== begunAt) throw new Error('the rows changed while columns were being loaded');
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
      const row = this.#setState(response);
      for (const [loadCode, store] of this.#stores) {
        const metadata = metadataColumns.get(loadCode);
        if (metadata) store.set(row, metadata.read(response));
        else if (store instanceof QuestionStore) {
          const { answers } = response;
          store.set(row, Object.hasOwn(answers, loadCode) ? answers[loadCode] : undefined);
        }
      }
    }
    this.#revision++;
  }

  #createStore(loadCode: string, capacity = this.#responseIds.length): ColumnStore {
    const metadata = metadataColumns.get(loadCode);
    if (metadata) return new MetadataStore(metadata, capacity);
    const of = this.#catalog.question(loadCode);
    if (!of || of.question.code !== loadCode) throw new Error(`nothing to load under the code ${loadCode}`);
    return new QuestionStore(of, capacity);
  }

  #setState(response: ResponseState): number {
    const known = this.rowOf(response.responseId);
    const row = known < 0 ? this.#append(response.responseId) : known;
    this.rowStates[row] = rowState(response);
    return row;
  }

  #append(responseId: number): number {
    const row = this.#rowCount;
    if (row >= this.#responseIds.length) this.#grow(row + 1);
    this.#responseIds[row] = responseId;
    this.#index.add(responseId, row);
    this.#rowCount = row + 1;
    return row;
  }

  #grow(rows: number): void {
    // Half as many again, so that appending n rows copies O(n) in all.
    const capacity = Math.max(16, rows + (rows >>> 1));
    const ids = new Float64Array(capacity);
    const states = new Uint8Array(capacity);
    ids.set(this.#responseIds);
    states.set(this.rowStates);
    this.#responseIds = ids;
    this.rowStates = states;
    for (const store of this.#stores.values()) store.grow(capacity);
    this.#made.grow(capacity);
  }
}
