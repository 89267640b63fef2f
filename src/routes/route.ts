import { routeDefiner } from '../http/route.ts';
import type { Services } from '../services/services.ts';

/** Declares one endpoint; see http/route.ts for what a declaration says. */
export const defineRoute = routeDefiner<Services>();
