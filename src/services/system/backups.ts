import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path, { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { writeZip, type ZipEntry } from '../../exporters/zip.ts';
import type { Clock } from '../../lib/clock.ts';
import { StartError } from '../../lib/errors.ts';
import type { FileStorage } from '../../providers/files/file-storage.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { VERSION } from '../../version.ts';

const countSchema = z.int().nonnegative();
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** The description of a backup; the last part of the archive. */
export const manifestSchema = z.strictObject({
  format: z.literal('canvass-backup'),
  format_version: z.literal(1),
  canvass_version: z.string(),
  /** The time of the snapshot. */
  taken_at: z.iso.datetime(),
  /** The migrations of the database, in order. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(
    z.strictObject({
      table: z.string(),
      columns: z.array(z.string()).min(1),
      rows: countSchema,
      bytes: countSchema,
      sha256: sha256Schema,
    }),
  ),
  sequences: z.array(z.strictObject({ sequence: z.string(), last: z.int().nullable() })),
  files: z.array(z.strictObject({ name: z.uuid(), bytes: countSchema, sha256: sha256Schema })),
  /** Files that rows refer to but that were missing from the storage. */
  missing_files: z.array(z.uuid()),
});
export type BackupManifest = z.output<typeof manifestSchema>;

export const MANIFEST_PART = 'manifest.json';
export const tablePartName = (table: string): string => `tables/${table}.copy`;
export const filePartName = (name: string): string => `files/${name}`;

/** The totals of a stream. */
export interface ByteCount {
  bytes: number;
  sha256: string;
  /** Rows, in the text of a table. */
  lines: number;
}

const NEWLINE = 0x0a;

/** Passes chunks on, and calls `done` with the totals at the end. */
export async function* countBytes(
  chunks: AsyncIterable<Buffer>,
  done: (byteCount: ByteCount) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    yield chunk;
  }
  done({ bytes, lines, sha256: hash.digest('hex') });
}

/** Reports the part that was just written. */
export type OnPart = (part: string, rowsOrBytes: string) => void;

/** Writes backups: a consistent snapshot of every table and all files that its rows name, in one archive. */
export class BackupService {
  constructor(
    private readonly store: Store,
    private readonly storage: FileStorage,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes a backup; the file appears under its name only when it is complete and flushed to disk. Returns null if
   * another backup is running. Recorded in the audit log of every organization.
   */
  async write(
    path: string,
    onPart: OnPart = () => undefined,
    startedBy: 'command_line' | 'schedule' = 'command_line',
  ): Promise<BackupManifest | null> {
    const unfinished = `${path}.${randomUUID()}.unfinished`;
    let written: BackupManifest;
    let file: FileHandle | null = null;
    try {
      // Before anything is read, so that a path that cannot be written is refused at once.
      const opened = await open(unfinished, 'wx', 0o600);
      file = opened;
      const manifest = await this.store.snapshot(async ({ tableCopies }) => {
        await tableCopies.prepare();
        if (!(await tableCopies.tryLock())) return null;
        const manifest: BackupManifest = {
          format: 'canvass-backup',
          format_version: 1,
          canvass_version: VERSION,
          taken_at: this.clock.now().toISOString(),
          migrations: await tableCopies.listMigrations(),
          tables: [],
          sequences: [],
          files: [],
          missing_files: [],
        };
        const parts = this.parts(tableCopies, manifest, onPart);
        await pipeline(Readable.from(writeZip(parts), { objectMode: false }), opened.createWriteStream());
        return manifest;
      });
      if (manifest === null) return null;
      await flushToDisk(unfinished);
      await rename(unfinished, path);
      written = manifest;
    } catch (error) {
      throw cannotWrite(path, error);
    } finally {
      await file?.close();
      await rm(unfinished, { force: true });
    }
    await this.store.read.audit.recordForAll({
      action: 'backup.created',
      objectType: 'backup',
      objectId: basename(path),
      // Without sizes, which would cover all organizations together.
      details: { started_by: startedBy },
    });
    return written;
  }

  private async *parts(
    copies: Repositories['tableCopies'],
    manifest: BackupManifest,
    onPart: OnPart,
  ): AsyncGenerator<ZipEntry> {
    const part = (name: string, chunks: AsyncIterable<Buffer>, compress: boolean): ZipEntry => {
      return { name, chunks, compress, sizeBytes: null, modifiedAt: new Date(manifest.taken_at) };
    };
    for (const table of await copies.listTables()) {
      const rows = countBytes(await copies.copyOut(table), ({ lines, bytes, sha256 }) => {
        manifest.tables.push({ ...table, rows: lines, bytes, sha256 });
        onPart(table.table, `${lines} rows`);
      });
      yield part(tablePartName(table.table), rows, true);
    }
    // Read after the rows, so that ids assigned meanwhile are not assigned again.
    manifest.sequences = await copies.listSequences();
    for (const name of await copies.listStoredFiles()) {
      const chunks = await this.storage.get(name);
      if (chunks === null) {
        // Deleted since the snapshot of the rows was taken.
        manifest.missing_files.push(name);
        continue;
      }
      const bytes = countBytes(chunks, (file) => {
        manifest.files.push({ name, bytes: file.bytes, sha256: file.sha256 });
      });
      yield part(filePartName(name), bytes, false);
    }
    if (manifest.files.length > 0) onPart('files', `${manifest.files.length} files`);
    yield part(MANIFEST_PART, serializeManifest(manifest), true);
  }
}

// Read last, when all other parts are written.
async function* serializeManifest(manifest: BackupManifest): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
}

async function flushToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function cannotWrite(path: string, error: unknown): unknown {
  const { code } = error as { code?: unknown };
  const reasons: Record<string, string> = {
    ENOENT: 'its folder does not exist',
    EACCES: 'this user may not write there',
    ENOSPC: 'the disk is full',
    EISDIR: 'it is a folder',
  };
  const reason = typeof code === 'string' ? reasons[code] : undefined;
  return reason === undefined ? error : new StartError(`The backup ${path} cannot be written: ${reason}`);
}

interface BackupSchedule {
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
