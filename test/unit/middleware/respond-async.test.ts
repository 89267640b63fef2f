import supertest from 'supertest';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { anyone } from '../../../src/http/access.ts';
import { routeDefiner } from '../../../src/http/define-route.ts';
import { fileReply } from '../../../src/http/reply.ts';
import { invalid } from '../../../src/lib/errors.ts';
import { replyPreference } from '../../../src/middleware/respond-async.ts';
import { useRouter } from '../../support/bare-router.ts';

it.each([
  [undefined, null],
  ['', null],
  ['respond-async', 'respond-async'],
  ['Respond-Async; foo=bar', 'respond-async'],
  ['handling=lenient, respond-async', 'respond-async'],
  ['wait=10, respond-async', 'respond-async'],
  [['return=minimal', 'respond-async'], 'respond-async'],
  ['wait', 'wait'],
  ['wait=30', 'wait'],
  ['waiting', null],
  ['foo="respond-async, wait"', null],
] as const)('Prefer: %j means %j', (header, meant) => {
  expect(replyPreference(typeof header === 'object' ? [...header] : header)).toBe(meant);
});

const started: unknown[] = [];

async function* pages(count: number): AsyncIterable<string> {
  for (let page = 0; page < count; page += 1) yield await Promise.resolve(`page ${page}\n`);
}

const router = useRouter([
  routeDefiner<null>()({
    method: 'post',
    path: '/t/book/x',
    operationId: 'book',
    summary: 'x',
    access: anyone,
    body: z.strictObject({ pages: z.int() }),
    reply: fileReply('text/plain'),
    background: {
      isLong({ body }) {
        if (body.pages < 0) throw invalid('pages', 'must not be negative');
        return body.pages > 100;
      },
      start({ body }) {
        started.push(body.pages);
        return Promise.resolve(started.length);
      },
    },
    handler: ({ body }) => ({ contentType: 'text/plain', filename: 'book.txt', chunks: pages(body.pages) }),
  }),
]);
const book = (count: number, prefer?: string) => {
  const request = supertest(router.server).post('/t/book/x').send({ pages: count });
  return prefer === undefined ? request : request.set('Prefer', prefer);
};

it('responds to short work directly, unless the client prefers a job', async () => {
  expect((await book(1).expect(200)).text).toBe('page 0\n');
  const reply = await book(1, 'respond-async').expect(202);
  const statusUrl = `https://canvass.example/api/jobs/${started.length}`;
  expect(reply.body).toEqual({ success: 1, data: { job_id: started.length, status_url: statusUrl } });
  expect(reply.headers).toMatchObject({ location: statusUrl, 'preference-applied': 'respond-async' });
  expect(reply.headers).not.toHaveProperty('content-disposition');
});

it('turns long work into a job, unless the client prefers to wait', async () => {
  const reply = await book(101).expect(202);
  expect(reply.headers).not.toHaveProperty('preference-applied');
  expect((await book(101, 'wait').expect(200)).text).toContain('page 100');
  expect((await book(101, 'wait=60').expect(200)).text).toContain('page 100');
});

it('rejects invalid input directly without starting a job', async () => {
  const before = started.length;
  for (const prefer of ['respond-async', undefined]) await book(-1, prefer).expect(400);
  expect(started).toHaveLength(before);
});
