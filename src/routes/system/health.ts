import { z } from 'zod';
import { anyone } from '../../http/access.ts';
import { data } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';

const replicasSchema = z.strictObject({ configured: z.int(), usable: z.int() });

export const healthRoute = defineRoute({
  method: 'get',
  path: '/api/health',
  operationId: 'health',
  summary: 'Get the service status',
  description:
    '`ok`, or `degraded` with reason `storage_full` while writes fail for lack of space and reads work. 503 within 5 s while the ' +
    'database is away or does not reply; the process recovers by itself. With read replicas, `replicas` says how many of them can be ' +
    'read from; without a usable one the database itself is read.',
  access: anyone,
  rateLimit: 'public',
  reply: data(
    z.strictObject({
      status: z.enum(['ok', 'degraded']),
      reason: z.literal('storage_full').optional(),
      replicas: replicasSchema.optional(),
    }),
  ),
  handler: ({ services }) => services.health.check(),
});
