import type { Router } from 'express';
import { z } from 'zod';
import { anyone } from '../http/access.ts';
import { buildRouter, type RouterDependencies } from '../http/build-router.ts';
import { dataReply } from '../http/reply.ts';
import type { Services } from '../services/services.ts';
import { defineRoute } from './define-route.ts';

const replicasSchema = z.strictObject({ configured: z.int(), usable: z.int() });

const healthRoute = defineRoute({
  method: 'get',
  path: '/api/health',
  operationId: 'health',
  summary: 'Get the service status',
  description:
    'Returns `ok`, or `degraded` with the reason `storage_full` if writes fail because of disk space. 503 within 5 seconds if ' +
    'the database does not respond; the service recovers automatically. With read replicas, `replicas` is the number of ' +
    'usable ones; without any, the primary is read.',
  access: anyone,
  rateLimit: 'public',
  reply: dataReply(
    z.strictObject({
      status: z.enum(['ok', 'degraded']),
      reason: z.literal('storage_full').optional(),
      replicas: replicasSchema.optional(),
    }),
  ),
  handler: ({ services }) => services.health.check(),
});

export const systemRoutes = [healthRoute];

export const healthRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/health', systemRoutes, dependencies);
