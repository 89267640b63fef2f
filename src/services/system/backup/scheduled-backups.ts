import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../lib/clock.ts';
import type { BackupService } from './backups.ts';

export interface BackupSchedule {
  /** Absolute path. */
  folder: string;
  everyHours: number;
  /** Number of backups to keep. */
  keep: number;
}

const HOUR_MS = 60 * 60 * 1000;
/** canvass-2026-03-01T04-00-00Z.zip: names sort by time. */
const BACKUP_NAME = /^canvass-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.zip$/;
/** Name of an unfinished backup; interrupted ones remain. */
const UNFINISHED_NAME = /^canvass-[\dTZ-]+\.zip\.[\da-f-]+\.unfinished$/;
/** An older unfinished file is no longer being written. */
const UNFINISHED_MAX_AGE_MS = HOUR_MS;

/** Makes a backup when the newest one in the folder is old enough. */
export class ScheduledBackups {
  private running = false;

  /** `schedule` null: no backups. */
  constructor(
    private readonly backups: BackupService,
    private readonly clock: Clock,
    private readonly schedule: BackupSchedule | null,
  ) {}

  /** Returns the path of the new backup; null if none was due. */
  async run(): Promise<string | null> {
    const { schedule } = this;
    if (schedule === null || this.running) return null;
    this.running = true;
    try {
      return await this.makeIfDue(schedule);
    } finally {
      this.running = false;
    }
  }

  private async makeIfDue({ folder, everyHours, keep }: BackupSchedule): Promise<string | null> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const newest = (await listBackups(folder)).at(-1);
    const now = this.clock.now();
    if (newest !== undefined) {
      const { mtimeMs } = await stat(path.join(folder, newest));
      if (now.getTime() - mtimeMs < everyHours * HOUR_MS) return null;
    }
    const timestamp = now.toISOString().slice(0, 19).replaceAll(':', '-');
    const file = path.join(folder, `canvass-${timestamp}Z.zip`);
    await removeUnfinished(folder, now.getTime() - UNFINISHED_MAX_AGE_MS);
    if ((await this.backups.write(file, undefined, 'schedule')) === null) return null;
    const old = (await listBackups(folder)).slice(0, -keep);
    for (const name of old) await rm(path.join(folder, name), { force: true });
    return file;
  }
}

async function listBackups(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => BACKUP_NAME.test(name)).sort();
}

/** Interrupted backups would fill the disk. */
async function removeUnfinished(folder: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!UNFINISHED_NAME.test(name)) continue;
    const file = path.join(folder, name);
    // null: another process deleted it meanwhile.
    const writtenMs = (await stat(file).catch(() => null))?.mtimeMs ?? Infinity;
    if (writtenMs < beforeMs) await rm(file, { force: true });
  }
}
