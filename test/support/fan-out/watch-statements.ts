import type { Knex } from 'knex';
import type { Database } from '../../../src/db/connect.ts';
import { RESPONSE_TABLES } from '../../../src/db/distribution/response-tables.ts';
import { findRuleViolations, type RuleViolation } from './distribution-rules.ts';
import { isKnownViolation } from './known-violations.ts';

const DISTRIBUTED_TABLES: ReadonlySet<string> = new Set(RESPONSE_TABLES);
const RESPONSE_TABLE_PATTERN = new RegExp(`\\b(?:${RESPONSE_TABLES.join('|')})\\b`);

/** Statements of the application in this process, each once, with the violations that have no documented reason. */
const seen = new Map<string, RuleViolation[]>();

/** Receives each statement and its values. */
type Listener = (sql: string, bindings: unknown) => void;

function recordStatement(sql: string): void {
  if (seen.has(sql)) return;
  const violations = RESPONSE_TABLE_PATTERN.test(sql) ? findRuleViolations(sql, DISTRIBUTED_TABLES) : [];
  seen.set(
    sql,
    violations.filter(({ rule }) => !isKnownViolation(sql, rule)),
  );
}

/** A query or raw text of Knex: emits `query` with the text and values when it runs, and only then. */
type Statement = Knex.QueryBuilder | Knex.Raw;

const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'toSQL' in value && 'on' in value;

function watchStatement(statement: Statement, listener: Listener | undefined): void {
  statement.on('query', ({ sql, bindings }: { sql: string; bindings: unknown }) => {
    recordStatement(sql);
    listener?.(sql, bindings);
  });
  if (!('clone' in statement)) return;
  const clone = statement.clone.bind(statement);
  statement.clone = () => {
    const copy = clone();
    watchStatement(copy, listener);
    return copy;
  };
}

/** The same database. Records each statement that runs on it or in its transactions, and passes it to the listener. */
export function watchStatements(db: Database, listener?: Listener): Database {
  const watchResult = (result: unknown) => {
    if (isStatement(result)) watchStatement(result, listener);
    return result;
  };
  return new Proxy(db, {
    apply: (target, _self, args) =>
      watchResult(Reflect.apply(target as unknown as () => unknown, undefined, args)),
    get(target, name) {
      if (name === 'transaction')
        return (first?: unknown, settings?: Knex.TransactionConfig) =>
          typeof first === 'function'
            ? target.transaction(
                (trx) => (first as (trx: Database) => Promise<unknown>)(watchStatements(trx, listener)),
                settings,
              )
            : target
                .transaction(first as Knex.TransactionConfig)
                .then((trx) => watchStatements(trx, listener));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function'
        ? (...args: unknown[]) => watchResult(Reflect.apply(value, target, args))
        : value;
    },
  });
}

/** The statements that break a rule without a documented reason, each once, with the rules. */
export function takeRuleViolations(): string[] {
  const refused = [...seen].filter(([, violations]) => violations.length > 0);
  for (const [sql] of refused) seen.delete(sql);
  return refused.map(
    ([sql, violations]) =>
      `${violations.map(({ rule, detail }) => `${rule} (${detail})`).join('; ')}: ${sql}`,
  );
}
