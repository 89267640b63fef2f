import type { Readable, Writable } from 'node:stream';
import type { ClientBase } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Database } from '../db/connect.ts';
import { liftTimeLimits } from '../db/pg-pool.ts';
import { rowsOf } from '../db/rows.ts';

/** A table, with the columns whose values are stored as they were given. */
export interface StoredTable {
  table: string;
  columns: string[];
}

export interface SequenceState {
  sequence: string;
  /** The last number it gave; null: none yet. */
  last: number | null;
}

/** Of the same, whichever process makes it. Any constant will do, as long as nothing else in the database uses it. */
const BACKUP_LOCK = 7_222_002;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const columnList = ({ columns }: StoredTable): string => columns.map(quoted).join(', ');

/** Whole tables, in PostgreSQL's own text form of COPY. Bound to one transaction: everything it reads is of one moment. */
export class TableCopyRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Copies take as long as they take. */
  async lastLong(): Promise<void> {
    await liftTimeLimits(this.db);
  }

  /** False: somebody else holds it. It ends with the transaction. */
  async tryLock(): Promise<boolean> {
    const [row] = await rowsOf<{ locked: boolean }>(
      this.db,
      `SELECT pg_try_advisory_xact_lock(${BACKUP_LOCK}) AS locked`,
    );
    return row!.locked;
  }

  /**
   * In the order of their names, without the record of migrations; and without numbers of transactions, and
   * what is made from them, which are of one server alone.
   */
  tables(): Promise<StoredTable[]> {
    return rowsOf(
      this.db,
      `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
         AND a.atttypid <> 'xid8'::regtype
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT LIKE 'knex\\_%'
         AND c.relname NOT IN ('survey_segments', 'response_segments')
       GROUP BY c.relname ORDER BY c.relname`,
    );
  }

  sequences(): Promise<SequenceState[]> {
    return rowsOf(
      this.db,
      `SELECT sequencename AS sequence, last_value AS last FROM pg_sequences
       WHERE schemaname = 'public' AND sequencename NOT LIKE 'knex\\_%' ORDER BY 1`,
    );
  }

  /** False also where there is no schema yet. */
  async hasOrganization(): Promise<boolean> {
    const [table] = await rowsOf<{ exists: boolean }>(
      this.db,
      `SELECT to_regclass('public.organizations') IS NOT NULL AS exists`,
    );
    if (!table!.exists) return false;
    const [row] = await rowsOf<{ exists: boolean }>(
      this.db,
      'SELECT EXISTS (SELECT FROM organizations) AS exists',
    );
    return row!.exists;
  }

  /** Which migrations it has, in their order. */
  async migrations(): Promise<string[]> {
    const rows = await rowsOf<{ name: string }>(this.db, 'SELECT name FROM knex_migrations ORDER BY id');
    return rows.map(({ name }) => name);
  }

  /** The names under which rows know their files. */
  async storedFiles(): Promise<string[]> {
    const rows = await rowsOf<{ stored_name: string }>(
      this.db,
      `SELECT stored_name FROM response_files UNION SELECT stored_name FROM job_files WHERE stored_at IS NOT NULL ORDER BY 1`,
    );
    return rows.map(({ stored_name: name }) => name);
  }

  /** A table's rows as text, a line each; of one in partitions those of all of them. */
  async copyOut(table: StoredTable): Promise<Readable> {
    const connection = await this.connection();
    return connection.query(
      copyTo(`COPY (SELECT ${columnList(table)} FROM ${quoted(table.table)}) TO STDOUT`),
    );
  }

  /** Takes such rows; gives the stream to write them to. */
  async copyIn(table: StoredTable): Promise<Writable> {
    const connection = await this.connection();
    return connection.query(copyFrom(`COPY ${quoted(table.table)} (${columnList(table)}) FROM STDIN`));
  }

  async countOf({ table }: StoredTable): Promise<number> {
    const [row] = await rowsOf<{ count: number }>(
      this.db,
      `SELECT count(*)::bigint AS count FROM ${quoted(table)}`,
    );
    return row!.count;
  }

  /**
   * Empties all tables, fills them by `work` without anything that follows from rows (triggers, references), and checks every reference
   * and every deferred constraint afterwards.
   */
  async refill(tables: readonly StoredTable[], work: () => Promise<void>): Promise<void> {
    const references = await rowsOf<{ table: string; name: string; definition: string }>(
      this.db,
      `SELECT r.relname AS table, c.conname AS name, pg_get_constraintdef(c.oid) AS definition
       FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
       WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND c.conparentid = 0 ORDER BY 1, 2`,
    );
    for (const { table, name } of references)
      await this.db.raw(`ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(name)}`);
    const names = tables.map(({ table }) => quoted(table));
    await this.db.raw(`TRUNCATE ${names.join(', ')}`);
    for (const name of names) await this.db.raw(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    await work();
    for (const name of names) await this.db.raw(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    for (const { table, name, definition } of references)
      await this.db.raw(
        `ALTER TABLE ${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${definition.replaceAll('?', '\\?')}`,
      );
    // A table with checks that are still pending could not be altered by a migration of the same transaction.
    await this.db.raw('SET CONSTRAINTS ALL IMMEDIATE');
    await this.db.raw('SET CONSTRAINTS ALL DEFERRED');
  }

  async setSequences(states: readonly SequenceState[]): Promise<void> {
    for (const { sequence, last } of states)
      await rowsOf(this.db, 'SELECT setval(?::regclass, coalesce(?::bigint, 1), ?::bigint IS NOT NULL)', [
        `public.${quoted(sequence)}`,
        last,
        last,
      ]);
  }

  /** The transaction's own connection: COPY is no statement that knex knows. */
  private connection(): Promise<ClientBase> {
    return (this.db.client as { acquireConnection(): Promise<ClientBase> }).acquireConnection();
  }
}
