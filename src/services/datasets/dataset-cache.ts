import type { ColumnSize, Dataset } from '../../domain/dataset/dataset.ts';

/** Open answers take this share of the memory at most: one look at them must not push out what all other figures are made of. */
const TEXT_SHARE = 1 / 4;

interface CacheEntry<S> {
  surveyId: number;
  snapshot: S;
  /** How it was when it was last weighed: a dataset's memory changes with its rows and columns alone. */
  measuredState: { dataset: Dataset; revision: number; columnCount: number } | null;
  rowBytes: number;
  columns: ColumnSize[];
  /** By load code: when it was last asked for. */
  usedAt: Map<string, number>;
}

interface BytesByKind {
  rows: number;
  columns: number;
  texts: number;
}

/** What is in memory, and what had to leave it. */
export interface MemoryUsage {
  datasets: number;
  columns: number;
  bytes: BytesByKind;
  maxBytes: number;
  /** Since the process began. */
  evictedColumns: number;
  evictedDatasets: number;
}

/**
 * Datasets in memory, up to a number of bytes: what was least recently asked for leaves first, single columns before whole surveys.
 * Texts have a share of their own, and leave where they have more, whatever room there is. What one round of requests asks for stays until the next one, whatever it
 * takes: what does not fit is computed all the same, and read again the next time.
 */
export class DatasetCache<S extends { dataset: Dataset }> {
  private readonly maxBytes: number;
  private readonly isInUse: (surveyId: number) => boolean;
  /** In the order of their last use. */
  private readonly entries = new Map<number, CacheEntry<S>>();
  private useCounter = 0;
  private evictedColumns = 0;
  private evictedDatasets = 0;
  /** What was asked for together does not fit. */
  private isOverLimit = false;

  /** `isInUse`: whoever works on a survey's snapshot just now must find it as it was. */
  constructor(maxBytes: number, isInUse: (surveyId: number) => boolean) {
    this.maxBytes = maxBytes;
    this.isInUse = isInUse;
  }

  get(surveyId: number): S | undefined {
    return this.entries.get(surveyId)?.snapshot;
  }

  delete(surveyId: number): void {
    this.entries.delete(surveyId);
  }

  /** `loadCodes`: what was asked for now. Others leave where there is no room; then the snapshot has another dataset. */
  put(surveyId: number, snapshot: S, loadCodes: readonly string[]): void {
    this.useCounter += 1;
    const known = this.entries.get(surveyId);
    const kept = known ?? createEntry(surveyId, snapshot);
    kept.snapshot = snapshot;
    for (const loadCode of loadCodes) kept.usedAt.set(loadCode, this.useCounter);
    this.entries.delete(surveyId);
    this.entries.set(surveyId, kept);
    if (updateSize(kept) || this.isOverLimit) this.evict(kept);
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
    const leaving = new Map<CacheEntry<S>, Set<string>>();
    for (const { of, column } of this.listEvictable(current)) {
      const isTooMuch = bytes > this.maxBytes || (column.isText && textBytes > this.maxBytes * TEXT_SHARE);
      if (!isTooMuch) continue;
      leaving.set(of, (leaving.get(of) ?? new Set()).add(column.loadCode));
      bytes -= column.bytes;
      if (column.isText) textBytes -= column.bytes;
    }
    for (const [of, loadCodes] of leaving) {
      of.snapshot.dataset = of.snapshot.dataset.withoutColumns(loadCodes);
      for (const loadCode of loadCodes) of.usedAt.delete(loadCode);
      this.evictedColumns += loadCodes.size;
      updateSize(of);
    }
    for (const [surveyId, one] of this.entries) {
      if (bytes <= this.maxBytes) break;
      if (one === current) continue;
      this.entries.delete(surveyId);
      this.evictedDatasets += 1;
      bytes -= one.rowBytes;
    }
    this.isOverLimit = bytes > this.maxBytes || textBytes > this.maxBytes * TEXT_SHARE;
  }

  /** Columns that nobody asked for just now, the least recently used first. */
  private listEvictable(current: CacheEntry<S>): { of: CacheEntry<S>; column: ColumnSize }[] {
    const idle = [...this.entries.values()].filter((one) => one === current || !this.isInUse(one.surveyId));
    const all = idle.flatMap((of) =>
      of.columns.map((column) => ({ of, column, usedAt: of.usedAt.get(column.loadCode) ?? 0 })),
    );
    return all
      .filter(({ usedAt }) => usedAt < this.useCounter)
      .sort((one, other) => one.usedAt - other.usedAt);
  }
}

function createEntry<S>(surveyId: number, snapshot: S): CacheEntry<S> {
  return { surveyId, snapshot, measuredState: null, rowBytes: 0, columns: [], usedAt: new Map() };
}

/** Whether it takes another amount of memory than before. */
function updateSize<S extends { dataset: Dataset }>(kept: CacheEntry<S>): boolean {
  const { dataset } = kept.snapshot;
  const { revision, columnCount } = dataset;
  const { measuredState: weighed } = kept;
  if (weighed?.dataset === dataset && weighed.revision === revision && weighed.columnCount === columnCount)
    return false;
  kept.columns = dataset.columnSizes;
  kept.rowBytes = dataset.rowBytes;
  kept.measuredState = { dataset, revision, columnCount };
  return true;
}
