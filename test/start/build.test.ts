import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { START_TIMEOUT_MS } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A copy of what the build reads, with the packages of the project. */
const COPIED = [
  'dist',
  'docs',
  'migrations',
  'package.json',
  'package-lock.json',
  'scripts',
  'seeds',
  'src',
  'tsconfig.json',
  'vite.config.ts',
];
const database = useDatabase();
const project = fileURLToPath(new URL('../../', import.meta.url));
const { folder, remove } = temporaryFolder('build');
const packages = path.join(folder, 'node_modules');

const run = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
};
const changeSource = (file: string) => appendFileSync(path.join(folder, file), '\n// changed\n');
const linkPackages = () => symlinkSync(path.join(project, 'node_modules'), packages, 'junction');

beforeAll(() => {
  for (const name of COPIED) cpSync(path.join(project, name), path.join(folder, name), { recursive: true });
  linkPackages();
});
afterAll(remove);

describe('npm start', { timeout: 2 * START_TIMEOUT_MS }, () => {
  it('skips the build while dist/ is up to date, also in a copy with new timestamps', () => {
    expect(run('--stale')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.skipIf(process.platform === 'win32')('rebuilds the server when a source has changed', async () => {
    changeSource('src/main.ts');
    const child = spawn('npm', ['start'], {
      cwd: folder,
      // The group ends together: npm, its shell and the server.
      detached: true,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATABASE_URL: database.url,
        DATA_DIR: path.join(folder, '.data'),
        PORT: '0',
        SEED_DEMO: 'false',
        BCRYPT_COST: '4',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit');
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const listens = new Promise<boolean>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('listens on')) resolve(true);
      });
    });
    expect(await Promise.race([listens, ended.then(() => false)]), output).toBe(true);
    expect(output).toContain('Built the server in');
    process.kill(-child.pid!, 'SIGTERM');
    await ended;
  });
});

describe('the build', { timeout: START_TIMEOUT_MS }, () => {
  it('rebuilds the pages when shared server code has changed', () => {
    changeSource('src/domain/survey/validate-answers.ts');
    const { status, stdout } = run('--stale');
    expect(status).toBe(0);
    expect(stdout).toContain('Built the server and the pages in');
    expect(run('--stale').stdout).toBe('');
  });

  it('keeps dist/ when a source cannot be compiled', () => {
    appendFileSync(path.join(folder, 'src/main.ts'), '\nnot TypeScript\n');
    expect(run('--stale').status).toBe(1);
    expect(existsSync(path.join(folder, 'dist/main.js'))).toBe(true);
  });

  it('is skipped by npm ci without development packages, and npm start explains what to do', () => {
    rmSync(packages);
    mkdirSync(packages);
    expect(run('--prepare')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(run('--stale')).toMatchObject({ status: 1, stderr: expect.stringContaining('Run "npm ci"') });
    rmSync(path.join(folder, 'dist'), { recursive: true });
    expect(run('--prepare')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('dist/ is not built'),
    });
    expect(run('--stale')).toMatchObject({ status: 1, stderr: expect.stringContaining('dist/ is missing') });
    rmSync(packages, { recursive: true });
    linkPackages();
  });
});
