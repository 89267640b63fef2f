import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import { actingOrganization, type CallerRow } from './sessions.ts';

export interface ApiKeyRow {
  api_key_id: number;
  key_name: string;
  key_start: string;
  created_at: Date;
  last_used_at: Date | null;
  /** null: never. */
  expires_at: Date | null;
}

const COLUMNS = 'api_key_id, key_name, key_start, created_at, last_used_at, expires_at';

export class ApiKeyRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async create(key: {
    organizationId: number;
    userId: number;
    name: string;
    start: string;
    hash: string;
    /** null: never. */
    expiresAt: Date | null;
  }): Promise<ApiKeyRow> {
    const row = await rowOf<ApiKeyRow>(
      this.db,
      `INSERT INTO api_keys (organization_id, user_id, key_name, key_start, key_hash, expires_at)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
      [key.organizationId, key.userId, key.name, key.start, key.hash, key.expiresAt],
    );
    return row!;
  }

  /** A user's keys, oldest first: expired ones too, but none that was revoked. */
  ofUser(organizationId: number, userId: number): Promise<ApiKeyRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${COLUMNS} FROM api_keys WHERE organization_id = ? AND user_id = ? AND revoked_at IS NULL ORDER BY api_key_id`,
      [organizationId, userId],
    );
  }

  /** False: there is no such live key of this user. */
  async revoke(organizationId: number, userId: number, apiKeyId: number): Promise<boolean> {
    const count = await countOf(
      this.db,
      `UPDATE api_keys SET revoked_at = now()
       WHERE organization_id = ? AND user_id = ? AND api_key_id = ? AND revoked_at IS NULL`,
      [organizationId, userId, apiKeyId],
    );
    return count > 0;
  }

  /** Returns how many live keys of the user there were. */
  revokeAll(userId: number): Promise<number> {
    return countOf(
      this.db,
      `UPDATE api_keys SET revoked_at = now() WHERE user_id = ? AND revoked_at IS NULL`,
      [userId],
    );
  }

  /** False: the key was used from this network before. */
  async addNetwork(apiKeyId: string, network: string): Promise<boolean> {
    const count = await countOf(
      this.db,
      `INSERT INTO api_key_networks (api_key_id, network) VALUES (?, ?) ON CONFLICT DO NOTHING`,
      [apiKeyId, network],
    );
    return count > 0;
  }

  /** By hash: live keys of active users. `use_unnoted`: last_used_at lags by more than a minute. */
  async callers(hashes: string[]): Promise<Map<string, CallerRow & { use_unnoted: boolean }>> {
    const rows = await rowsOf<CallerRow & { key_hash: string; use_unnoted: boolean }>(
      this.db,
      `SELECT k.key_hash, k.api_key_id::text AS credential_id, k.current_workspace_id,
              u.user_id, ${actingOrganization('k')}, u.user_role, u.ai_access,
              coalesce(k.last_used_at < now() - interval '1 minute', true) AS use_unnoted
       FROM api_keys k JOIN users u ON u.user_id = k.user_id
       WHERE k.key_hash = ANY(?) AND k.revoked_at IS NULL
         AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.user_status = 1`,
      [hashes],
    );
    return new Map(rows.map((row) => [row.key_hash, row]));
  }

  async noteUse(apiKeyId: string): Promise<void> {
    await countOf(this.db, `UPDATE api_keys SET last_used_at = now() WHERE api_key_id = ?`, [apiKeyId]);
  }

  async setCurrentWorkspace(userId: number, apiKeyId: string, workspaceId: number): Promise<void> {
    await countOf(
      this.db,
      `UPDATE api_keys SET current_workspace_id = ? WHERE user_id = ? AND api_key_id = ?`,
      [workspaceId, userId, apiKeyId],
    );
  }

  /** Where a superadmin acts from the next request on; their current workspace was of the other organization. */
  async setActingOrganization(userId: number, apiKeyId: string, organizationId: number): Promise<void> {
    await countOf(
      this.db,
      `UPDATE api_keys SET acting_organization_id = ?, current_workspace_id = NULL WHERE user_id = ? AND api_key_id = ?`,
      [organizationId, userId, apiKeyId],
    );
  }
}
