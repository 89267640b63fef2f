import { createServer, type Server } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import { afterAll, beforeAll } from 'vitest';
import type { Caller } from '../../src/domain/access/caller.ts';
import type { KernelOptions } from '../../src/http/kernel.ts';
import { sendInternalError, sendProblem } from '../../src/http/problem.ts';
import type { Route } from '../../src/http/route.ts';
import { mountRoutes } from '../../src/http/routers.ts';
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

/** Who stands behind which X-API-Key. */
const CALLERS = new Map([
  ['admin', caller('admin', 'session')],
  ['member', caller('member', 'session')],
  ['client', caller('client', 'session')],
  ['key', caller('admin', 'api_key')],
]);

export interface BareKernel {
  readonly server: Server;
  /** What happened, in order: the kernel's counting, and what the routes add. */
  readonly steps: string[];
  /** What reached the error handler. */
  readonly failures: unknown[];
}

/**
 * Call at the top of a test file: the kernel with routes of the test's own, no database and no services. `settings` replace those of the
 * kernel.
 */
export function useKernel(
  routes: readonly Route<null>[],
  steps: string[] = [],
  settings: Partial<KernelOptions<null>> = {},
): BareKernel {
  const failures: unknown[] = [];
  const options: KernelOptions<null> = {
    services: null,
    authenticate: ({ value }) => Promise.resolve(CALLERS.get(value) ?? null),
    rateLimits: {
      count: (_kind, _request, _response, who) =>
        Promise.resolve(void steps.push(`count ${who?.role ?? 'nobody'}`)),
      brake: () => Promise.resolve(),
    },
    idempotency: { run: async ({ bodyHash }, work) => ({ bodyHash, reply: await work() }) },
    checkFreeDisk: () => Promise.resolve(),
    publicUrl: 'https://canvass.example',
    allowedOrigins: [],
    checkReplies: true,
    recheckStreamsEveryMs: 20,
    streamTimeoutMs: 60_000,
    ...settings,
  };
  const app = express();
  mountRoutes(app, routes, options);
  const problems: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    failures.push(error);
    if (error instanceof AppError) sendProblem(response, error, 'id');
    else sendInternalError(response, 'id');
  };
  app.use(problems);
  const server = createServer(app);
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, resolve)));
  afterAll(() => {
    server.close();
  });
  return { server, steps, failures };
}
