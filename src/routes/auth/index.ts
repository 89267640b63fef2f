import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { authRoute } from './auth.ts';

export const authRoutes = [authRoute, ...apiKeyRoutes];

export const authRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/auth', [authRoute], dependencies);

/** API keys of the caller and, for admins, of other users. */
export const apiKeysRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api', apiKeyRoutes, dependencies);
