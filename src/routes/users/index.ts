import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
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
export const userFamilyRoutes = [
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

export const usersRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api', userFamilyRoutes, dependencies);
