import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { checkoutRoutes } from './checkouts.ts';
import { creditRoutes } from './credits.ts';

export const billingRoutes = [...creditRoutes, ...checkoutRoutes];

export const billingRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/billing', billingRoutes, dependencies);
