import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { jobRoutes } from './jobs.ts';

export { jobRoutes };

export const jobsRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/jobs', jobRoutes, dependencies);
