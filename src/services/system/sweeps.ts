import type { Clock } from '../../lib/clock.ts';
import type { FileStorage } from '../../providers/files/file-storage.ts';
import type { Store } from '../../repositories/store.ts';
import type { UploadLimits } from '../collection/uploaded-files.ts';
import type { JobFiles } from '../jobs.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long jobs and their files are kept. */
const JOB_RETENTION_MS = DAY_MS;
/** Uploaded files that no saved answer names after this time are abandoned. */
const ABANDONED_AFTER_MS = DAY_MS;
/** Retention of cached analysis results. */
const ANALYSIS_RESULT_DAYS = 90;
const FILES_PER_BATCH = 200;
const ROWS_PER_BATCH = 1_000;

/** Deletes jobs that finished a day ago, and files that belong to no job. Safe in several processes at once. */
export class JobSweep {
  constructor(
    private readonly store: Store,
    private readonly files: JobFiles,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - JOB_RETENTION_MS);
    await this.store.read.jobs.purge(before);
    await this.removeFiles(before);
  }

  /** `brokenBefore`: files that are unfinished since then are no longer being written. */
  private async removeFiles(brokenBefore: Date): Promise<void> {
    for (;;) {
      const names = await this.store.read.jobs.listReleasedFiles(brokenBefore, FILES_PER_BATCH);
      for (const name of names) await this.files.remove(name);
      if (names.length < FILES_PER_BATCH) return;
    }
  }
}

/** Deletes the bytes of files that nothing refers to. Safe during uploads and in several processes at once. */
export class FileSweep {
  constructor(
    private readonly store: Store,
    private readonly storage: FileStorage,
    private readonly limits: UploadLimits,
    private readonly clock: Clock,
  ) {}

  /** Returns the number of deleted files. */
  async run(): Promise<number> {
    const abandonedBefore = new Date(this.clock.now().getTime() - ABANDONED_AFTER_MS);
    const mark = () =>
      this.store.transaction(({ responseFiles }) =>
        responseFiles.markOrphans(abandonedBefore, FILES_PER_BATCH),
      );
    while (await mark());
    await this.limits.removePastDays();
    let removed = 0;
    for (;;) {
      const files = await this.store.read.responseFiles.listDeleted(FILES_PER_BATCH);
      for (const file of files) {
        await this.storage.remove(file.stored_name);
        await this.limits.releaseFile(file.survey_id, file.file_id);
      }
      removed += files.length;
      if (files.length < FILES_PER_BATCH) return removed;
    }
  }
}

/** Deletes stored replies of expired Idempotency-Keys. Safe in several processes at once. */
export class IdempotencySweep {
  constructor(private readonly store: Store) {}

  async run(): Promise<void> {
    while ((await this.store.read.idempotencyKeys.deleteExpired(ROWS_PER_BATCH)) === ROWS_PER_BATCH);
  }
}

/** Deletes expired analysis results from the cache. Safe in several processes at once. */
export class AnalysisCacheCleanup {
  constructor(private readonly store: Store) {}

  async run(): Promise<void> {
    while (
      (await this.store.read.analysisResults.deleteOld(ANALYSIS_RESULT_DAYS, ROWS_PER_BATCH)) ===
      ROWS_PER_BATCH
    );
  }
}
