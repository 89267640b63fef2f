import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { healthRoute } from './health.ts';

export const systemRoutes = [healthRoute];

export const healthRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/health', systemRoutes, dependencies);
