import type { Database } from '../../src/db/connect.ts';

/** A row that a committed transaction inserted, updated or deleted. */
export interface Change {
  table: string;
  operation: 'INSERT' | 'UPDATE' | 'DELETE';
  /** Of an update: those that differ. */
  columns: string[];
}

/**
 * Writes that a refused request may make, each with the reason.
 */
const BOOKKEEPING: readonly { because: string; isIt: (change: Change) => boolean }[] = [
  {
    because: 'when a credential was used last',
    isIt: ({ operation, columns }) =>
      operation === 'UPDATE' && columns.every((name) => name === 'last_used_at'),
  },
  {
    because: 'the first use of a key from a network is recorded',
    isIt: ({ table, operation }) => table === 'api_key_networks' && operation === 'INSERT',
  },
  {
    because: 'a wrong password is in the log of who did what',
    isIt: ({ table, operation }) => table === 'audit_log' && operation === 'INSERT',
  },
  {
    because: 'a key for repeated requests is taken before the work, and given back when it fails',
    isIt: ({ table }) => table === 'idempotency_keys',
  },
  {
    because:
      'credits are set aside before the work, and given back when it fails; test/api/billing looks at how many',
    isIt: ({ table }) => ['credit_accounts', 'credit_ledger', 'credit_reservations'].includes(table),
  },
  {
    because: 'work whose listener left is settled when it has stopped, which may be during the next request',
    isIt: ({ table, operation }) => table === 'credit_usage' && operation === 'INSERT',
  },
];

/** Records every changed row within the transaction that changes it, so that rolled-back changes are not recorded. */
export class WatchedChanges {
  private readonly db: Database;
  private last = 0;

  constructor(db: Database) {
    this.db = db;
  }

  async begin(): Promise<void> {
    await this.db.raw(`
      CREATE SCHEMA fuzz;
      CREATE TABLE fuzz.changes (change_id bigserial PRIMARY KEY, changed text, operation text, columns text[]);
      CREATE FUNCTION fuzz.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        INSERT INTO fuzz.changes (changed, operation, columns) VALUES (TG_TABLE_NAME, TG_OP,
          CASE WHEN TG_OP = 'UPDATE' THEN ARRAY(
            SELECT one.key FROM jsonb_each(to_jsonb(NEW)) one WHERE to_jsonb(OLD) -> one.key IS DISTINCT FROM one.value
          ) ELSE '{}' END);
        RETURN NULL;
      END $$;
      DO $$ DECLARE one record; BEGIN
        FOR one IN SELECT c.oid::regclass AS name FROM pg_class c
          WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        LOOP
          EXECUTE format('CREATE TRIGGER fuzz_note AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION fuzz.note()', one.name);
        END LOOP;
      END $$;`);
  }

  /** Returns the changes since the previous call. */
  async since(): Promise<Change[]> {
    const { rows } = await this.db.raw<{ rows: (Change & { last: number })[] }>(
      `SELECT changed AS table, operation, columns, max(change_id)::float8 AS last FROM fuzz.changes WHERE change_id > ? GROUP BY 1, 2, 3`,
      [this.last],
    );
    this.last = Math.max(this.last, ...rows.map(({ last }) => last));
    return rows.map(({ table, operation, columns }) => ({ table, operation, columns }));
  }
}

/** Describes changes that a refused request must not make. */
export function findForbiddenChanges(changes: readonly Change[]): string[] {
  return (
    changes
      // An update that left all as it was changed nothing.
      .filter(({ operation, columns }) => operation !== 'UPDATE' || columns.length > 0)
      .filter((change) => !BOOKKEEPING.some(({ isIt }) => isIt(change)))
      .map(
        ({ table, operation, columns }) =>
          `${operation} ${table}${columns.length > 0 ? ` (${columns.join(', ')})` : ''}`,
      )
  );
}
