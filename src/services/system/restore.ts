import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from '../../importers/zip-archive.ts';
import { formatList, quote, unknownObject } from '../../lib/error-messages.ts';
import { StartError } from '../../lib/errors.ts';
import { requireItem, requireValue } from '../../lib/require-value.ts';
import type { FileStorage } from '../../providers/files/file-storage.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { SequenceState, StoredTable } from '../../repositories/table-copies.ts';
import {
  type BackupManifest,
  type ByteCount,
  countBytes,
  filePartName,
  MANIFEST_PART,
  manifestSchema,
  type OnPart,
  tablePartName,
} from './backups.ts';

/** The schema of the target database. */
export interface Schema {
  /** The names of all migrations of this version, in order. */
  known: readonly string[];
  /** Runs `work` in one transaction, during which no server can start; if it fails, schema and rows are unchanged. */
  change<T>(work: (repositories: Repositories, changes: SchemaSteps) => Promise<T>): Promise<T>;
}

interface SchemaSteps {
  /** Rolls all migrations back and applies those up to and including `last`. */
  recreateUpTo: (last: string) => Promise<void>;
  /** Applies the remaining migrations. */
  migrateToLatest: () => Promise<void>;
}

/** Restores a backup into an empty installation. */
export class RestoreService {
  constructor(private readonly storage: FileStorage) {}

  /**
   * Checks every part of the backup, then creates the schema of its version, fills it and migrates it, in one
   * transaction: a failed or interrupted restore leaves the database unchanged. Throws a StartError if the backup is
   * incomplete or of a newer version, or if the installation has an organization.
   */
  async restore(path: string, schema: Schema, onPart: OnPart = () => undefined): Promise<BackupManifest> {
    const archive = await openArchive(path);
    try {
      const manifest = await readManifest(archive, path);
      checkMigrations(manifest, schema);
      await checkParts(archive, manifest, path);
      await schema.change(async ({ tableCopies }, { recreateUpTo, migrateToLatest }) => {
        if (await tableCopies.hasOrganization())
          throw new StartError(
            'This installation already has an organization. Restore into an empty installation: another DATABASE_URL or DATA_DIR',
          );
        await recreateUpTo(requireItem(manifest.migrations, -1, 'migration'));
        await this.putFiles(archive, manifest, onPart);
        await fillTables({ tableCopies, archive, manifest, onPart });
        await migrateToLatest();
      });
      return manifest;
    } finally {
      archive.close();
    }
  }

  private async putFiles(archive: ZipArchive, manifest: BackupManifest, onPart: OnPart): Promise<void> {
    for (const { name } of manifest.files) {
      await this.storage.put(name, await requirePart(archive, filePartName(name)));
    }
    if (manifest.files.length > 0) onPart('files', `${manifest.files.length} files`);
  }
}

async function fillTables({
  tableCopies,
  archive,
  manifest,
  onPart,
}: {
  tableCopies: Repositories['tableCopies'];
  archive: ZipArchive;
  manifest: BackupManifest;
  onPart: OnPart;
}): Promise<void> {
  const tables = await tableCopies.listTables();
  checkTables(manifest, tables);
  await tableCopies.refill(tables, async () => {
    for (const table of manifest.tables) {
      const chunks = await requirePart(archive, tablePartName(table.table));
      await pipeline(Readable.from(chunks), await tableCopies.copyIn(table));
      const rows = await tableCopies.countRows(table);
      if (rows !== table.rows)
        throw new Error(`${table.table} has ${rows} rows after it was filled with ${table.rows}`);
      onPart(table.table, `${rows} rows`);
    }
  });
  await tableCopies.setSequences(manifest.sequences);
}

/** The contents of a part; the manifest was compared with the archive when it was opened. */
async function requirePart(archive: ZipArchive, name: string): Promise<AsyncIterable<Buffer>> {
  return requireValue(await archive.read(name), name);
}

async function openArchive(path: string): Promise<ZipArchive> {
  try {
    return await ZipArchive.open(path);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') throw new StartError(`The ${unknownObject({ kind: 'file', idOrCode: path })}`);
    if (code === 'EACCES') throw new StartError(`${path} cannot be read by this user`);
    throw incompleteBackup(path, 'it is not an archive, or it is truncated');
  }
}

async function readManifest(archive: ZipArchive, path: string): Promise<BackupManifest> {
  const chunks = await archive.read(MANIFEST_PART);
  if (chunks === null) throw new StartError(`${path} is not a backup: it does not contain ${MANIFEST_PART}`);
  try {
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return manifestSchema.parse(JSON.parse(Buffer.concat(parts).toString()));
  } catch {
    throw incompleteBackup(path, `its ${MANIFEST_PART} is invalid`);
  }
}

/** Throws StartError if the migrations of this version do not begin with those of the backup. */
function checkMigrations({ migrations, canvass_version: version }: BackupManifest, { known }: Schema): void {
  const unknown = migrations.find((name, index) => known[index] !== name);
  if (unknown !== undefined)
    throw new StartError(
      `The backup was made by version ${version}, whose migration ${unknown} this version does not have: restore it with that version or a newer one`,
    );
}

/** Checks that the archive has exactly the expected parts, with their sizes and checksums. */
async function checkParts(archive: ZipArchive, manifest: BackupManifest, path: string): Promise<void> {
  const expected = new Map<string, { bytes: number; sha256: string }>([
    ...manifest.tables.map((table) => [tablePartName(table.table), table] as const),
    ...manifest.files.map((file) => [filePartName(file.name), file] as const),
  ]);
  const unexpected = archive.names.filter((name) => name !== MANIFEST_PART && !expected.has(name));
  if (unexpected.length > 0)
    throw incompleteBackup(path, `it contains unknown parts: ${formatList(unexpected, 5, quote)}`);
  for (const [name, { bytes, sha256 }] of expected) {
    const found = await computeChecksum(archive, name, path);
    if (found === null) throw incompleteBackup(path, `${name} is missing`);
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw incompleteBackup(path, `${name} is damaged (its checksum differs)`);
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
 * Checks that the tables are those of the backup's migrations. The order of columns may differ, depending on the
 * version that created the database.
 */
function checkTables(
  { tables, sequences }: { tables: readonly StoredTable[]; sequences: readonly SequenceState[] },
  known: readonly StoredTable[],
): void {
  const shape = (all: readonly StoredTable[]) =>
    JSON.stringify(all.map(({ table, columns }) => [table, ...columns.toSorted()].join(' ')).toSorted());
  if (shape(tables) !== shape(known) || sequences.some(({ sequence }) => !/^[a-z0-9_]+$/.test(sequence)))
    throw new StartError('The backup’s tables are not those of its version');
}

const incompleteBackup = (path: string, action: string) =>
  new StartError(`${path} is not a complete backup: ${action}`);
