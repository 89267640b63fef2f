import type { Server } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KernelOptions } from '../../src/http/kernel.ts';
import type { Route } from '../../src/http/route.ts';
import { mountRoutes } from '../../src/http/routers.ts';
import { routes } from '../../src/routes/index.ts';
import type { Services } from '../../src/services/services.ts';

const reached = new Error('A route was reached');

/** A kernel that stops at its first step, when it has noted which route it serves. */
const stopping = {
  rateLimits: { count: () => Promise.reject(reached), brake: () => Promise.reject(reached) },
  authenticate: () => Promise.resolve(null),
} as unknown as KernelOptions<Services>;

let server: Server;
beforeAll(async () => {
  const app = express();
  app.set('case sensitive routing', true);
  mountRoutes(app, routes, stopping);
  const tell: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const route = response.locals.route as Route | undefined;
    response.json({ operationId: error === reached ? route?.operationId : String(error) });
  };
  app.use(tell);
  server = await new Promise((resolve) => {
    const listening = app.listen(0, () => resolve(listening));
  });
});
afterAll(() => {
  server.close();
});

it.each(routes.map((route) => [route.operationId, route.method, route.path] as const))(
  '%s is reached by %s %s',
  async (operationId, method, path) => {
    for (const sample of ['7', 'Sample_1', '0b0e5c3e-6f5b-4c6e-9d5a-1f2e3d4c5b6a']) {
      const reply = await supertest(server)[method](path.replace(/:[A-Za-z]+/g, sample));
      expect(reply.body).toEqual({ operationId });
    }
  },
);
