import { checkoutRoutes } from './checkouts.ts';
import { creditRoutes } from './credits.ts';

export const billingRoutes = [...creditRoutes, ...checkoutRoutes];
