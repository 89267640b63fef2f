import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiProcess } from '../support/api-process.ts';
import type { Scenario } from '../support/scenario.ts';
import { waitUntilServing } from '../support/wait-until-serving.ts';
import type { TestBed } from '../support/test-bed.ts';

const LIMIT = 256;
const CONNECTIONS = 600;
const LOGGED_WITHIN_MS = 10_000;

/** More connections than the process may have files open. */
export const fileDescriptors: Scenario = {
  name: 'file-descriptors',
  promise: 'Exhausted file descriptors are logged, and service returns',
  async run(testBed: TestBed) {
    const api = await testBed.api({ LOG_LEVEL: 'info' }, `-n ${LIMIT}`);
    const sockets: Socket[] = [];
    testBed.atEnd(() => Promise.resolve(sockets.forEach((socket) => socket.destroy())));
    for (let count = 0; count < CONNECTIONS; count += 1)
      sockets.push(connectSocket(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined));
    const breaks: string[] = [];
    if (!(await logs(api, 'no file descriptor is free')))
      breaks.push(`nothing in the log ${LOGGED_WITHIN_MS} ms after ${CONNECTIONS} connections`);
    const lines = api.logged().split('\n').length;
    await sleep(2_000);
    const more = api.logged().split('\n').length - lines;
    if (more > 10) breaks.push(`${more} more lines in the log within 2 s`);
    for (const socket of sockets) socket.destroy();
    if (!(await logs(api, 'file descriptors are free again'))) breaks.push('the end of it is not in the log');
    await waitUntilServing(api, LOGGED_WITHIN_MS).catch((error: unknown) => breaks.push(String(error)));
    return {
      done: `${CONNECTIONS} connections to a process that may have ${LIMIT} files open`,
      checked:
        'one line in the log when none is left and one when there are again; requests are served afterwards',
      breaks,
    };
  },
};

async function logs(api: ApiProcess, text: string): Promise<boolean> {
  const deadline = performance.now() + LOGGED_WITHIN_MS;
  while (!api.logged().includes(text)) {
    if (performance.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}
