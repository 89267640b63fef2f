import { z } from 'zod';
import { anyone } from '../../http/access.ts';
import { data } from '../../http/reply.ts';
import { defineRoute } from '../route.ts';

const replicasSchema = z.strictObject({ configured: z.int(), usable: z.int() });

export const systemRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/health',
    operationId: 'health',
    summary: 'Check whether the service works',
    description:
      '503 while the database is away; the process recovers by itself. Where read replicas are set, `replicas` says how many of them ' +
      'can be read from; with none the database itself is read.',
    access: anyone,
    rateLimit: 'public',
    reply: data(z.strictObject({ status: z.literal('ok'), replicas: replicasSchema.optional() })),
    errors: { 503: 'The database cannot be reached' },
    handler: ({ services }) => services.health.check(),
  }),
];
