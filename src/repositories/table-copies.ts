import type { Readable, Writable } from 'node:stream';
import type { ClientBase } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Database } from '../db/connect.ts';
import { openServerSnapshots } from '../db/distribution/citus.ts';
import { liftTimeLimits } from '../db/pg-pool.ts';
import { queryRows } from '../db/rows.ts';
import { requireRow } from '../lib/require-value.ts';

/** A table and its columns, without generated ones. */
export interface StoredTable {
  table: string;
  columns: string[];
}

export interface SequenceState {
  sequence: string;
  /** The last value; null: the sequence is unused. */
  last: number | null;
}

/** Key of the advisory lock of backups in all processes. Any constant that no other advisory lock uses. */
const BACKUP_LOCK = 7_222_002;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const columnList = ({ columns }: StoredTable): string => columns.map(quoted).join(', ');

/** Copies whole tables in the text format of COPY. Runs in one transaction, so that everything it reads belongs to one snapshot. */
export class TableCopyRepository {
  constructor(private readonly db: Database) {}

  /** Prepares the transaction for copying everything, which takes longer the more data there is. */
  async prepare(): Promise<void> {
    await liftTimeLimits(this.db);
    await openServerSnapshots(this.db);
  }

  /** Locks backups until the transaction ends. Returns false if another transaction holds the lock. */
  async tryLock(): Promise<boolean> {
    // Raw SQL: an advisory lock.
    const row = requireRow(
      await queryRows<{ locked: boolean }>(
        this.db,
        `SELECT pg_try_advisory_xact_lock(${BACKUP_LOCK}) AS locked`,
      ),
      'advisory lock',
    );
    return row.locked;
  }

  /**
   * In the order of their names. Excludes the tables of migrations, and what is valid on one server only: transaction ids, ids of tables,
   * and the tables derived from them.
   */
  listTables(): Promise<StoredTable[]> {
    // Raw SQL: reads the catalogue of PostgreSQL.
    return queryRows(
      this.db,
      `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
         AND a.atttypid NOT IN ('xid8'::regtype, 'oid'::regtype)
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT LIKE 'knex\\_%'
         AND c.relname NOT IN ('survey_segments', 'response_segments')
       GROUP BY c.relname ORDER BY c.relname`,
    );
  }

  listSequences(): Promise<SequenceState[]> {
    // Raw SQL: reads the catalogue of PostgreSQL.
    return queryRows(
      this.db,
      `SELECT sequencename AS sequence, last_value AS last FROM pg_sequences
       WHERE schemaname = 'public' AND sequencename NOT LIKE 'knex\\_%' ORDER BY 1`,
    );
  }

  /** Returns false also if the database has no schema yet. */
  async hasOrganization(): Promise<boolean> {
    // Raw SQL: reads the catalogue of PostgreSQL.
    const table = requireRow(
      await queryRows<{ exists: boolean }>(
        this.db,
        `SELECT to_regclass('public.organizations') IS NOT NULL AS exists`,
      ),
      'organizations',
    );
    if (!table.exists) return false;
    return (await this.db('organizations').first('organization_id')) !== undefined;
  }

  /** The names of the applied migrations, in their order. */
  async listMigrations(): Promise<string[]> {
    const rows = await this.db<{ id: number; name: string }>('knex_migrations').select('name').orderBy('id');
    return rows.map(({ name }) => name);
  }

  /** The names under which the file store knows the stored files of responses, surveys and jobs, sorted. */
  async listStoredFiles(): Promise<string[]> {
    const ofResponses = await this.db('response_files').pluck('stored_name');
    // A backup of an earlier version is checked in the schema of that version, which may be without the table.
    const hasMedia = await this.db.schema.hasTable('survey_media');
    const ofSurveys = hasMedia
      ? await this.db('survey_media').whereNotNull('size_bytes').pluck('stored_name')
      : [];
    const ofJobs = await this.db('job_files').whereNotNull('stored_at').pluck('stored_name');
    return [...new Set([...ofResponses, ...ofSurveys, ...ofJobs])].sort();
  }

  /** Streams the rows of a table as text, one line each, with those of all partitions. */
  async copyOut(table: StoredTable): Promise<Readable> {
    const connection = await this.connection();
    // Raw SQL: COPY.
    const rows = connection.query(
      copyTo(`COPY (SELECT ${columnList(table)} FROM ${quoted(table.table)}) TO STDOUT`),
    );
    // A reader gets the error. Without one, after it stopped early, the end of the connection would end the process.
    rows.on('error', () => undefined);
    return rows;
  }

  /** Returns a stream that inserts the rows written to it, in the format of `copyOut`. */
  async copyIn(table: StoredTable): Promise<Writable> {
    const connection = await this.connection();
    // Raw SQL: COPY.
    return connection.query(copyFrom(`COPY ${quoted(table.table)} (${columnList(table)}) FROM STDIN`));
  }

  async countRows({ table }: StoredTable): Promise<number> {
    // Raw SQL: the table is named at run time.
    const row = requireRow(
      await queryRows<{ count: number }>(this.db, `SELECT count(*)::bigint AS count FROM ${quoted(table)}`),
      'stored table',
    );
    return row.count;
  }

  /**
   * Empties all tables, lets `work` fill them without triggers and foreign keys, and checks every foreign key and every deferred
   * constraint afterwards.
   */
  async refill(tables: readonly StoredTable[], work: () => Promise<void>): Promise<void> {
    // Raw SQL: reads the catalogue of PostgreSQL.
    const references = await queryRows<{ table: string; name: string; definition: string }>(
      this.db,
      `SELECT r.relname AS table, c.conname AS name, pg_get_constraintdef(c.oid) AS definition
       FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
       WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND c.conparentid = 0 ORDER BY 1, 2`,
    );
    for (const { table, name } of references)
      // Raw SQL: changes the schema.
      await this.db.raw(`ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(name)}`);
    const names = tables.map(({ table }) => quoted(table));
    // Raw SQL: truncates all tables in one statement, since they refer to each other.
    await this.db.raw(`TRUNCATE ${names.join(', ')}`);
    for (const name of names)
      // Raw SQL: changes the schema.
      await this.db.raw(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    await work();
    for (const name of names)
      // Raw SQL: changes the schema.
      await this.db.raw(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    for (const { table, name, definition } of references)
      // Raw SQL: changes the schema.
      await this.db.raw(
        `ALTER TABLE ${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${definition.replaceAll('?', '\\?')}`,
      );
    // Runs pending checks now, since a migration in the same transaction cannot alter a table with pending checks.
    // Raw SQL: a setting of the transaction.
    await this.db.raw('SET CONSTRAINTS ALL IMMEDIATE');
    // Raw SQL: a setting of the transaction.
    await this.db.raw('SET CONSTRAINTS ALL DEFERRED');
  }

  async setSequences(states: readonly SequenceState[]): Promise<void> {
    for (const { sequence, last } of states)
      // Raw SQL: sets a sequence.
      await queryRows(this.db, 'SELECT setval(?::regclass, coalesce(?::bigint, 1), ?::bigint IS NOT NULL)', [
        `public.${quoted(sequence)}`,
        last,
        last,
      ]);
  }

  /** The connection of the transaction: Knex cannot stream COPY. */
  private connection(): Promise<ClientBase> {
    return (this.db.client as { acquireConnection(): Promise<ClientBase> }).acquireConnection();
  }
}
