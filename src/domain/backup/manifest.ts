import { z } from 'zod';

const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

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
      rows: count,
      bytes: count,
      sha256,
    }),
  ),
  sequences: z.array(z.strictObject({ sequence: z.string(), last: z.int().nullable() })),
  files: z.array(z.strictObject({ name: z.uuid(), bytes: count, sha256 })),
  /** Files that rows refer to but that were missing from the storage. */
  missing_files: z.array(z.uuid()),
});
export type BackupManifest = z.output<typeof manifestSchema>;

export const MANIFEST_PART = 'manifest.json';
export const tablePartName = (table: string): string => `tables/${table}.copy`;
export const filePartName = (name: string): string => `files/${name}`;
