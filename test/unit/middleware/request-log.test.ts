import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RequesterLabels, type RequesterMode } from '../../../src/lib/requester-labels.ts';
import { logRequests, RequestLog } from '../../../src/middleware/request-log.ts';

interface Reply {
  status?: number;
  ms?: number;
  path?: string;
  method?: string;
  locals?: Partial<Express.Locals>;
  isAborted?: boolean;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open(level = 'info', mode: RequesterMode = 'none') {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const requestLog = new RequestLog(
    pino({ level, base: null, timestamp: false }, { write }),
    new RequesterLabels(mode, 'a-secret-of-tests'),
    { now: () => new Date('2026-11-28T12:00:00Z') },
  );
  const observe = vi.fn();
  const middleware = logRequests(requestLog, { observe });
  const reply = ({
    status = 200,
    ms = 5,
    path = '/api/a',
    method = 'GET',
    locals,
    isAborted,
  }: Reply = {}) => {
    const response = Object.assign(new EventEmitter(), {
      statusCode: status,
      writableFinished: isAborted !== true,
      locals: { requestId: 'r-1', route: { path, operationId: 'a' }, ...locals },
    });
    middleware({ method, ip: '203.0.113.7' } as Request, response as unknown as Response, () => undefined);
    vi.advanceTimersByTime(ms);
    response.emit('close');
  };
  return { lines, reply, observe, requestLog };
}

const messages = (lines: Record<string, unknown>[], msg: string) => lines.filter((line) => line.msg === msg);

describe('the request log', () => {
  test('writes one line with the declared path', () => {
    const { lines, reply, observe } = open();
    reply({ status: 201, method: 'POST', ms: 12 });
    expect(lines).toEqual([
      { level: 30, method: 'POST', route: '/api/a', request_id: 'r-1', status: 201, ms: 12, msg: 'request' },
    ]);
    expect(observe).toHaveBeenCalledWith({ method: 'POST', route: '/api/a', status: 201, seconds: 0.012 });
  });

  test('writes 200 lines a second of a route and counts the others', () => {
    const { lines, reply, observe } = open();
    for (let count = 0; count < 250; count += 1) reply({ ms: 0 });
    reply({ ms: 0, path: '/api/b' });
    expect(messages(lines, 'request')).toHaveLength(201);
    expect(observe).toHaveBeenCalledTimes(251);
    vi.advanceTimersByTime(1_000);
    expect(messages(lines, 'requests omitted')).toEqual([
      { level: 30, method: 'GET', route: '/api/a', omitted: 50, msg: 'requests omitted' },
    ]);
    for (let count = 0; count < 201; count += 1) reply({ ms: 0 });
    vi.advanceTimersByTime(1_000);
    expect(messages(lines, 'request')).toHaveLength(401);
    expect(messages(lines, 'requests omitted')[1]).toMatchObject({ omitted: 1 });
  });

  test('writes the counts so far at shutdown, once', () => {
    const { lines, reply, requestLog } = open();
    for (let count = 0; count < 203; count += 1) reply({ ms: 0 });
    requestLog.writeOmitted();
    vi.advanceTimersByTime(2_000);
    expect(messages(lines, 'requests omitted')).toMatchObject([{ omitted: 3 }]);
  });

  test('writes all errors, slow requests and interrupted replies', () => {
    const { lines, reply } = open();
    for (let count = 0; count < 300; count += 1) reply({ ms: 0 });
    lines.length = 0;
    reply({ ms: 0, status: 404 });
    reply({ ms: 0, status: 503 });
    reply({ ms: 0, status: 503, locals: { errorCode: 'storage_full' } });
    reply({ ms: 0, isAborted: true });
    reply({ ms: 0, locals: { cut: 'not read within 5 ms' } });
    expect(lines.map(({ level, msg, status }) => [level, msg, status])).toEqual([
      [30, 'request', 404],
      [50, 'request failed', 503],
      [30, 'request', 503],
      [30, 'request', 200],
      [30, 'request', 200],
    ]);
    expect(lines.slice(3)).toMatchObject([{ aborted: true }, { cut: 'not read within 5 ms' }]);
    for (let count = 0; count < 200; count += 1) reply({ ms: 0 });
    lines.length = 0;
    reply({ ms: 1_000 });
    expect(messages(lines, 'request')).toMatchObject([{ ms: 1_000 }]);
  });

  test('writes only faults at the level warn', () => {
    const { lines, reply } = open('warn');
    for (let count = 0; count < 300; count += 1) reply({ ms: 0 });
    reply({ status: 500 });
    vi.advanceTimersByTime(2_000);
    expect(lines).toMatchObject([{ level: 50, msg: 'request failed' }]);
  });
});

describe('who sent a request', () => {
  const ada = { locals: { caller: { userId: 7 } as never } };

  test.each([
    ['none', {}],
    ['plain', { network: '203.0.113.7', user: '7' }],
    [
      'hashed',
      { network: expect.stringMatching(/^[0-9a-f]{16}$/), user: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ],
  ] as const)('is named %s', (mode, expected) => {
    const { lines, reply } = open('info', mode);
    reply(ada);
    const { network, user } = lines[0]!;
    expect({ ...(network !== undefined && { network }), ...(user !== undefined && { user }) }).toEqual(
      expected,
    );
  });

  test('of anonymous requests is the network only', () => {
    const { lines, reply } = open('info', 'plain');
    reply();
    expect(lines[0]).toMatchObject({ network: '203.0.113.7' });
    expect(lines[0]).not.toHaveProperty('user');
  });

  test('has equal names on one day only, and other names with another secret', () => {
    const name = (secret: string, day: string) =>
      new RequesterLabels('hashed', secret).network('203.0.113.7', day);
    expect(name('one', '2026-11-28')).toBe(name('one', '2026-11-28'));
    expect(name('one', '2026-11-28')).not.toBe(name('one', '2026-11-29'));
    expect(name('one', '2026-11-28')).not.toBe(name('two', '2026-11-28'));
    const labels = new RequesterLabels('hashed', 'one');
    expect(labels.user(7, '2026-11-28')).not.toBe(labels.network('7', '2026-11-28'));
    // The addresses of one customer: a mapped IPv4 address, and those of one /64.
    expect(labels.network('::ffff:203.0.113.7', '2026-11-28')).toBe(
      labels.network('203.0.113.7', '2026-11-28'),
    );
    expect(labels.network('2001:db8::1', '2026-11-28')).toBe(labels.network('2001:db8::2', '2026-11-28'));
  });
});
