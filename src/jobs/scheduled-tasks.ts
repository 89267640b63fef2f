import type { Services } from '../services/services.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How late a reminder, or a mail that is tried again, may be. */
const CAMPAIGNS_EVERY_MS = 15 * 1000;
/** Delay, after its lease, until the credits of interrupted work are released. */
const CREDITS_EVERY_MS = 30 * 1000;

/** Delay, after a day, until an abandoned upload is deleted. */
const FILES_EVERY_MS = 6 * HOUR_MS;
/** How often surveys are checked for responses that their column snapshot lacks. */
const SNAPSHOTS_EVERY_MS = 60 * 1000;
/** Maximum delay of a scheduled backup. */
const BACKUPS_EVERY_MS = 5 * 60 * 1000;

/** A task that every process runs at its start and at intervals; safe in several processes at once. */
export interface ScheduledTask {
  name: string;
  everyMs: number;
  run: () => Promise<unknown>;
}

export const createScheduledTasks = ({
  chat,
  analysisCacheCleanup,
  collection,
  columnSnapshots,
  credits,
  deletedDataPurge,
  fileSweep,
  idempotencySweep,
  panelEntries,
  jobSweep,
  scheduledCampaigns,
  scheduledBackups,
  surveyImages,
  surveyMedia,
}: Services): ScheduledTask[] => [
  { name: 'analysis sweep', everyMs: DAY_MS, run: () => analysisCacheCleanup.run() },
  { name: 'file sweep', everyMs: FILES_EVERY_MS, run: () => fileSweep.run() },
  { name: 'deleted data', everyMs: FILES_EVERY_MS, run: () => deletedDataPurge.run() },
  { name: 'abandoned responses', everyMs: HOUR_MS, run: () => collection.roundAbandonedTimes() },
  { name: 'panel mismatches', everyMs: FILES_EVERY_MS, run: () => panelEntries.deleteOldMismatches() },
  { name: 'survey images', everyMs: FILES_EVERY_MS, run: () => surveyImages.deleteUnused() },
  { name: 'survey media', everyMs: FILES_EVERY_MS, run: () => surveyMedia.deleteUnused() },
  { name: 'idempotency sweep', everyMs: HOUR_MS, run: () => idempotencySweep.run() },
  { name: 'job sweep', everyMs: HOUR_MS, run: () => jobSweep.run() },
  { name: 'credits', everyMs: CREDITS_EVERY_MS, run: () => credits.releaseAbandoned() },
  { name: 'scheduled backup', everyMs: BACKUPS_EVERY_MS, run: () => scheduledBackups.run() },
  { name: 'chat', everyMs: CREDITS_EVERY_MS, run: () => chat.cleanUp() },
  { name: 'column snapshots', everyMs: SNAPSHOTS_EVERY_MS, run: () => columnSnapshots.enqueueDue() },
  { name: 'campaigns', everyMs: CAMPAIGNS_EVERY_MS, run: () => scheduledCampaigns.run() },
];

/**
 * Starts the tasks. Returns a function that stops them. A failed run is reported and repeated at the next interval.
 */
export function startScheduledTasks(
  all: readonly ScheduledTask[],
  onFailure: (name: string, error: unknown) => void,
) {
  const timers = all.map(({ name, everyMs, run }) => {
    const attempt = () => void run().catch((error: unknown) => onFailure(name, error));
    attempt();
    return setInterval(attempt, everyMs);
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
