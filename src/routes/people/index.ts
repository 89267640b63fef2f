import type { Route } from '../../http/route.ts';
import type { Services } from '../../services/services.ts';
import { auditLogRoutes } from './audit-log.ts';
import { groupRoutes } from './groups.ts';
import { inviteLinkRoutes } from './invite-links.ts';
import { organizationRoutes } from './organizations.ts';

/** Users, groups, invitations and what is about the organization itself. */
export const peopleRoutes: readonly Route<Services>[] = [
  ...organizationRoutes,
  ...groupRoutes,
  ...inviteLinkRoutes,
  ...auditLogRoutes,
];
