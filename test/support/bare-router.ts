import { createServer, type Server } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { afterAll, beforeAll } from 'vitest';
import type { Caller } from '../../src/domain/access/caller.ts';
import { sendInternalError, sendProblem } from '../../src/http/problem.ts';
import type { Route } from '../../src/http/define-route.ts';
import { buildRouter, type RouterDependencies } from '../../src/http/build-router.ts';
import { AppError } from '../../src/lib/errors.ts';

const caller = (role: Caller['role'], credential: Caller['credential']): Caller => ({
  credential,
  credentialId: '1',
  viaCookie: false,
  userId: 1,
  organizationId: 1,
  homeOrganizationId: 1,
  role,
  aiAccess: true,
  currentWorkspaceId: null,
  origin: { credential, credentialId: '1', requestId: 'r', address: '' },
});

/** By X-API-Key. */
const CALLERS = new Map([
  ['admin', caller('admin', 'session')],
  ['member', caller('member', 'session')],
  ['client', caller('client', 'session')],
  ['key', caller('admin', 'api_key')],
]);

export interface BareRouter {
  readonly server: Server;
  /** Events in order: `count` by the rate limit, and the entries of the routes. */
  readonly steps: string[];
  /** What reached the error handler. */
  readonly failures: unknown[];
}

/**
 * Call at the top of a test file: serves the test's own routes, whose paths begin with `/t`, without a database or services.
 * `settings` replace dependencies of the router.
 */
export function useRouter(
  routes: readonly Route<null>[],
  steps: string[] = [],
  settings: Partial<RouterDependencies<null>> = {},
): BareRouter {
  const failures: unknown[] = [];
  const count: RequestHandler = (_request, response, next) => {
    steps.push(`count ${response.locals.caller?.role ?? 'nobody'}`);
    next();
  };
  const app = express();
  app.use((_request, response, next) => {
    response.locals.requestId = 'id';
    next();
  });
  const router = buildRouter('/t', routes, {
    services: null,
    authenticate: ({ value }) => Promise.resolve(CALLERS.get(value) ?? null),
    rateLimits: { general: count, auth: count, public: count, upload: count, extra: count },
    idempotency: { run: async ({ bodyHash }, work) => ({ bodyHash, reply: await work() }) },
    checkFreeDisk: () => Promise.resolve(),
    publicUrl: 'https://canvass.example',
    allowedOrigins: [],
    checkReplies: true,
    recheckStreamsEveryMs: 20,
    streamTimeoutMs: 60_000,
    spool: {},
    ...settings,
  });
  app.use('/t', router);
  const sendError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    failures.push(error);
    if (error instanceof AppError) sendProblem(response, error, 'id');
    else sendInternalError(response, 'id');
  };
  app.use(sendError);
  const server = createServer(app);
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, resolve)));
  afterAll(() => {
    server.close();
  });
  return { server, steps, failures };
}
