import type { authServices } from '../auth/index.ts';
import { InviteLinkService } from '../auth/registration.ts';
import type { SharedServices } from '../shared-services.ts';
import { AvatarService } from './avatars.ts';
import { GroupService } from './groups.ts';
import { AuditLogService, OrganizationService } from './organizations.ts';
import { UserStatusService } from './user-status.ts';
import { AddressClaims, UserDashboardService, UserService } from './users.ts';

/** Users of organizations and their permissions. */
export function userServices(
  { access, config, store, clock, ids }: SharedServices,
  { accountMails, passwords, passwordConfirmation, guessLimits }: ReturnType<typeof authServices>,
) {
  const addresses = new AddressClaims(store, guessLimits);
  return {
    auditLog: new AuditLogService(store),
    avatars: new AvatarService(store),
    groups: new GroupService(store, access),
    inviteLinks: new InviteLinkService(store, clock, ids),
    organizations: new OrganizationService(store),
    userDashboards: new UserDashboardService(store, access),
    users: new UserService({
      store,
      passwords,
      confirmation: passwordConfirmation,
      addresses,
      access,
      accountMails,
      strictPasswords: config.strictPasswords,
    }),
    userStatus: new UserStatusService(store, addresses, accountMails),
  };
}
