import { z } from 'zod';
import { anyone } from '../../http/access.ts';
import { data } from '../../http/reply.ts';
import { defineRoute } from '../route.ts';

export const systemRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/health',
    operationId: 'health',
    summary: 'Whether the service can work',
    description: '503 while the database is away; the process recovers by itself.',
    access: anyone,
    rateLimit: 'public',
    reply: data(z.strictObject({ status: z.literal('ok') })),
    errors: { 503: 'The database cannot be reached' },
    handler: ({ services }) => services.health.check(),
  }),
];
