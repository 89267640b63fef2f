import type { Clock } from '../lib/clock.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long deleted objects stay in the trash (setting `DELETED_RETENTION_DAYS`): they can be restored, then they are erased. */
export class DeletedRetention {
  constructor(
    private readonly clock: Clock,
    readonly days: number,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  /** What was deleted before this moment cannot be restored, and is erased by the next purge. */
  restorableSince(): Date {
    return new Date(this.clock.now().getTime() - this.days * DAY_MS);
  }
}
