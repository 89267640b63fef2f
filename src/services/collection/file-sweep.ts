import type { Clock } from '../../lib/clock.ts';
import type { FileStorage } from '../../providers/files/file-storage.ts';
import type { Store } from '../../repositories/store.ts';
import type { UploadLimits } from './upload-limits.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Uploaded files that no saved answer names after this time are abandoned. */
const ABANDONED_AFTER_MS = DAY_MS;
const FILES_AT_ONCE = 200;

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
        responseFiles.markOrphans(abandonedBefore, FILES_AT_ONCE),
      );
    while (await mark());
    await this.limits.removePastDays();
    let removed = 0;
    for (;;) {
      const files = await this.store.read.responseFiles.listDeleted(FILES_AT_ONCE);
      for (const file of files) {
        await this.storage.remove(file.stored_name);
        await this.limits.releaseFile(file.survey_id, file.file_id);
      }
      removed += files.length;
      if (files.length < FILES_AT_ONCE) return removed;
    }
  }
}
