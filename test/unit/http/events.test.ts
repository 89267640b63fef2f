import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { anyone, memberOn } from '../../../src/http/access.ts';
import { eventsReply } from '../../../src/http/reply.ts';
import { routeDefiner } from '../../../src/http/define-route.ts';
import { sendEvents } from '../../../src/http/send-events.ts';
import { notFound, unprocessable } from '../../../src/lib/errors.ts';
import { useRouter } from '../../support/bare-router.ts';

/** How a stream begins: how soon to come again when it ends. */
const BEGINNING = ':\nretry: 1000\n\n';

/** How many streams were let go. */
let released = 0;
type Event = { event?: string; id?: string; data: unknown };

async function* all(...parts: (Event | Error)[]): AsyncIterable<Event> {
  try {
    for (const part of parts) {
      await sleep(1);
      if (part instanceof Error) throw part;
      yield part;
    }
  } finally {
    released += 1;
  }
}

async function* untilLeft(signal: AbortSignal): AsyncIterable<Event> {
  try {
    yield { data: 'first' };
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  } finally {
    released += 1;
  }
}

const route = (path: string, createEvents: (signal: AbortSignal) => AsyncIterable<Event>) =>
  routeDefiner<null>()({
    method: 'get',
    path,
    operationId: path,
    summary: 'x',
    access: anyone,
    reply: eventsReply(z.unknown()),
    handler: ({ request }) => ({ events: createEvents(request.signal) }),
  });

/** Taken away while the stream is open. */
let visible = true;
const guarded = (path: string, createEvents: (signal: AbortSignal) => AsyncIterable<Event>) => ({
  ...route(path, createEvents),
  access: memberOn<null, unknown, unknown, unknown, null>('thing: view', () => {
    if (!visible) throw notFound('thing');
    return null;
  }),
});

async function* withoutPause(): AsyncIterable<Event> {
  try {
    for (let n = 0; ; n += 1) {
      await sleep(1);
      yield { data: n };
    }
  } finally {
    released += 1;
  }
}

const router = useRouter([
  route('/t/events/x', () => all({ data: { text: 'a\nb' } }, { event: 'more', id: '7', data: 1 })),
  route('/t/events/missing', () => {
    throw notFound('survey');
  }),
  route('/t/events/fails', () => all({ data: 1 }, unprocessable('odd', 'It is odd'))),
  route('/t/events/bug', () => all({ data: 1 }, new TypeError('a secret'))),
  route('/t/events/long', untilLeft),
  guarded('/t/events/guarded', untilLeft),
  guarded('/t/events/busy', withoutPause),
]);
const request = (path: string) => supertest(router.server).get(path);

it('sends events as they occur, each on its own lines, and forbids caching and transformation', async () => {
  const reply = await request('/t/events/x').expect(200);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
  });
  expect(reply.text).toBe(`${BEGINNING}data: {"text":"a\\nb"}\n\nevent: more\nid: 7\ndata: 1\n\n`);
});

it('reports an early failure as an error reply and a later one as the last event', async () => {
  await request('/t/events/missing').expect(404).expect('Content-Type', /json/);
  const reply = await request('/t/events/fails').expect(200);
  expect(reply.text).toBe(
    `${BEGINNING}data: 1\n\nevent: error\ndata: {"message":"It is odd","code":"odd"}\n\n`,
  );
});

it('hides the message of an internal error and logs it', async () => {
  const reply = await request('/t/events/bug').expect(200);
  expect(reply.text).toContain('"code":"internal_error"');
  expect(reply.text).not.toContain('secret');
  expect(router.failures.at(-1)).toBeInstanceOf(TypeError);
});

it('releases the resources of a stream when the client disconnects', async () => {
  const [before, failed] = [released, router.failures.length];
  const { port } = router.server.address() as AddressInfo;
  const reply = await new Promise<IncomingMessage>((resolve) =>
    get({ port, path: '/t/events/long' }, resolve),
  );
  await new Promise((resolve) => reply.once('data', resolve));
  expect(released).toBe(before);
  reply.destroy();
  await expect.poll(() => released, { timeout: 5_000 }).toBe(before + 1);
  expect(router.failures).toHaveLength(failed);
});

it('does not start a stream for a HEAD request', async () => {
  const before = released;
  await supertest(router.server)
    .head('/t/events/long')
    .expect(200)
    .expect('Content-Type', /event-stream/);
  expect(released).toBe(before);
});

it('sends comments to keep an idle connection open', async () => {
  const app = express();
  app.get('/quiet', async (_request, response) => {
    const quiet = (async function* () {
      await sleep(60);
      yield { data: 'at last' };
    })();
    const left = new AbortController().signal;
    const recheck = { everyMs: 1_000, run: () => Promise.resolve() };
    await sendEvents({
      response,
      status: 200,
      reply: { events: quiet },
      options: { signal: left, recheck, heartbeatEveryMs: 20 },
    });
  });
  const reply = await supertest(app).get('/quiet').expect(200);
  expect(reply.text).toMatch(/^:\nretry: 1000\n\n(:\n\n)+data: "at last"\n\n$/);
});

it.each(['guarded', 'busy'])(
  'ends a stream (%s) with a reason when its listener loses access',
  async (path) => {
    const before = released;
    visible = true;
    setTimeout(() => (visible = false), 100);
    const reply = await request(`/t/events/${path}`).set('X-API-Key', 'member').expect(200);
    expect(reply.text.slice(BEGINNING.length)).toMatch(/^data: /);
    expect(reply.text).toMatch(
      /\n\nevent: error\ndata: \{"message":"No such thing","code":"not_found"\}\n\n$/,
    );
    await expect.poll(() => released, { timeout: 5_000 }).toBe(before + 1);
    await request(`/t/events/${path}`).set('X-API-Key', 'member').expect(404);
  },
);
