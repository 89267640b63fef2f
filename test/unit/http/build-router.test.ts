import fc from 'fast-check';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { admin, anyone, anyUserInSession, memberOn } from '../../../src/http/access.ts';
import { buildRouter, sortByMatchOrder, type RouterDependencies } from '../../../src/http/build-router.ts';
import { routeDefiner } from '../../../src/http/define-route.ts';
import { multipart, type Upload } from '../../../src/http/multipart.ts';
import { dataReply, emptyReply, fileReply, listReply, withReply } from '../../../src/http/reply.ts';
import { conflict, notFound } from '../../../src/lib/errors.ts';
import { useRouter } from '../../support/bare-router.ts';

const steps: string[] = [];
const defineRoute = routeDefiner<null>();
const item = z.strictObject({ n: z.int() });
const body = z.strictObject({ a: z.string() });
const open = { method: 'get', access: anyone, summary: 'x' } as const;
async function* chunksOf(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}
const fails = (error: Error) => () => {
  throw error;
};

const router = useRouter(
  [
    defineRoute({
      ...open,
      method: 'post',
      path: '/t/uploads/x',
      operationId: 'upload',
      maxBodyBytes: 5_000_000,
      body: multipart('file', z.strictObject({}), { fileName: 'file.txt', fields: {} }),
      access: memberOn('thing: edit', (_context: { body: Upload<unknown> }) => {
        throw notFound('thing');
      }),
      reply: emptyReply,
      handler: fails(new Error('The handler was called')),
    }),
    defineRoute({
      ...open,
      path: '/t/data/:n',
      operationId: 'data',
      params: z.strictObject({ n: z.string() }),
      reply: dataReply(item),
      handler: ({ params }) => ({ n: Number(params.n) }),
    }),
    defineRoute({
      ...open,
      path: '/t/list/x',
      operationId: 'list',
      reply: listReply(item),
      handler: () => ({ items: [{ n: 1 }], limit: 5, total: 9, nextCursor: 'c' }),
    }),
    defineRoute({
      ...open,
      path: '/t/undeclared/x',
      operationId: 'undeclared',
      reply: dataReply(item),
      handler: () => ({ n: 1, password_hash: 'h' }) as { n: number },
    }),
    defineRoute({
      ...open,
      path: '/t/strange-status/x',
      operationId: 'strangeStatus',
      reply: dataReply(item),
      handler: () => withReply({ n: 1 }, { status: 201 }),
    }),
    defineRoute({
      ...open,
      path: '/t/strange-file/x',
      operationId: 'strangeFile',
      reply: fileReply('text/csv'),
      handler: () => ({ contentType: 'text/html', filename: 'a.html', chunks: chunksOf('<p>') }),
    }),
    defineRoute({
      ...open,
      path: '/t/bug/x',
      operationId: 'bug',
      reply: emptyReply,
      handler: fails(new TypeError('secret')),
    }),
    defineRoute({
      ...open,
      path: '/t/known/x',
      operationId: 'known',
      reply: emptyReply,
      handler: fails(conflict('taken', 'Taken', [{ field: 'a', message: 'b' }])),
    }),
    defineRoute({
      ...open,
      path: '/t/options/x',
      operationId: 'options',
      reply: dataReply(item),
      status: 202,
      alternateStatuses: { 200: 'Nothing was left to do' },
      handler: () =>
        withReply(
          { n: 1 },
          { status: 200, headers: { 'X-Job': '7' }, authCookie: { token: 't', maxAgeSeconds: 60 } },
        ),
    }),
    defineRoute({
      ...open,
      method: 'delete',
      path: '/t/empty/x',
      operationId: 'empty',
      reply: emptyReply,
      handler: () => undefined,
    }),
    defineRoute({
      ...open,
      method: 'post',
      path: '/t/admin/x',
      operationId: 'admin',
      access: admin,
      body,
      reply: emptyReply,
      handler: () => void steps.push('handler'),
    }),
    defineRoute({
      ...open,
      path: '/t/session/x',
      operationId: 'session',
      access: anyUserInSession,
      reply: emptyReply,
      handler: () => void steps.push('handler'),
    }),
    defineRoute({
      ...open,
      method: 'post',
      path: '/t/scope/:id',
      operationId: 'scope',
      params: z.strictObject({ id: z.string() }),
      body,
      access: memberOn('thing: edit', ({ params }: { params: { id: string } }) => {
        steps.push('authorize');
        if (params.id !== 'mine') throw notFound('thing');
        return { thing: params.id };
      }),
      reply: dataReply(z.strictObject({ thing: z.string() })),
      handler: ({ scope }) => {
        steps.push('handler');
        return scope;
      },
    }),
  ],
  steps,
);
const request = () => supertest(router.server);

