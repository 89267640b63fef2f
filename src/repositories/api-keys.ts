import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import { requireRow } from '../lib/require-value.ts';
import { actingOrganization, type CallerRow } from './sessions.ts';
import type { ApiKeyTable } from './tables/users.ts';

const COLUMNS = ['api_key_id', 'key_name', 'key_start', 'created_at', 'last_used_at', 'expires_at'] as const;

export type ApiKeyRow = Pick<ApiKeyTable, (typeof COLUMNS)[number]>;

export class ApiKeyRepository {
  constructor(private readonly db: Database) {}

  async create(key: {
    organizationId: number;
    userId: number;
    name: string;
    start: string;
    hash: string;
    /** null: no expiry. */
    expiresAt: Date | null;
  }): Promise<ApiKeyRow> {
    const rows = await this.db('api_keys')
      .insert({
        organization_id: key.organizationId,
        user_id: key.userId,
        key_name: key.name,
        key_start: key.start,
        key_hash: key.hash,
        expires_at: key.expiresAt,
      })
      .returning(COLUMNS);
    return requireRow(rows, 'api_keys');
  }

  /** A user's keys, oldest first: expired keys too, revoked ones not. */
  async listForUser(organizationId: number, userId: number): Promise<ApiKeyRow[]> {
    return this.db('api_keys')
      .select(...COLUMNS)
      .where({ organization_id: organizationId, user_id: userId })
      .whereNull('revoked_at')
      .orderBy('api_key_id');
  }

  /** False: the user has no such key, or it is revoked already. */
  async revoke(organizationId: number, userId: number, apiKeyId: number): Promise<boolean> {
    const updated = await this.db('api_keys')
      .where({ organization_id: organizationId, user_id: userId, api_key_id: apiKeyId })
      .whereNull('revoked_at')
      .update({ revoked_at: this.db.fn.now() });
    return updated > 0;
  }

  /** Returns how many keys of the user it revoked. */
  async revokeAll(userId: number): Promise<number> {
    return this.db('api_keys')
      .where({ user_id: userId })
      .whereNull('revoked_at')
      .update({ revoked_at: this.db.fn.now() });
  }

  /** False: the key was used from this network before. */
  async addNetwork(apiKeyId: string, network: string): Promise<boolean> {
    const added = await this.db('api_key_networks')
      .insert({ api_key_id: Number(apiKeyId), network })
      .onConflict()
      .ignore()
      .returning('network');
    return added.length > 0;
  }

  /** By hash: valid keys of active users. `use_unnoted`: last_used_at lags by more than a minute. */
  async findCallers(hashes: string[]): Promise<Map<string, CallerRow & { use_unnoted: boolean }>> {
    // Raw SQL: runs for every request with a key, and most of its columns are expressions.
    const rows = await queryRows<CallerRow & { key_hash: string; use_unnoted: boolean }>(
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

  async recordUse(apiKeyId: string): Promise<void> {
    await this.db('api_keys')
      .where({ api_key_id: Number(apiKeyId) })
      .update({ last_used_at: this.db.fn.now() });
  }

  async setCurrentWorkspace(userId: number, apiKeyId: string, workspaceId: number): Promise<void> {
    await this.db('api_keys')
      .where({ user_id: userId, api_key_id: Number(apiKeyId) })
      .update({ current_workspace_id: workspaceId });
  }

  /** Sets where a superadmin acts from the next request on, and clears the current workspace: it is of the former organization. */
  async setActingOrganization(userId: number, apiKeyId: string, organizationId: number): Promise<void> {
    await this.db('api_keys')
      .where({ user_id: userId, api_key_id: Number(apiKeyId) })
      .update({ acting_organization_id: organizationId, current_workspace_id: null });
  }
}
