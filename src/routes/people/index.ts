import type { Route } from '../../http/route.ts';
import type { Services } from '../../services/services.ts';

/** Users, groups, invitations and what is about the organization itself. */
export const peopleRoutes: readonly Route<Services>[] = [];
