import type { ColumnSize, Dataset } from '../../domain/dataset/dataset.ts';

/** Maximum share of texts in the memory: one request for open answers must not evict the columns of all other figures. */
const TEXT_SHARE = 1 / 4;

interface CacheEntry<S> {
  surveyId: number;
  snapshot: S;
  /** The dataset when its size was last measured; the size changes only with its rows and columns. */
  measuredState: { dataset: Dataset; revision: number; columnCount: number } | null;
  rowBytes: number;
  columns: ColumnSize[];
  /** By load code: counter value of the last use. */
  usedAt: Map<string, number>;
}

interface BytesByKind {
  rows: number;
  columns: number;
  texts: number;
}

/** Current memory usage, and evictions. */
export interface MemoryUsage {
  datasets: number;
  columns: number;
  bytes: BytesByKind;
  maxBytes: number;
  /** Since the start of the process. */
  evictedColumns: number;
  evictedDatasets: number;
}

/**
 * Datasets in memory, limited to a number of bytes. Evicts the least recently used first: columns before whole surveys. Texts are limited
 * separately and evicted beyond that share even if memory is free. What a round of requests needs stays until the next round, whatever its
 * size: it is computed and read again the next time.
 */
export class DatasetCache<S extends { dataset: Dataset }> {
  /** In the order of their last use. */
  private readonly entries = new Map<number, CacheEntry<S>>();
  private useCounter = 0;
  private evictedColumns = 0;
  private evictedDatasets = 0;
  /** The last round needed more than the limit. */
  private isOverLimit = false;

  /** `isInUse`: whether requests are working on the survey's snapshot, which must then stay as it is. */
  constructor(
    private readonly maxBytes: number,
    private readonly isInUse: (surveyId: number) => boolean,
  ) {}

  get(surveyId: number): S | undefined {
    return this.entries.get(surveyId)?.snapshot;
  }

  delete(surveyId: number): void {
    this.entries.delete(surveyId);
  }

  /** Stores a snapshot; `loadCodes` were used now. If others have to be evicted from it, its dataset is replaced. */
  put(surveyId: number, snapshot: S, loadCodes: readonly string[]): void {
    this.useCounter += 1;
    const known = this.entries.get(surveyId);
    const entry = known ?? createEntry(surveyId, snapshot);
    entry.snapshot = snapshot;
    for (const loadCode of loadCodes) entry.usedAt.set(loadCode, this.useCounter);
    this.entries.delete(surveyId);
    this.entries.set(surveyId, entry);
    if (updateSize(entry) || this.isOverLimit) this.evict(entry);
  }

  get usage(): MemoryUsage {
    const { maxBytes, evictedColumns, evictedDatasets } = this;
    let columns = 0;
    for (const one of this.entries.values()) columns += one.columns.length;
    return {
      datasets: this.entries.size,
      columns,
      bytes: this.sumBytes(),
      maxBytes,
      evictedColumns,
      evictedDatasets,
    };
  }

  private sumBytes(): BytesByKind {
    const use: BytesByKind = { rows: 0, columns: 0, texts: 0 };
    for (const { rowBytes, columns } of this.entries.values()) {
      use.rows += rowBytes;
      for (const { bytes, isText } of columns) use[isText ? 'texts' : 'columns'] += bytes;
    }
    return use;
  }

  private evict(current: CacheEntry<S>): void {
    const use = this.sumBytes();
    let bytes = use.rows + use.columns + use.texts;
    let textBytes = use.texts;
    this.isOverLimit = bytes > this.maxBytes || textBytes > this.maxBytes * TEXT_SHARE;
    if (!this.isOverLimit) return;
    const evicted = new Map<CacheEntry<S>, Set<string>>();
    for (const { entry, column } of this.listEvictable(current)) {
      const isTooMuch = bytes > this.maxBytes || (column.isText && textBytes > this.maxBytes * TEXT_SHARE);
      if (!isTooMuch) continue;
      evicted.set(entry, (evicted.get(entry) ?? new Set()).add(column.loadCode));
      bytes -= column.bytes;
      if (column.isText) textBytes -= column.bytes;
    }
    for (const [entry, loadCodes] of evicted) {
      entry.snapshot.dataset = entry.snapshot.dataset.withoutColumns(loadCodes);
      for (const loadCode of loadCodes) entry.usedAt.delete(loadCode);
      this.evictedColumns += loadCodes.size;
      updateSize(entry);
    }
    for (const [surveyId, entry] of this.entries) {
      if (bytes <= this.maxBytes) break;
      if (entry === current) continue;
      this.entries.delete(surveyId);
      this.evictedDatasets += 1;
      bytes -= entry.rowBytes;
    }
    this.isOverLimit = bytes > this.maxBytes || textBytes > this.maxBytes * TEXT_SHARE;
  }

  /** Columns not used in this round, least recently used first. */
  private listEvictable(current: CacheEntry<S>): { entry: CacheEntry<S>; column: ColumnSize }[] {
    const idle = [...this.entries.values()].filter(
      (entry) => entry === current || !this.isInUse(entry.surveyId),
    );
    const all = idle.flatMap((entry) =>
      entry.columns.map((column) => ({ entry, column, usedAt: entry.usedAt.get(column.loadCode) ?? 0 })),
    );
    return all
      .filter(({ usedAt }) => usedAt < this.useCounter)
      .sort((first, second) => first.usedAt - second.usedAt);
  }
}

function createEntry<S>(surveyId: number, snapshot: S): CacheEntry<S> {
  return { surveyId, snapshot, measuredState: null, rowBytes: 0, columns: [], usedAt: new Map() };
}

/** Returns whether the size has changed. */
function updateSize<S extends { dataset: Dataset }>(entry: CacheEntry<S>): boolean {
  const { dataset } = entry.snapshot;
  const { revision, columnCount } = dataset;
  const { measuredState } = entry;
  if (
    measuredState?.dataset === dataset &&
    measuredState.revision === revision &&
    measuredState.columnCount === columnCount
  )
    return false;
  entry.columns = dataset.columnSizes;
  entry.rowBytes = dataset.rowBytes;
  entry.measuredState = { dataset, revision, columnCount };
  return true;
}
