import type { Knex } from 'knex';
import type { Database } from '../../../src/db/connect.ts';
import { RESPONSE_TABLES } from '../../../src/db/distribution/response-tables.ts';
import { fanOut } from './fan-out.ts';
import { KNOWN_FAN_OUTS, type KnownFanOut } from './known-fan-outs.ts';

interface Seen {
  /** Tables that it asks in every partition. */
  tables: string[];
  known: KnownFanOut | null;
}

const SPREAD: ReadonlySet<string> = new Set(RESPONSE_TABLES);
const TOUCHES = new RegExp(`\\b(?:${RESPONSE_TABLES.join('|')})\\b`);

/** Statements of the application in this process that touch tables of responses, each once. */
const seen = new Map<string, Seen>();

/** Whoever wants to know what was said with which values. */
type Listener = (sql: string, bindings: unknown) => void;

function note(sql: string): void {
  if (seen.has(sql)) return;
  const tables = TOUCHES.test(sql) ? fanOut(sql, SPREAD) : [];
  const oneLine = sql.replace(/\s+/g, ' ');
  const known = KNOWN_FAN_OUTS.find(({ contains }) => oneLine.includes(contains)) ?? null;
  seen.set(sql, { tables, known });
}

/** The same database; what is said to it, in transactions too, is noted. */
export function watched(db: Database, listener?: Listener): Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'raw')
        return (sql: string, bindings?: unknown) => {
          note(sql);
          listener?.(sql, bindings);
          return target.raw(sql, bindings as Knex.RawBinding[]);
        };
      if (name === 'transaction')
        return (first?: unknown, settings?: Knex.TransactionConfig) =>
          typeof first === 'function'
            ? target.transaction(
                (trx) => (first as (trx: Database) => Promise<unknown>)(watched(trx, listener)),
                settings,
              )
            : target.transaction(first as Knex.TransactionConfig).then((trx) => watched(trx, listener));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Statements that ask everywhere though nothing says why they may; each is told once. */
export function unknownFanOuts(): string[] {
  const unknown = [...seen].filter(([, { tables, known }]) => tables.length > 0 && known === null);
  for (const [sql] of unknown) seen.delete(sql);
  return unknown.map(([sql, { tables }]) => `${tables.join(', ')}: ${sql}`);
}