describe('a reply', () => {
  it('is wrapped in one envelope', async () => {
    expect((await request().get('/t/data/7').expect(200)).body).toEqual({ success: 1, data: { n: 7 } });
    expect((await request().get('/t/list/x').expect(200)).body).toEqual({
      success: 1,
      data: [{ n: 1 }],
      meta: { limit: 5, next_cursor: 'c', total: 9 },
    });
    expect((await request().delete('/t/empty/x').expect(204)).text).toBe('');
  });

  it('with an undeclared field fails in tests', async () => {
    const reply = await request().get('/t/undeclared/x').expect(500);
    expect(reply.text).not.toContain('password_hash');
  });

  it('with an undeclared status fails in tests', async () => {
    await request().get('/t/strange-status/x').expect(500);
  });

  it('with an undeclared file type fails in tests', async () => {
    await request().get('/t/strange-file/x').expect(500);
  });

  it('can set its status, headers and cookie, with a secure cookie for an HTTPS server', async () => {
    const reply = await request().get('/t/options/x').expect(200).expect('X-Job', '7');
    expect(reply.headers['set-cookie']![0]).toMatch(
      /^auth_token=t; Max-Age=60; .*HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('to an internal error reveals nothing about it', async () => {
    const reply = await request().get('/t/bug/x').expect(500);
    expect(reply.body).toMatchObject({ error: 1, code: 'internal_error', details: [], request_id: 'id' });
    expect(reply.text).not.toContain('secret');
  });

  it('to an application error has all its details', async () => {
    expect((await request().get('/t/known/x').expect(409)).body).toEqual({
      error: 1,
      message: 'Taken',
      code: 'taken',
      details: [{ field: 'a', message: 'b' }],
      request_id: 'id',
    });
  });
});

describe('request checks run in order', () => {
  const post = (path: string, who: string, sent: object) => {
    steps.length = 0;
    return request().post(path).set('X-API-Key', who).send(sent);
  };

  it('the rate limit before access, and no look-up without access', async () => {
    await post('/t/admin/x', 'member', { wrong: 1 }).expect(403);
    expect(steps).toEqual(['count member']);
    await post('/t/admin/x', 'nobody', { a: 'x' }).expect(401);
    expect(steps).toEqual(['count nobody']);
    await post('/t/scope/mine', 'client', { a: 'x' }).expect(403);
    expect(steps).toEqual(['count client']);
  });

  it('input before access, and access before the handler', async () => {
    await post('/t/scope/other', 'member', { a: 1 }).expect(400);
    expect(steps).toEqual(['count member']);
    await post('/t/scope/other', 'member', { a: 'x' }).expect(404);
    expect(steps).toEqual(['count member', 'authorize']);
    const reply = await post('/t/scope/mine', 'member', { a: 'x' }).expect(200);
    expect(reply.body.data).toEqual({ thing: 'mine' });
    expect(steps).toEqual(['count member', 'authorize', 'handler']);
  });

  it('a session where an API key is not sufficient', async () => {
    await request().get('/t/session/x').set('X-API-Key', 'key').expect(403);
    await request().get('/t/session/x').set('X-API-Key', 'client').expect(204);
  });
});

describe('a router', () => {
  const route = (path: string, method: 'get' | 'delete' = 'get') =>
    defineRoute({
      ...open,
      method,
      path,
      operationId: `${method} ${path}`,
      reply: emptyReply,
      handler: () => undefined,
    });
  const build =
    (...routes: Parameters<typeof buildRouter<null>>[1]) =>
    () =>
      buildRouter('/t', routes, {} as RouterDependencies<null>);

  it('rejects a route outside its mount path', () => {
    expect(build(route('/other/x'))).toThrow('/other/x does not begin with /t');
    expect(build(route('/things'))).toThrow('/things does not begin with /t');
  });

  it('rejects a path that differs from another one only in the name of a parameter', () => {
    expect(build(route('/t/:id'), route('/t/:thingId', 'delete'))).toThrow(
      'names its parameters differently',
    );
  });
});

describe('an upload rejected by a later step', () => {
  const upload = () =>
    request()
      .post('/t/uploads/x')
      .set('X-API-Key', 'member')
      .attach('file', Buffer.alloc(3_000_000, 'x'), 'a.bin');

  it('is aborted, and the client receives the error', async () => {
    for (let time = 0; time < 3; time += 1) expect((await upload().expect(404)).body.code).toBe('not_found');
  });
});

const segment = fc.constantFrom('a', 'b', 'links', ':id', ':userId');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);

it('puts literal segments before parameters, at every depth', () => {
  const ordered = sortByMatchOrder(
    ['/s/:id', '/s/:id/links', '/s/links', '/s/links/:id', '/s/links/batch', '/s'].map((each) => ({
      path: each,
    })),
  );
  expect(ordered.map((route) => route.path)).toEqual([
    '/s',
    '/s/links',
    '/s/links/batch',
    '/s/links/:id',
    '/s/:id',
    '/s/:id/links',
  ]);
});

it('never puts a path after one that would match its requests', () => {
  const takes = (pattern: string, literal: string) => {
    const [left, right] = [pattern.split('/'), literal.split('/')];
    return left.length === right.length && left.every((part, i) => part.startsWith(':') || part === right[i]);
  };
  fc.assert(
    fc.property(fc.array(path, { maxLength: 12 }), (paths) => {
      const ordered = sortByMatchOrder(paths.map((each) => ({ path: each }))).map((route) => route.path);
      expect([...ordered].sort()).toEqual([...paths].sort());
      ordered.forEach((later, index) => {
        for (const earlier of ordered.slice(0, index)) {
          const shadowed = takes(earlier, later) && !takes(later, earlier);
          // A mixed pair (`/a/:x`, `/:x/b`) overlaps without one taking all of the other.
          expect(shadowed, `${later} behind ${earlier}`).toBe(false);
        }
      });
    }),
  );
});
