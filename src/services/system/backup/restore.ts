import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type BackupManifest,
  filePart,
  MANIFEST_PART,
  manifestSchema,
  tablePart,
} from '../../../domain/backup/manifest.ts';
import { isOldSchema, isSchemaOfVersion010, REPLACEMENTS } from '../../../db/version-0-1-0.ts';
import { ZipArchive } from '../../../importers/zip-archive.ts';
import { StartError } from '../../../lib/errors.ts';
import { formatList } from '../../../lib/format-list.ts';
import { quote } from '../../../lib/quote.ts';
import type { FileStorage } from '../../../providers/files/file-storage.ts';
import type { StoredTable } from '../../../repositories/table-copies.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { OnPart } from './backups.ts';
import { type ByteCount, countBytes } from './count-bytes.ts';

/** The schema of the database that is restored into. */
export interface Schema {
  /** The names of all migrations of this version, in their order. */
  known: readonly string[];
  /** Runs `work` in one transaction that no start of a server enters; if it fails, schema and rows are as before. */
  change<T>(work: (repositories: Repositories, changes: SchemaSteps) => Promise<T>): Promise<T>;
}

interface SchemaSteps {
  /** Takes every migration back and applies exactly these, which are the first of the known ones. */
  remake: (names: readonly string[]) => Promise<void>;
  /** Applies the migrations that are left. */
  complete: () => Promise<void>;
}

/** Fills an empty installation from a backup. */
export class RestoreService {
  private readonly storage: FileStorage;

  constructor(storage: FileStorage) {
    this.storage = storage;
  }

  /**
   * Checks every part of the backup, then makes the schema of its version, fills it and brings it up to date, in one transaction: a
   * restore that fails or is killed leaves the database as it was. Throws a StartError where the backup is not whole or is of a newer
   * version, or where the installation has an organization.
   */
  async restore(path: string, schema: Schema, onPart: OnPart = () => undefined): Promise<BackupManifest> {
    const archive = await openArchive(path);
    try {
      const manifest = await readManifest(archive, path);
      const migrations = migrationsFor(manifest, schema);
      await checkParts(archive, manifest, path);
      await schema.change(async ({ tableCopies }, { remake, complete }) => {
        if (await tableCopies.hasOrganization())
          throw new StartError(
            'This installation has an organization already. A backup is restored into an empty one: another DATABASE_URL or DATA_DIR',
          );
        await remake(migrations);
        await this.putFiles(archive, manifest, onPart);
        await fillTables(tableCopies, archive, manifest, onPart);
        await complete();
      });
      return manifest;
    } finally {
      archive.close();
    }
  }

  private async putFiles(archive: ZipArchive, manifest: BackupManifest, onPart: OnPart): Promise<void> {
    for (const { name } of manifest.files) {
      const chunks = await archive.read(filePart(name));
      await this.storage.put(name, chunks!);
    }
    if (manifest.files.length > 0) onPart('files', `${manifest.files.length} files`);
  }
}

async function fillTables(
  tableCopies: Repositories['tableCopies'],
  archive: ZipArchive,
  manifest: BackupManifest,
  onPart: OnPart,
): Promise<void> {
  const tables = await tableCopies.tables();
  checkTables(manifest, tables);
  await tableCopies.refill(tables, async () => {
    for (const table of manifest.tables) {
      const chunks = await archive.read(tablePart(table.table));
      await pipeline(Readable.from(chunks!), await tableCopies.copyIn(table));
      const rows = await tableCopies.countRows(table);
      if (rows !== table.rows)
        throw new Error(`${table.table} has ${rows} rows after it was filled with ${table.rows}`);
      onPart(table.table, `${rows} rows`);
    }
  });
  await tableCopies.setSequences(manifest.sequences);
}

async function openArchive(path: string): Promise<ZipArchive> {
  try {
    return await ZipArchive.open(path);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') throw new StartError(`There is no file ${path}`);
    if (code === 'EACCES') throw new StartError(`${path} cannot be read by this user`);
    throw incompleteBackup(path, 'it is no archive, or its end is missing');
  }
}

async function readManifest(archive: ZipArchive, path: string): Promise<BackupManifest> {
  const chunks = await archive.read(MANIFEST_PART);
  if (chunks === null) throw new StartError(`${path} is no backup: it has no ${MANIFEST_PART}`);
  try {
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return manifestSchema.parse(JSON.parse(Buffer.concat(parts).toString()));
  } catch {
    throw incompleteBackup(path, `its ${MANIFEST_PART} is not what a backup writes`);
  }
}

/** The migrations of this version that make the schema of the backup. */
function migrationsFor(
  { migrations: applied, canvass_version: version }: BackupManifest,
  { known }: Schema,
): readonly string[] {
  const migrations = isSchemaOfVersion010(applied) ? REPLACEMENTS : applied;
  if (isOldSchema(migrations))
    throw new StartError(
      `The backup is older than version 0.1.0 (its newest migration is ${applied.at(-1)}): restore it with version 0.1.0, make a new ` +
        'backup there, and restore that one here',
    );
  const unknown = migrations.find((name, index) => known[index] !== name);
  if (unknown !== undefined)
    throw new StartError(
      `The backup was made by version ${version}, whose database has ${unknown}, which this version does not know: restore it with that version or a newer one`,
    );
  return migrations;
}

/** Every part is there with the bytes that were written, and nothing else. */
async function checkParts(archive: ZipArchive, manifest: BackupManifest, path: string): Promise<void> {
  const expected = new Map<string, { bytes: number; sha256: string }>([
    ...manifest.tables.map((table) => [tablePart(table.table), table] as const),
    ...manifest.files.map((file) => [filePart(file.name), file] as const),
  ]);
  const strange = archive.names.filter((name) => name !== MANIFEST_PART && !expected.has(name));
  if (strange.length > 0)
    throw incompleteBackup(path, `nobody knows of ${formatList(strange, 5, quote)} in it`);
  for (const [name, { bytes, sha256 }] of expected) {
    const found = await computeChecksum(archive, name, path);
    if (found === null) throw incompleteBackup(path, `${name} is missing`);
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw incompleteBackup(path, `${name} is not what was written (its checksum differs)`);
  }
}

async function computeChecksum(archive: ZipArchive, name: string, path: string): Promise<ByteCount | null> {
  const chunks = await archive.read(name);
  if (chunks === null) return null;
  let result: ByteCount | null = null;
  try {
    for await (const chunk of countBytes(chunks, (sums) => (result = sums))) void chunk;
  } catch {
    throw incompleteBackup(path, `${name} cannot be read`);
  }
  return result;
}

/**
 * Checks that the tables are those of the backup's migrations; otherwise Canvass did not write it. The order of columns may differ: it
 * depends on the version that made the database.
 */
function checkTables({ tables, sequences }: BackupManifest, known: readonly StoredTable[]): void {
  const shape = (all: readonly StoredTable[]) =>
    JSON.stringify(all.map(({ table, columns }) => [table, columns.toSorted()]));
  if (shape(tables) !== shape(known) || sequences.some(({ sequence }) => !/^[a-z0-9_]+$/.test(sequence)))
    throw new StartError('The backup’s tables are not those of its version');
}

const incompleteBackup = (path: string, what: string) =>
  new StartError(`${path} is not a whole backup: ${what}`);
