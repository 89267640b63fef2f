import { isDatabaseFull, isStorageFull } from '../lib/storage-full.ts';
import type { Database } from './connect.ts';
import { poolOf } from './pg-pool.ts';

const CHECK_INTERVAL_MS = 5_000;
/** Nothing retries a failed write of a file, so the failure expires after this time. */
const FILE_FAILURE_TTL_MS = 60_000;
/** About 1 MB in rows that PostgreSQL does not compress. */
const PROBE = `CREATE TEMP TABLE storage_probe ON COMMIT DROP AS
  SELECT repeat(md5(n::text), 60) AS filler FROM generate_series(1, 540) AS n`;

/**
 * Whether writes fail because the disk is full, known from failed statements and files. A full database is checked again by writing to it.
 */
export class StorageState {
  private filesFailedAt = -Infinity;
  private checkedAt = -Infinity;
  private checking: Promise<void> | null = null;

  constructor(private readonly db: Database) {}

  /** Records an error of a full disk; ignores all others. The pool records errors of the database itself. */
  recordError(error: unknown): void {
    if (isStorageFull(error) && !isDatabaseFull(error)) this.filesFailedAt = performance.now();
  }

  /** The state of the last check. */
  get isKnownFull(): boolean {
    return (
      poolOf(this.db).storageFullAt !== null || performance.now() - this.filesFailedAt < FILE_FAILURE_TTL_MS
    );
  }

  /** Checks a full database again 5 s after the last failure or check. Rejects with other errors of the database. */
  async isFull(): Promise<boolean> {
    const { storageFullAt } = poolOf(this.db);
    if (
      storageFullAt !== null &&
      performance.now() - Math.max(storageFullAt, this.checkedAt) > CHECK_INTERVAL_MS
    )
      await (this.checking ??= this.check().finally(() => (this.checking = null)));
    return this.isKnownFull;
  }

  private async check(): Promise<void> {
    this.checkedAt = performance.now();
    try {
      await this.db.transaction((transaction) => transaction.raw(PROBE));
      poolOf(this.db).storageFullAt = null;
    } catch (error) {
      if (!isStorageFull(error)) throw error;
    }
  }
}
