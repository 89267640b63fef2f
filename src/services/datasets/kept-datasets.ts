import type { ColumnSize, Dataset } from '../../domain/dataset/dataset.ts';

/** Open answers take this share of the memory at most: one look at them must not push out what all other figures are made of. */
const TEXT_SHARE = 1 / 4;

interface Kept<S> {
  surveyId: number;
  snapshot: S;
  /** How it was when it was last weighed: a dataset's memory changes with its rows and columns alone. */
  weighed: { dataset: Dataset; revision: number; columnCount: number } | null;
  rowBytes: number;
  columns: ColumnSize[];
  /** By load code: when it was last asked for. */
  usedAt: Map<string, number>;
}

interface Use {
  rows: number;
  columns: number;
  texts: number;
}

/** What is in memory, and what had to leave it. */
export interface MemoryFigures {
  datasets: number;
  columns: number;
  bytes: Use;
  maxBytes: number;
  /** Since the process began. */
  droppedColumns: number;
  droppedDatasets: number;
}

/**
 * Datasets in memory, up to a number of bytes: what was least recently asked for leaves first, single columns before whole surveys.
 * Texts have a share of their own, and leave where they have more, whatever room there is. What one round of requests asks for stays until the next one, whatever it
 * takes: what does not fit is computed all the same, and read again the next time.
 */
export class KeptDatasets<S extends { dataset: Dataset }> {
  private readonly maxBytes: number;
  private readonly isInUse: (surveyId: number) => boolean;
  /** In the order of their last use. */
  private readonly kept = new Map<number, Kept<S>>();
  private now = 0;
  private droppedColumns = 0;
  private droppedDatasets = 0;
  /** What was asked for together does not fit. */
  private isOver = false;

  /** `isInUse`: whoever works on a survey's snapshot just now must find it as it was. */
  constructor(maxBytes: number, isInUse: (surveyId: number) => boolean) {
    this.maxBytes = maxBytes;
    this.isInUse = isInUse;
  }

  get(surveyId: number): S | undefined {
    return this.kept.get(surveyId)?.snapshot;
  }

  delete(surveyId: number): void {
    this.kept.delete(surveyId);
  }

  /** `loadCodes`: what was asked for now. Others leave where there is no room; then the snapshot has another dataset. */
  keep(surveyId: number, snapshot: S, loadCodes: readonly string[]): void {
    this.now += 1;
    const known = this.kept.get(surveyId);
    const kept = known ?? newlyKept(surveyId, snapshot);
    kept.snapshot = snapshot;
    for (const loadCode of loadCodes) kept.usedAt.set(loadCode, this.now);
    this.kept.delete(surveyId);
    this.kept.set(surveyId, kept);
    if (weigh(kept) || this.isOver) this.makeRoom(kept);
  }

  get figures(): MemoryFigures {
    const { maxBytes, droppedColumns, droppedDatasets } = this;
    let columns = 0;
    for (const one of this.kept.values()) columns += one.columns.length;
    return {
      datasets: this.kept.size,
      columns,
      bytes: this.use(),
      maxBytes,
      droppedColumns,
      droppedDatasets,
    };
  }

  private use(): Use {
    const use: Use = { rows: 0, columns: 0, texts: 0 };
    for (const { rowBytes, columns } of this.kept.values()) {
      use.rows += rowBytes;
      for (const { bytes, isText } of columns) use[isText ? 'texts' : 'columns'] += bytes;
    }
    return use;
  }

  private makeRoom(current: Kept<S>): void {
    const use = this.use();
    let bytes = use.rows + use.columns + use.texts;
    let textBytes = use.texts;
    this.isOver = bytes > this.maxBytes || textBytes > this.maxBytes * TEXT_SHARE;
    if (!this.isOver) return;
    const leaving = new Map<Kept<S>, Set<string>>();
    for (const { of, column } of this.byLastUse(current)) {
      const isTooMuch = bytes > this.maxBytes || (column.isText && textBytes > this.maxBytes * TEXT_SHARE);
      if (!isTooMuch) continue;
      leaving.set(of, (leaving.get(of) ?? new Set()).add(column.loadCode));
      bytes -= column.bytes;
      if (column.isText) textBytes -= column.bytes;
    }
    for (const [of, loadCodes] of leaving) {
      of.snapshot.dataset = of.snapshot.dataset.withoutColumns(loadCodes);
      for (const loadCode of loadCodes) of.usedAt.delete(loadCode);
      this.droppedColumns += loadCodes.size;
      weigh(of);
    }
    for (const [surveyId, one] of this.kept) {
      if (bytes <= this.maxBytes) break;
      if (one === current) continue;
      this.kept.delete(surveyId);
      this.droppedDatasets += 1;
      bytes -= one.rowBytes;
    }
    this.isOver = bytes > this.maxBytes || textBytes > this.maxBytes * TEXT_SHARE;
  }

  /** Columns that nobody asked for just now, the least recently used first. */
  private byLastUse(current: Kept<S>): { of: Kept<S>; column: ColumnSize }[] {
    const idle = [...this.kept.values()].filter((one) => one === current || !this.isInUse(one.surveyId));
    const all = idle.flatMap((of) =>
      of.columns.map((column) => ({ of, column, usedAt: of.usedAt.get(column.loadCode) ?? 0 })),
    );
    return all.filter(({ usedAt }) => usedAt < this.now).sort((one, other) => one.usedAt - other.usedAt);
  }
}

function newlyKept<S>(surveyId: number, snapshot: S): Kept<S> {
  return { surveyId, snapshot, weighed: null, rowBytes: 0, columns: [], usedAt: new Map() };
}

/** Whether it takes another amount of memory than before. */
function weigh<S extends { dataset: Dataset }>(kept: Kept<S>): boolean {
  const { dataset } = kept.snapshot;
  const { revision, columnCount } = dataset;
  const { weighed } = kept;
  if (weighed?.dataset === dataset && weighed.revision === revision && weighed.columnCount === columnCount)
    return false;
  kept.columns = dataset.columnSizes;
  kept.rowBytes = dataset.rowBytes;
  kept.weighed = { dataset, revision, columnCount };
  return true;
}
