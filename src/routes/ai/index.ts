import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { chatRoute, chatSessionRoutes } from './chat.ts';
import { insightRoutes } from './insights.ts';
import { textRoutes } from './texts.ts';

export const aiRoutes = [...chatSessionRoutes, chatRoute, ...textRoutes, ...insightRoutes];

export const aiRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api', aiRoutes, dependencies);
