import type { Server } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import supertest from 'supertest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mountApi } from '../../src/app.ts';
import type { RouterDependencies } from '../../src/http/build-router.ts';
import { routes } from '../../src/routes/index.ts';
import type { Services } from '../../src/services/services.ts';

const reached = new Error('A route was reached');

/** Ends every request at the rate limit, where it is known which route serves it. */
const stop: RequestHandler = (_request, _response, next) => next(reached);
const stopping = {
  rateLimits: { general: stop, auth: stop, public: stop, upload: stop, extra: stop },
  authenticate: () => Promise.resolve(null),
} as unknown as RouterDependencies<Services>;

let server: Server;
beforeAll(async () => {
  const app = express();
  app.set('case sensitive routing', true);
  mountApi(app, stopping);
  const report: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const { route } = response.locals;
    response.json({ operationId: error === reached ? route?.operationId : String(error) });
  };
  app.use(report);
  server = await new Promise((resolve) => {
    const listening = app.listen(0, () => resolve(listening));
  });
});
afterAll(() => {
  server.close();
});

it.each(routes.map((route) => [route.operationId, route.method, route.path] as const))(
  '%s resolves %s %s',
  async (operationId, method, path) => {
    for (const sample of ['7', 'Sample_1', '0b0e5c3e-6f5b-4c6e-9d5a-1f2e3d4c5b6a']) {
      const reply = await supertest(server)[method](path.replace(/:[A-Za-z]+/g, sample));
      expect(reply.body).toEqual({ operationId });
    }
  },
);

const methodsByPath = new Map<string, Set<string>>();
for (const { path, method } of routes) {
  const methods = methodsByPath.get(path) ?? new Set();
  methodsByPath.set(path, methods.add(method.toUpperCase()));
  if (method === 'get') methods.add('HEAD');
}

it.each([...methodsByPath])('%s rejects other methods with 405', async (path, methods) => {
  const reply = await supertest(server).options(path.replace(/:[A-Za-z]+/g, '7'));
  expect(reply.body.operationId).toContain('Allowed here');
  expect(
    reply.body.operationId
      .replace(/.*Allowed here: /, '')
      .split(', ')
      .sort(),
  ).toEqual([...methods].sort());
});
