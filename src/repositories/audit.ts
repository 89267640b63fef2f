import type { Database } from '../db/connect.ts';
import { countOf } from '../db/rows.ts';

export interface AuditEntry {
  organizationId: number;
  /** null: the system itself, or the command line. */
  userId: number | null;
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
    await countOf(
      this.db,
      `INSERT INTO audit_log (organization_id, user_id, action, object_type, object_id, details)
       VALUES (?, ?, ?, ?, ?, ?)`,
      [
        entry.organizationId,
        entry.userId,
        entry.action,
        entry.objectType,
        entry.objectId === null ? null : String(entry.objectId),
        entry.details === undefined ? null : JSON.stringify(entry.details),
      ],
    );
  }
}
