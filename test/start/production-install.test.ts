import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  printedValue,
  PROJECT,
  type ServerProcess,
  START_TIMEOUT_MS,
  startServer,
} from '../support/server-process.ts';
import { useDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** `dist/` with the packages that its package.json lists, as the last stage of the Dockerfile has it, in an empty folder. */
const INSTALL_WITHIN_MS = 300_000;
const MAX_MEGABYTES = 300;
const PASSWORD = 'a supplied password';
const API_KEY = `cvs_${'k'.repeat(48)}`;
const database = useDatabase();
const project = fileURLToPath(PROJECT);
const { folder, remove } = temporaryFolder('production');
let server: ServerProcess | undefined;

beforeAll(async () => {
  cpSync(path.join(project, 'dist'), path.join(folder, 'dist'), { recursive: true });
  const words = ['ci', '--no-audit', '--no-fund', '--prefer-offline'];
  const install = spawnSync('npm', words, {
    cwd: path.join(folder, 'dist'),
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
    ['dist/main.js'],
    folder,
  );
  expect(await server.started(), server.logged()).toBeNull();
}, INSTALL_WITHIN_MS + START_TIMEOUT_MS);

afterAll(async () => {
  server?.process.kill('SIGTERM');
  await server?.ended();
  remove();
});

const address = () => printedValue(server!.printed(), 'Canvass listens on');

describe('an installation without development packages', () => {
  it('contains no bundler, no transpiler and no package that is built into it', () => {
    const absent = ['tsx', 'esbuild', 'vite', 'rollup', 'typescript', 'echarts', 'openai', '@aws-sdk'];
    expect(absent.filter((name) => existsSync(path.join(folder, 'dist/node_modules', name)))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(`takes less than ${MAX_MEGABYTES} MB`, () => {
    const used = execFileSync('du', ['-sm', folder], { encoding: 'utf8' });
    expect(Number.parseInt(used)).toBeLessThan(MAX_MEGABYTES);
  });

  it('answers requests of the API', async () => {
    expect((await fetch(`${address()}/api/health`)).status).toBe(200);
    const surveys = await fetch(`${address()}/api/surveys`, { headers: { 'X-API-Key': API_KEY } });
    expect(surveys.status).toBe(200);
  });

  it.each([
    ['/', 200],
    ['/settings', 200],
    ['/dashboards', 200],
    ['/dashboards/1', 401],
    ['/s/no-such-link', 404],
  ])('serves %s with every file that it references', async (page, status) => {
    const reply = await fetch(address() + page);
    expect(reply.status).toBe(status);
    const text = await reply.text();
    const files = [...text.matchAll(/(?:src|href)="([^":]+\.(?:js|css))"/g)].map(([, file]) => file!);
    expect(files).not.toEqual([]);
    for (const file of files) {
      const asset = await fetch(new URL(file, address() + page));
      expect(asset.status, file).toBe(200);
      expect(asset.headers.get('content-type')).toMatch(file.endsWith('.css') ? /^text\/css/ : /javascript/);
    }
  });

  it.each(['/help', '/api/docs/', '/api/docs/surveys'])(
    'serves %s, which references no files',
    async (page) => {
      const reply = await fetch(address() + page);
      expect(reply.status).toBe(200);
      expect(await reply.text()).toMatch(/<style>[^<]+--accent/);
    },
  );

  it('prints no provided credential', () => {
    const output = server!.printed() + server!.logged();
    expect(output).toContain('as set in ADMIN_PASSWORD');
    expect(output).not.toContain(PASSWORD);
    expect(output).not.toContain(API_KEY);
  });
});

it('the Dockerfile image has the same contents and runs the built server', () => {
  const dockerfile = readFileSync(path.join(project, 'Dockerfile'), 'utf8');
  const beforeInstall = dockerfile.slice(0, dockerfile.indexOf('RUN npm ci'));
  for (const file of ['package.json', 'package-lock.json', 'scripts/build.mjs'])
    expect(beforeInstall).toContain(file);
  expect(dockerfile).toContain('cd dist && npm ci');
  expect(dockerfile).toContain('COPY --from=build /app/dist dist');
  expect(dockerfile).toContain('CMD ["node", "dist/main.js"]');
});
