import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtProgramArgs } from '../support/built-program.ts';
import {
  printedValue,
  type ServerProcess,
  START_TIMEOUT_MS,
  startServer,
} from '../support/server-process.ts';

/** The first command of the README, as a newcomer and as an unlucky one meets it. */
let dataDir: string;
const running: ServerProcess[] = [];

/** The very first start of the installation, and what it printed. */
let firstStart: ServerProcess;
let apiKey: string;
let surveyId: number;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'canvass-start-'));
  chmodSync(dataDir, 0o755);
  firstStart = await start();
  apiKey = printedValue(firstStart.printed(), 'API key');
  const surveys = (await (await asAdministrator(firstStart, '/api/surveys')).json()) as {
    data: { survey_id: number; response_count: number }[];
  };
  surveyId = surveys.data.find(({ response_count: count }) => count === 2800)!.survey_id;
}, 2 * START_TIMEOUT_MS);

async function stopAll(): Promise<void> {
  for (const server of running.splice(0)) {
    if (server.process.exitCode === null) server.process.kill('SIGTERM');
    await server.ended();
  }
}

afterAll(async () => {
  await stopAll();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts a server and waits; the one before is stopped, but for a start beside it. */
async function start(
  environment: Record<string, string> = {},
  { beside = false } = {},
): Promise<ServerProcess> {
  if (!beside) await stopAll();
  const server = startServer({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...environment });
  running.push(server);
  await server.started();
  return server;
}

/** A start costs seconds: tests that are not about one take the server that runs. */
async function runningServer(): Promise<ServerProcess> {
  const alive = running.findLast(({ process }) => process.exitCode === null && process.signalCode === null);
  return alive ?? start();
}

/** One that was not the very first. */
async function laterServer(): Promise<ServerProcess> {
  const server = await runningServer();
  return server === firstStart ? start() : server;
}

/** From the database server's own lock file; null while there is none. */
function postmasterPid(): number | null {
  const file = path.join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null;
}

const baseUrl = (server: ServerProcess) => printedValue(server.printed(), 'Canvass listens on');

function asAdministrator(server: ServerProcess, path: string, body?: object): Promise<Response> {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  return fetch(baseUrl(server) + path, request);
}

describe('a start without configuration', { timeout: 2 * START_TIMEOUT_MS }, () => {
  test('prints working addresses of the app, API documentation and demo, and the first administrator', async () => {
    const server = firstStart;
    const printed = server.printed();
    expect(apiKey).toMatch(/^cvs_[A-Za-z0-9]{48}$/);
    expect((await fetch(printedValue(printed, 'API documentation'))).status).toBe(200);
    expect((await fetch(printedValue(printed, 'Demo survey'))).status).toBe(200);
    const dashboard = await (await fetch(printedValue(printed, 'Demo dashboard'))).text();
    expect(dashboard).toContain('How people see themselves');
    expect(dashboard).toContain('n = 2,800');
    expect(dashboard).not.toMatch(/cannot be shown|No answers yet/);
    const login = await fetch(`${baseUrl(server)}/api/auth`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        action: 'login',
        email: printedValue(printed, 'Email'),
        password: printedValue(printed, 'Password'),
      }),
    });
    expect(login.status).toBe(200);
    const signInToken = /#sign-in=([A-Za-z0-9_-]{43})$/m.exec(printed)![1];
    const byLink = await fetch(`${baseUrl(server)}/api/auth`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ action: 'login_with_link', sign_in_token: signInToken }),
    });
    expect(byLink.status).toBe(200);
    const surveys = (await (await asAdministrator(server, '/api/surveys')).json()) as { data: object[] };
    expect(surveys.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ response_count: 2800 }),
        expect.objectContaining({ response_count: 320 }),
      ]),
    );
    expect(server.logged()).not.toContain(apiKey);
  });

  test('rejects a DATA_DIR in use and names the process', async () => {
    const first = await runningServer();
    const second = await start({}, { beside: true });
    expect(await second.started()).toBe(1);
    expect(second.logged()).toContain(`in use by process ${first.process.pid}`);
    expect((await fetch(`${baseUrl(first)}/api/health`)).status).toBe(200);
  });

  test('lists every invalid setting', async () => {
    const server = await start(
      { PORT: 'http', JWT_SECRET: 'changeme-changeme-changeme-changeme' },
      { beside: true },
    );
    expect(await server.started()).toBe(1);
    expect(server.logged()).toMatch(/PORT must be a whole number/);
    expect(server.logged()).toMatch(/JWT_SECRET is a placeholder/);
  });

  test('creates an administrator and a key with the command line while the server runs', async () => {
    const server = await runningServer();
    const cli = async (program: string[], ...words: string[]) => {
      const env = { PATH: process.env.PATH, DATA_DIR: dataDir, BCRYPT_COST: '4' };
      return (await promisify(execFile)(process.execPath, [...program, ...words], { env })).stdout;
    };
    const second = ['create-admin', '--email', 'second@example.org', '--name', 'Second'];
    const wrong = cli(builtProgramArgs('cli'), 'create-admin', '--email', 'root@localhost', '--name', 'Root');
    const [output] = await Promise.all([
      cli(builtProgramArgs('cli'), ...second),
      expect(wrong).rejects.toThrow('--email "root@localhost" must be an email address'),
    ]);
    expect(output).toContain('created');
    const printed = await cli(
      builtProgramArgs('cli'),
      'create-key',
      '--email',
      'second@example.org',
      '--name',
      'CI',
    );
    const key = /cvs_[A-Za-z0-9]{48}/.exec(printed)![0];
    const reply = await fetch(`${baseUrl(server)}/api/workspaces`, { headers: { 'X-API-Key': key } });
    expect(reply.status).toBe(200);
  });

  test('survives its database server: 503 while it is down, and service again without a restart', async () => {
    const server = await runningServer();
    const health = async () => (await fetch(`${baseUrl(server)}/api/health`)).status;
    expect(await health()).toBe(200);
    const killed = postmasterPid()!;
    process.kill(killed, 'SIGKILL');
    const statuses: number[] = [];
    const deadline = Date.now() + 20_000;
    do {
      await sleep(50);
      statuses.push(await health());
    } while ((statuses.at(-1) !== 200 || [killed, null].includes(postmasterPid())) && Date.now() < deadline);
    expect(statuses.at(-1)).toBe(200);
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    const stats = await asAdministrator(server, `/api/responses/${surveyId}/stats`);
    expect(stats.status).toBe(200);
    expect(server.process.exitCode).toBeNull();
  });

  test('recovers all data after kill -9 and stops the orphaned database server', async () => {
    const killed = await runningServer();
    const link = printedValue(killed.printed(), 'Demo survey').replace('/s/', '/api/public/s/');
    const submitted = await fetch(`${link}/responses`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ submission_id: 'before-the-kill', answers: { A1: 3 } }),
    });
    expect(submitted.status).toBe(201);
    killed.process.kill('SIGKILL');
    await killed.ended();

    const next = await start();
    expect(await next.started()).toBeNull();
    expect(next.printed()).toContain('left over from a killed process');
    const reply = await asAdministrator(next, `/api/responses/${surveyId}/stats`);
    const stats = (await reply.json()) as { data: { total: number } };
    expect(stats.data.total).toBeGreaterThan(2800);
  });

  test('shows the secrets only once', async () => {
    const server = await laterServer();
    expect(server.printed()).toContain('Demo survey');
    expect(server.printed()).not.toContain('Password');
    expect(server.printed()).not.toContain('cvs_');
    expect(server.printed()).not.toContain('#sign-in');
  });

  test('fails on a port in use with its number, and leaves no database server behind', async () => {
    const occupied = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => occupied.once('listening', resolve));
    const { port } = occupied.address() as AddressInfo;
    // A first start that fails would lose the secrets that are shown only once.
    const emptyDataDir = path.join(dataDir, 'first');
    for (const environment of [{}, { DATA_DIR: emptyDataDir }]) {
      const server = await start({ PORT: String(port), ...environment });
      expect(await server.started()).toBe(1);
      expect(server.logged()).toContain(`Port ${port} on 127.0.0.1 is in use by another program`);
    }
    expect(existsSync(emptyDataDir)).toBe(false);
    occupied.close();
    const next = await start();
    expect(await next.started()).toBeNull();
    expect(next.printed()).not.toContain('left over');
  });

  test('logs no error when stopped immediately after the start', async () => {
    const server = await start();
    expect(await server.started()).toBeNull();
    server.process.kill('SIGTERM');
    expect(await server.ended()).toBe(0);
    expect(server.printed() + server.logged()).not.toMatch(/"level":"(error|fatal)"/);
  });

  test('stops gracefully with exit code 0 after finishing a running request', async () => {
    const server = await runningServer();
    const reply = await asAdministrator(server, `/api/responses/${surveyId}/export`, {});
    server.process.kill('SIGTERM');
    const lines = (await reply.text()).trimEnd().split('\r\n');
    expect(lines.length).toBeGreaterThan(2800);
    expect(await server.ended()).toBe(0);
  });
});
