import { z } from 'zod';

const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What a backup says of itself; it is the archive's last part. */
export const manifestSchema = z.strictObject({
  format: z.literal('canvass-backup'),
  format_version: z.literal(1),
  canvass_version: z.string(),
  /** The moment of which everything is. */
  taken_at: z.iso.datetime(),
  /** Which migrations the database had, in their order. */
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
  /** Files that rows know and that were not there when they were asked for. */
  missing_files: z.array(z.uuid()),
});
export type BackupManifest = z.output<typeof manifestSchema>;

export const MANIFEST_PART = 'manifest.json';
export const tablePartName = (table: string): string => `tables/${table}.copy`;
export const filePartName = (name: string): string => `files/${name}`;
