import { afterAll, beforeAll, inject } from 'vitest';
import { connectDatabase, type Database } from '../../src/db/connect.ts';
import { type ClonedDatabase, cloneDatabase } from './cloned-database.ts';
import { takeRuleViolations } from './fan-out/watch-statements.ts';

/** A migrated, empty database of the test file's own. */
export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
}

const POOL_SIZE = 8;

/** Call at the top of a test file: creates the database before the first test and drops it after the last. */
export function useDatabase(): TestDatabase {
  let open: { cloned: ClonedDatabase; db: Database } | null = null;
  const opened = () => {
    if (open === null) throw new Error('The database is there only while tests run');
    return open;
  };

  beforeAll(async () => {
    const cloned = await cloneDatabase(inject('templateUrl'), 'test');
    open = { cloned, db: connectDatabase(cloned.url, POOL_SIZE) };
  });

  afterAll(async () => {
    if (open === null) return;
    await open.db.destroy();
    await open.cloned.drop();
    const violations = takeRuleViolations();
    if (violations.length > 0)
      throw new Error(
        `These cannot run well where responses are distributed over servers by survey; change them, or say in test/support/fan-out why not:\n${violations.join('\n')}`,
      );
  });

  return {
    get url() {
      return opened().cloned.url;
    },
    get db() {
      return opened().db;
    },
  };
}
