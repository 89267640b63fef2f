import type { authServices } from '../auth/services.ts';
import type { Foundations } from '../foundations.ts';
import { AuditLogService } from './audit-log.ts';
import { GroupService } from './groups.ts';
import { InviteLinkService } from './invite-links.ts';
import { OrganizationService } from './organizations.ts';

/** Who is in an organization, and what each of them may do. */
export function peopleServices(
  { access, store, clock, ids }: Foundations,
  _auth: ReturnType<typeof authServices>,
) {
  return {
    auditLog: new AuditLogService(store),
    groups: new GroupService(store, access),
    inviteLinks: new InviteLinkService(store, clock, ids),
    organizations: new OrganizationService(store),
  };
}
