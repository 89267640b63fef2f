import type { Config } from '../../config.ts';
import { limitReached } from '../../lib/error-messages.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { splitIntoParts } from '../../providers/files/file-storage.ts';
import type { Store } from '../../repositories/store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MEGABYTE = 1024 * 1024;
/** Bytes of a file that are counted before they are stored; also the memory of one upload. */
const PART_BYTES = MEGABYTE;

/** Bytes; 0: no limit. */
type UploadLimitSettings = Config['uploadLimits'];

/** Limits what respondents store: bytes per survey and day, and bytes stored per organization. */
export class UploadLimits {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly limits: UploadLimitSettings,
  ) {}

  /**
   * Passes the file's chunks on, each counted first, so that the limits hold for any number of parallel uploads. The
   * file's row must exist. Throws 429 `upload_limit_reached` until the next day (UTC), or 507 `upload_storage_full`.
   */
  async *countChunks(
    surveyId: number,
    fileId: string,
    chunks: AsyncIterable<Buffer>,
  ): AsyncGenerator<Buffer, undefined> {
    for await (const part of splitIntoParts(chunks, PART_BYTES)) {
      await this.count(surveyId, fileId, part.length);
      yield part;
    }
    return undefined;
  }

  /** Deletes the row of a file whose bytes were deleted, and subtracts them from the organization's usage. */
  async releaseFile(surveyId: number, fileId: string): Promise<void> {
    await this.store.transaction(({ responseFiles }) => responseFiles.removeFile(surveyId, fileId));
  }

  /** Deletes the counts of past days. */
  async removePastDays(): Promise<void> {
    // Keeps yesterday: the clocks of processes differ.
    const yesterday = new Date(this.clock.now().getTime() - DAY_MS);
    await this.store.read.responseFiles.removeUploadDaysBefore(dayOf(yesterday));
  }

  private async count(surveyId: number, fileId: string, bytes: number): Promise<void> {
    const { surveyDailyBytes, organizationBytes } = this.limits;
    const now = this.clock.now();
    await this.store.transaction(async ({ responseFiles }) => {
      await responseFiles.setOrganizationBytes(surveyId, fileId, bytes);
      if (!(await responseFiles.addUploadToDay(surveyId, dayOf(now), bytes, surveyDailyBytes)))
        throw surveyLimitReached(now, surveyDailyBytes);
      if (!(await responseFiles.addUploadToOrganization(surveyId, bytes, organizationBytes)))
        throw new AppError(
          'insufficient_storage',
          'upload_storage_full',
          'This survey cannot store more files: the storage of its organization is full',
        );
    });
  }
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

function surveyLimitReached(now: Date, limitBytes: number): AppError {
  const seconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
  return new AppError(
    'too_many_requests',
    'upload_limit_reached',
    `${limitReached('This survey', limitBytes / MEGABYTE, 'MB of files', 'MB of files')} per day; upload the file again after midnight UTC`,
    [],
    { 'Retry-After': String(seconds) },
  );
}
