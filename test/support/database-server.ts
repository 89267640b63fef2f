import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { connect } from '../../src/db/connect.ts';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { migrate } from '../../src/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's address with the template database that every test file's own database is cloned from. */
    templateUrl: string;
  }
}

/** One real PostgreSQL for the whole run, gone afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-test-'));
  // As root the database runs under another account; a folder it may not enter would send its files elsewhere.
  chmodSync(folder, 0o755);
  const server = await startEmbedded({ dataDir: folder, database: 'canvass_template', durable: false });
  const db = connect(server.url, 3);
  await migrate(db);
  await db.destroy();
  project.provide('templateUrl', server.url);
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
