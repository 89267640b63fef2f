import { routeDefiner } from '../http/define-route.ts';
import type { Services } from '../services/services.ts';

/** Declares one endpoint; see http/define-route.ts for what a declaration says. */
export const defineRoute = routeDefiner<Services>();
