import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  asTyped,
  printedValue,
  PROJECT,
  type ServerProcess,
  START_WITHIN_MS,
  startServer,
} from '../support/server-process.ts';
import { useDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The steps of the Dockerfile in an empty folder: production packages only, and what the image copies. */
const INSTALL_WITHIN_MS = 300_000;
const PASSWORD = 'a supplied password';
const API_KEY = `cvs_${'k'.repeat(48)}`;

const database = useDatabase();
const project = fileURLToPath(PROJECT);
const dockerfile = readFileSync(path.join(project, 'Dockerfile'), 'utf8');
const { folder, remove } = temporaryFolder('production');
let server: ServerProcess | undefined;

/** What the Dockerfile copies from the project, apart from the installed packages. */
function copiedPaths(): string[] {
  const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
  return [...new Set(copies.flatMap(([, sources]) => sources!.split(' ')))];
}

beforeAll(async () => {
  for (const copied of copiedPaths())
    cpSync(path.join(project, copied), path.join(folder, copied), { recursive: true });
  const words = ['ci', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline'];
  const install = spawnSync('npm', words, {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_WITHIN_MS,
    shell: process.platform === 'win32',
  });
  expect(install.status, `npm ${words.join(' ')}: ${install.stderr}`).toBe(0);
  server = startServer(
    {
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      DATA_DIR: path.join(folder, '.data'),
      PORT: '0',
      SEED_DEMO: 'false',
      ADMIN_PASSWORD: PASSWORD,
      ADMIN_API_KEY: API_KEY,
    },
    asTyped('main'),
    folder,
  );
  expect(await server.started(), server.logged()).toBeNull();
}, INSTALL_WITHIN_MS + START_WITHIN_MS);

afterAll(async () => {
  server?.process.kill('SIGTERM');
  await server?.ended();
  remove();
});

const address = () => printedValue(server!.printed(), 'Canvass listens on');

it('starts and answers without development packages', async () => {
  expect((await fetch(`${address()}/api/health`)).status).toBe(200);
  const surveys = await fetch(`${address()}/api/surveys`, { headers: { 'X-API-Key': API_KEY } });
  expect(surveys.status).toBe(200);
});

it('prints no supplied credential', () => {
  const output = server!.printed() + server!.logged();
  expect(output).toContain('as set in ADMIN_PASSWORD');
  expect(output).not.toContain(PASSWORD);
  expect(output).not.toContain(API_KEY);
});
