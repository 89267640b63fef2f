import { expect, it } from 'vitest';
import { z } from 'zod';
import { optionalCaller, anyUser } from '../../../src/http/access.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';
import { dataReply } from '../../../src/http/reply.ts';
import { type Route, routeDefiner } from '../../../src/http/define-route.ts';

const defineRoute = routeDefiner<null>();
const replySchema = dataReply(z.strictObject({ n: z.int() }));
const base = { path: '/api/t/x', operationId: 'x', summary: 'x', handler: () => ({ n: 1 }) };

function documented(route: Route<null>): Record<string, { description: string }> {
  const { paths } = openApiDocument([{ name: 't', description: '', routes: [route] }], '1');
  return paths!['/api/t/x']![route.method]!.responses as Record<string, { description: string }>;
}

it('documents the replies to a body that is too large or of another type', () => {
  const replies = documented(
    defineRoute({ ...base, method: 'put', access: anyUser, reply: replySchema, maxBodyBytes: 9 }),
  );
  expect(replies['413']!.description).toContain('9 bytes');
  expect(replies).toHaveProperty('415');
  expect(
    documented(defineRoute({ ...base, method: 'get', access: anyUser, reply: replySchema })),
  ).not.toHaveProperty('415');
});

it('documents an alternative success status', () => {
  const replies = documented(
    defineRoute({
      ...base,
      method: 'post',
      access: anyUser,
      reply: replySchema,
      status: 201,
      alternateStatuses: { 200: 'Tried only' },
    }),
  );
  expect(replies['200']!.description).toBe('Tried only');
  expect(replies).toHaveProperty('201');
});

it('documents idempotency clashes beside other conflicts', () => {
  const plain = documented(defineRoute({ ...base, method: 'post', access: anyUser, reply: replySchema }));
  expect(plain['409']!.description).toContain('idempotency_clash');
  const own = documented(
    defineRoute({
      ...base,
      method: 'post',
      access: anyUser,
      reply: replySchema,
      errors: { 409: '`taken`: it is' },
    }),
  );
  expect(own['409']!.description).toMatch(/^`taken`: it is; .*idempotency_clash/);
});

it('documents the rejection of cross-site requests where a cookie is optional', () => {
  const replies = documented(
    defineRoute({ ...base, method: 'post', access: optionalCaller, reply: replySchema }),
  );
  expect(replies['403']!.description).toContain('cross_site_request');
});
