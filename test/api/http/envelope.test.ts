import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import supertest from 'supertest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();
const admin = useOrganization(test).admin;
const request = () => supertest(test.app);
const sent = (text: string | Buffer, type = 'application/json') =>
  admin
    .post('/api/workspaces')
    .set('Content-Type', type)
    .serialize((raw: unknown) => raw as string)
    .send(text as string);

async function workspaceCount(): Promise<number> {
  return (await admin.get('/api/workspaces').expect(200)).body.meta.total;
}

describe('every reply', () => {
  it.each([
    ['get', '/api/health', 200],
    ['get', '/api/workspaces', 401],
    ['get', '/api/nothing/here', 404],
    ['get', '/nothing', 404],
    ['patch', '/api/workspaces', 405],
    ['get', '/api/workspaces/%zz', 400],
    ['get', '/api/openapi.json', 200],
    ['get', '/api/docs/', 200],
    ['post', '/api/auth', 400],
  ] as const)(
    '%s %s (%i) has the security headers, rate limits and its request id',
    async (method, path, status) => {
      const reply = await request()[method](path);
      expect(reply.status).toBe(status);
      expect(reply.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringMatching(/default-src '(self|none)'/),
        'ratelimit-limit': expect.stringMatching(/^\d+$/),
        'ratelimit-remaining': expect.stringMatching(/^\d+$/),
        'ratelimit-reset': expect.stringMatching(/^\d+$/),
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(reply.headers).not.toHaveProperty('x-powered-by');
      expect(reply.headers).not.toHaveProperty('x-ratelimit-limit');
      if (status >= 400)
        expect(reply.body).toMatchObject({ error: 1, request_id: reply.headers['x-request-id'] });
    },
  );

  it('to a signed-in caller must not be cached', async () => {
    expect((await admin.get('/api/workspaces')).headers['cache-control']).toBe('no-store');
    expect((await admin.get('/api/workspaces/99999999999999')).headers['cache-control']).toBe('no-store');
  });

  it('repeats a harmless request id of the caller, else creates one', async () => {
    const idFor = async (id: string) =>
      (await request().get('/api/health').set('X-Request-Id', id)).headers['x-request-id'];
    expect(await idFor('trace-1.a_B')).toBe('trace-1.a_B');
    for (const id of ['a b', 'x'.repeat(65), '<script>', '{"a":1}']) expect(await idFor(id)).not.toBe(id);
  });
});

describe('a request to an unknown address or method', () => {
  it('returns 404 for an unknown address, in the envelope', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/nope',
      '/api/workspace',
      '/%2e%2e/etc/passwd',
      '/api/health/x',
    ])
      await expectRefused(request().get(path), 404, 'not_found');
  });

  it('returns 405 with the allowed methods', async () => {
    const allowed = async (method: 'put' | 'delete' | 'patch' | 'options' | 'head', path: string) => {
      const reply = await request()[method](path);
      expect(reply.status).toBe(405);
      return reply.headers.allow;
    };
    expect(await allowed('delete', '/api/workspaces')).toBe('GET, POST, HEAD');
    expect(await allowed('patch', '/api/workspaces/1')).toBe('GET, PUT, DELETE, HEAD');
    expect(await allowed('put', '/api/workspaces/current')).toBe('GET, HEAD');
    expect(await allowed('head', '/api/auth')).toBe('POST');
    expect(await allowed('options', '/api/auth')).toBe('POST');
  });

  it('accepts HEAD where GET exists', async () => {
    const reply = await request().head('/api/health').expect(200);
    expect(reply.text).toBeUndefined();
  });
});

describe('a request body', () => {
  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['application/json-patch+json'],
    ['text/json, application/json'],
  ])('of type %s returns 415', async (type) => {
    const before = await workspaceCount();
    await expectRefused(sent('{"workspace_name":"x"}', type), 415, 'unsupported_media_type');
    expect(await workspaceCount()).toBe(before);
  });

  it('may declare its charset in any case', async () => {
    await sent('{"workspace_name":"x"}', 'Application/JSON ; charset=UTF-8').expect(201);
  });

  it('that is compressed returns 415', async () => {
    await expectRefused(sent('x').set('Content-Encoding', 'gzip'), 415, 'unsupported_media_type');
  });

  it('can be absent with its headers for a caller with a key', async () => {
    const { details } = await expectRefused(admin.post('/api/workspaces'), 400);
    expect(details).toEqual([{ field: 'workspace_name', message: 'is required' }]);
  });

  it('of a megabyte is accepted, and one byte more returns 413', async () => {
    const bodyOf = (bytes: number) => `{"workspace_name":"x"${' '.repeat(bytes - 22)}}`;
    expect(bodyOf(1_000_000)).toHaveLength(1_000_000);
    await sent(bodyOf(1_000_000)).expect(201);
    const before = await workspaceCount();
    await expectRefused(sent(bodyOf(1_000_001)), 413, 'too_large');
    expect(await workspaceCount()).toBe(before);
  });

  it.each([
    ['NUL', '{"workspace_name":"a\\u0000"}'],
    ['a lone surrogate', '{"workspace_name":"\\ud800"}'],
    ['invalid UTF-8', Buffer.from('7b22776f726b73706163655f6e616d65223a22ff227d', 'hex')],
    ['1e400', '{"workspace_name":"x","workspace_visibility":1e400}'],
    ['__proto__', '{"workspace_name":"x","__proto__":{"workspace_visibility":2}}'],
    ['constructor', '{"workspace_name":"x","constructor":{"prototype":{"x":1}}}'],
    ['5,000 levels', `{"workspace_name":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['a repeated member with an invalid second value', '{"workspace_name":"x","workspace_name":1}'],
    ['a form', 'workspace_name=x'],
  ])('with %s returns 400 and changes nothing', async (_name, text) => {
    const before = await workspaceCount();
    await expectRefused(sent(text), 400, 'validation_failed');
    expect(await workspaceCount()).toBe(before);
  });

  it('of any bytes never returns 500', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }).map((b) => Buffer.from(b)),
          fc.json(),
        ),
        async (text) => {
          expect([201, 400]).toContain((await sent(text)).status);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a query string', () => {
  it('of any text never returns 500', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'limit',
        'cursor',
        'sort',
        'search',
        'page',
        '=',
        '&',
        '[',
        ']',
        '%00',
        '%ff',
        '%',
        '-',
        '1',
        '__proto__',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }).map(encodeURIComponent),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        expect([200, 400]).toContain((await admin.get(`/api/workspaces?${pieces.join('')}`)).status);
      }),
      { numRuns: 50 },
    );
  });

  it('of valid parameters with any values never returns 500', async () => {
    const value = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('search', 'cursor', 'sort', 'limit'), value, async (name, text) => {
        const reply = await admin.get(`/api/workspaces?${name}=${encodeURIComponent(text)}`);
        expect([200, 400]).toContain(reply.status);
        if (name === 'search') expect(reply.status).toBe(text.includes('\0') ? 400 : 200);
      }),
      { numRuns: 50 },
    );
  });
});
