import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../repositories/store.ts';
import type { JobFiles } from './job-files.ts';

/** How long jobs and their files are kept. */
const RETENTION_MS = 24 * 60 * 60 * 1000;
const FILES_AT_ONCE = 200;

/** Deletes jobs that finished a day ago, and files that belong to no job. Safe in several processes at once. */
export class JobSweep {
  constructor(
    private readonly store: Store,
    private readonly files: JobFiles,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    await this.store.read.jobs.purge(before);
    await this.removeFiles(before);
  }

  /** `brokenBefore`: files that are unfinished since then are no longer being written. */
  private async removeFiles(brokenBefore: Date): Promise<void> {
    for (;;) {
      const names = await this.store.read.jobs.listReleasedFiles(brokenBefore, FILES_AT_ONCE);
      for (const name of names) await this.files.remove(name);
      if (names.length < FILES_AT_ONCE) return;
    }
  }
}
