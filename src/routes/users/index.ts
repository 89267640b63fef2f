import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { auditLogRoutes } from './audit-log.ts';
import { avatarRoutes, changePasswordRoute, sessionRoutes } from './account.ts';
import { groupRoutes } from './groups.ts';
import { inviteLinkRoutes, organizationRoutes } from './organizations.ts';
import { userRecoveryRoutes } from './recovery.ts';
import { userDashboardRoutes, userRoutes, userStatusRoutes } from './users.ts';

/** The caller's own sessions and password. */
export const accountRoutes = [...sessionRoutes, changePasswordRoute];

/** The organization with its users, groups and invite links. */
export const organizationUserRoutes = [
  ...userRoutes,
  ...userStatusRoutes,
  ...userRecoveryRoutes,
  ...userDashboardRoutes,
  ...avatarRoutes,
  ...groupRoutes,
  ...inviteLinkRoutes,
  ...organizationRoutes,
];

export const userFamilyRoutes = [...organizationUserRoutes, ...accountRoutes, ...auditLogRoutes];

export const usersRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api', userFamilyRoutes, dependencies);
