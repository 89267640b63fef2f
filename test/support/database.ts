import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { connect, type Database } from '../../src/db/connect.ts';

/** A migrated, empty database of the test file's own. */
export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
}

const POOL_SIZE = 8;

/** Call at the top of a test file: the database is there before its first test and gone after its last. */
export function useDatabase(): TestDatabase {
  let open: { url: string; db: Database } | null = null;
  const opened = () => {
    if (open === null) throw new Error('The database is there only while tests run');
    return open;
  };

  beforeAll(async () => {
    const template = new URL(inject('templateUrl'));
    const name = `test_${randomBytes(6).toString('hex')}`;
    // By copying its files: through the log, block by block, takes twice the time.
    await admin(
      template,
      `CREATE DATABASE ${name} TEMPLATE ${template.pathname.slice(1)} STRATEGY FILE_COPY`,
    );
    const url = new URL(template);
    url.pathname = `/${name}`;
    open = { url: url.href, db: connect(url.href, POOL_SIZE) };
  });

  afterAll(async () => {
    if (open === null) return;
    await open.db.destroy();
    await admin(
      new URL(inject('templateUrl')),
      `DROP DATABASE ${new URL(open.url).pathname.slice(1)} WITH (FORCE)`,
    );
  });

  return {
    get url() {
      return opened().url;
    },
    get db() {
      return opened().db;
    },
  };
}

/** Somebody is connected; or it is the server's own vacuuming, which nobody may end. Both pass. */
const BUSY = new Set(['55006', '42501']);

/** The template itself must have no connections while it is cloned. */
async function admin(template: URL, statement: string): Promise<void> {
  const url = new URL(template);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query(statement);
        return;
      } catch (error) {
        const busy = BUSY.has((error as { code?: string }).code ?? '');
        if (!busy || attempt === 20) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  } finally {
    await client.end();
  }
}
