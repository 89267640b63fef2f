import type { authServices } from '../auth/services.ts';
import type { Foundations } from '../foundations.ts';
import { AuditLogService } from './audit-log.ts';
import { OrganizationService } from './organizations.ts';

/** Who is in an organization, and what each of them may do. */
export function peopleServices({ store }: Foundations, _auth: ReturnType<typeof authServices>) {
  return {
    auditLog: new AuditLogService(store),
    organizations: new OrganizationService(store),
  };
}
