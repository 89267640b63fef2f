import type { Route } from '../../http/route.ts';
import type { Services } from '../../services/services.ts';
import { auditLogRoutes } from './audit-log.ts';
import { avatarRoutes } from './avatar.ts';
import { changePasswordRoute } from './change-password.ts';
import { groupRoutes } from './groups.ts';
import { inviteLinkRoutes } from './invite-links.ts';
import { organizationRoutes } from './organizations.ts';
import { sessionRoutes } from './sessions.ts';
import { userDashboardRoutes } from './user-dashboards.ts';
import { userStatusRoutes } from './user-status.ts';
import { userRoutes } from './users.ts';

/** Users, groups, invitations and what is about the organization itself. */
export const userFamilyRoutes: readonly Route<Services>[] = [
  ...userRoutes,
  ...userStatusRoutes,
  ...userDashboardRoutes,
  ...avatarRoutes,
  changePasswordRoute,
  ...sessionRoutes,
  ...organizationRoutes,
  ...groupRoutes,
  ...inviteLinkRoutes,
  ...auditLogRoutes,
];
