import { routeDefiner } from '../http/define-route.ts';
import type { Services } from '../services/services.ts';

/** Declares one endpoint; see http/define-route.ts for the fields. */
export const defineRoute = routeDefiner<Services>();
