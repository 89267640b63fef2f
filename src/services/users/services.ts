import type { authServices } from '../auth/services.ts';
import type { SharedServices } from '../shared-services.ts';
import { AddressClaims, UserDashboardService, UserService } from './users.ts';
import { AuditLogService, OrganizationService } from './organizations.ts';
import { AvatarService } from './avatars.ts';
import { GroupService } from './groups.ts';
import { InviteLinkService } from '../auth/registration.ts';
import { UserStatusService } from './user-status.ts';

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
