import type { Route } from '../../http/route.ts';
import type { Services } from '../../services/services.ts';

export const analysisRoutes: readonly Route<Services>[] = [];
