import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printedValue, type ServerProcess, startServer } from '../support/server-process.ts';

/** What the README tells a newcomer to type, typed: every command has to succeed, one after the other. */
let folder: string;
let server: ServerProcess;
let preamble: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-readme-'));
  chmodSync(folder, 0o755);
  server = startServer({ DATA_DIR: path.join(folder, 'data'), PORT: '0', LOG_LEVEL: 'warn' });
  await server.started();
  const address = printedValue(server.printed(), 'Canvass listens on');
  preamble = blockWith('export KEY=')
    .replace(/KEY=\S+/, `KEY=${printedValue(server.printed(), 'API key')}`)
    .replace(/API=\S+/, `API=${address}/api`);
});

afterAll(async () => {
  if (server.process.exitCode === null) server.process.kill('SIGTERM');
  await server.ended();
  rmSync(folder, { recursive: true, force: true });
});

/** The README's block of commands in which these words are. */
function blockWith(words: string): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!);
  const [found, another] = blocks.filter((block) => block.includes(words));
  if (found === undefined || another !== undefined)
    throw new Error(`not one block of commands with ${words}`);
  return found;
}

function type(commands: string): string {
  const script = `set -euo pipefail\n${preamble}\n${commands}`;
  return execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

test('a newcomer looks at the demo', () => {
  const printed = type(blockWith('$API/responses/1/stats'));
  expect(printed).toContain('"complete":2800');
  expect(printed).toMatch(/"mean":28\.78/);
});

test('a newcomer makes a survey of their own, answers it and fills it with test responses', () => {
  const printed = type(blockWith('"survey_name":"Coffee"'));
  expect(printed).toContain('"response_status":"complete"');
  expect(printed).toContain('"created":200');
});

test('a researcher spends a day with the data', () => {
  const printed = type(blockWith('/weighting/create'));
  expect(printed).toMatch(/"statistic":21\.67177/);
  expect(printed).toContain('"converged":true');
  expect(printed).toContain('"status_url":');
  expect(readFileSync(path.join(folder, 'big-five.sav')).toString('latin1', 0, 4)).toBe('$FL2');
});
