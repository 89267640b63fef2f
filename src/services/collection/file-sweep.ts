import type { Clock } from '../../lib/clock.ts';
import type { FileStorage } from '../../providers/files/file-storage.ts';
import type { Store } from '../../repositories/store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** No upload takes this long, and who ended a response does not come back to it. */
const BROKEN_AFTER_MS = DAY_MS;
/** Respondents may resume for weeks, and their page still knows what it uploaded. */
const ABANDONED_AFTER_MS = 30 * DAY_MS;
const FILES_AT_ONCE = 200;

/** Removes the bytes of files that nothing refers to any more. Safe beside uploads, and in several processes at once. */
export class FileSweep {
  private readonly store: Store;
  private readonly storage: FileStorage;
  private readonly clock: Clock;

  constructor(store: Store, storage: FileStorage, clock: Clock) {
    this.store = store;
    this.storage = storage;
    this.clock = clock;
  }

  /** How many were removed. */
  async run(): Promise<number> {
    const now = this.clock.now().getTime();
    const broken = new Date(now - BROKEN_AFTER_MS);
    const abandoned = new Date(now - ABANDONED_AFTER_MS);
    const mark = () =>
      this.store.transaction(({ responseFiles }) =>
        responseFiles.markOrphans(broken, abandoned, FILES_AT_ONCE),
      );
    while (await mark());
    let removed = 0;
    for (;;) {
      const files = await this.store.read.responseFiles.deleted(FILES_AT_ONCE);
      for (const file of files) {
        await this.storage.remove(file.stored_name);
        await this.store.read.responseFiles.forget(file.survey_id, file.file_id);
      }
      removed += files.length;
      if (files.length < FILES_AT_ONCE) return removed;
    }
  }
}
