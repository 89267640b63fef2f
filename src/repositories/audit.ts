import type { Database } from '../db/connect.ts';
import type { Actor } from '../domain/access/actor.ts';
import { countOf } from '../db/rows.ts';

export interface AuditEntry {
  by: Actor;
  /** What was done, as `survey.published`. */
  action: string;
  objectType: string;
  objectId: string | number | null;
  /** Counts and names only: no bodies, no answers, no secrets. */
  details?: Record<string, unknown>;
}

export class AuditRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async record(entry: AuditEntry): Promise<void> {
    const { origin } = entry.by;
    await countOf(
      this.db,
      `INSERT INTO audit_log (organization_id, user_id, action, object_type, object_id, details,
                              credential, credential_id, request_id, address)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        entry.by.organizationId,
        entry.by.userId,
        entry.action,
        entry.objectType,
        entry.objectId === null ? null : String(entry.objectId),
        entry.details === undefined ? null : JSON.stringify(entry.details),
        origin?.credential ?? null,
        origin?.credentialId ?? null,
        origin?.requestId ?? null,
        origin?.address ?? null,
      ],
    );
  }
}
