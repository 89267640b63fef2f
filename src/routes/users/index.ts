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

/** The caller's own sessions and password. */
export const accountRoutes = [...sessionRoutes, changePasswordRoute];

/** The organization with its users, groups and invite links. */
export const organizationUserRoutes = [
  ...userRoutes,
  ...userStatusRoutes,
  ...userDashboardRoutes,
  ...avatarRoutes,
  ...groupRoutes,
  ...inviteLinkRoutes,
  ...organizationRoutes,
];

export const userFamilyRoutes = [...organizationUserRoutes, ...accountRoutes, ...auditLogRoutes];

export const usersRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api', userFamilyRoutes, dependencies);
