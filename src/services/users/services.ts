import type { authServices } from '../auth/services.ts';
import type { SharedServices } from '../shared-services.ts';
import { AddressClaims } from './address-claims.ts';
import { AuditLogService } from './audit-log.ts';
import { AvatarService } from './avatars.ts';
import { GroupService } from './groups.ts';
import { InviteLinkService } from '../auth/registration.ts';
import { OrganizationService } from './organizations.ts';
import { UserDashboardService } from './user-dashboards.ts';
import { UserStatusService } from './user-status.ts';
import { UserService } from './users.ts';

/** Users of organizations and their permissions. */
export function userServices(
  { access, store, clock, ids }: SharedServices,
  { passwords, passwordConfirmation, guessLimits }: ReturnType<typeof authServices>,
) {
  const addresses = new AddressClaims(store, guessLimits);
  return {
    auditLog: new AuditLogService(store),
    avatars: new AvatarService(store),
    groups: new GroupService(store, access),
    inviteLinks: new InviteLinkService(store, clock, ids),
    organizations: new OrganizationService(store),
    userDashboards: new UserDashboardService(store, access),
    users: new UserService(store, passwords, passwordConfirmation, addresses, access),
    userStatus: new UserStatusService(store, addresses),
  };
}
