import { existsSync } from 'node:fs';
import path from 'node:path';
import { bigFiveResponses, bigFiveSurvey } from '../seeds/demo/big-five.ts';
import { type Child, startChild } from './support/child.ts';
import type { Figure } from './support/figure.ts';
import { runLoad } from './support/load.ts';
import { requestsFigure } from './support/requests-figure.ts';
import { SkippedBenchmarkError } from './support/skipped-benchmark.ts';
import { interleaved } from './support/rounds.ts';
import { publishSurvey } from '../test/support/served-surveys.ts';
import type { TestBed } from './support/test-bed.ts';

const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP_SECONDS = 10;
const DATABASE = 'directus';

/** The same responses stored by Canvass and, as items of a collection without checks, by Directus on the same PostgreSQL. */
export async function directus(testBed: TestBed): Promise<Figure[]> {
  const folder = process.env.DIRECTUS_FOLDER;
  if (folder === undefined || !existsSync(path.join(folder, 'node_modules/directus/cli.js')))
    throw new SkippedBenchmarkError('Directus is not installed, or DIRECTUS_FOLDER does not name its folder');
  const api = await testBed.api();
  const { linkToken } = await publishSurvey(testBed, api, bigFiveSurvey());
  const { answers } = bigFiveResponses().find((response) => !Object.values(response.answers).includes(null))!;
  const body = JSON.stringify({ submission_id: '[<id>]', answers });
  const peer = await startDirectus(testBed, path.resolve(folder));
  try {
    const post = (server: Child, to: string, seconds: number) =>
      runLoad({ server, path: to, method: 'POST', body, seconds });
    const own = `/api/public/s/${linkToken}/responses`;
    await post(api, own, WARM_UP_SECONDS);
    await post(peer, '/items/responses', WARM_UP_SECONDS);
    const { ours, theirs } = await interleaved(ROUNDS, {
      ours: () => post(api, own, SECONDS),
      theirs: () => post(peer, '/items/responses', SECONDS),
    });
    return [
      requestsFigure('Accepted responses', ours, 'Directus, creating items without checks', theirs, {
        atLeast: 15,
      }),
    ];
  } finally {
    await peer.end();
  }
}

async function startDirectus({ db, databaseUrl }: TestBed, folder: string): Promise<Child> {
  await db.raw(`CREATE DATABASE ${DATABASE}`);
  const server = new URL(databaseUrl);
  return startChild('directus-server.ts', {
    NODE_ENV: 'production',
    DIRECTUS_FOLDER: folder,
    KEY: 'bench',
    SECRET: 'bench',
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: 'bench-only',
    DB_CLIENT: 'pg',
    DB_HOST: server.hostname,
    DB_PORT: server.port,
    DB_USER: decodeURIComponent(server.username),
    DB_PASSWORD: decodeURIComponent(server.password),
    DB_DATABASE: DATABASE,
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
  });
}
