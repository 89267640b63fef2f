import { isDatabaseFull, isStorageFull } from '../lib/storage-full.ts';
import type { Database } from './connect.ts';
import { poolOf } from './pg-pool.ts';

const CHECK_INTERVAL_MS = 5_000;
/** A file that could not be written is not tried again by itself; the finding expires. */
const FILE_FAILURE_TTL_MS = 60_000;
/** About 1 MB in rows that PostgreSQL does not compress. */
const PROBE = `CREATE TEMP TABLE storage_probe ON COMMIT DROP AS
  SELECT repeat(md5(n::text), 60) AS filler FROM generate_series(1, 540) AS n`;

/** Whether writes fail for lack of space: known from statements and files that failed, and of the database checked by writing. */
export class StorageState {
  private readonly db: Database;
  private filesFailedAt = -Infinity;
  private checkedAt = -Infinity;
  private checking: Promise<void> | null = null;

  constructor(db: Database) {
    this.db = db;
  }

  /** Takes any error; those that say nothing of space for files change nothing. Of the database the pool knows. */
  noteError(error: unknown): void {
    if (isStorageFull(error) && !isDatabaseFull(error)) this.filesFailedAt = performance.now();
  }

  /** What is known without asking. */
  get isKnownFull(): boolean {
    return (
      poolOf(this.db).storageFullAt !== null || performance.now() - this.filesFailedAt < FILE_FAILURE_TTL_MS
    );
  }

  /** Checks a database that was full for space again, 5 s after the last failure or check. Rejects with the database's other errors. */
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
