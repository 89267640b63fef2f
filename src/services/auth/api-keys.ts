import type { Caller } from '../../domain/access/caller.ts';
import { notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { ApiKeyRow } from '../../repositories/api-keys.ts';
import type { Store } from '../../repositories/store.ts';
import { API_KEY_PREFIX, apiKeyHash } from './auth.ts';

const KEY_CHARACTERS = 48;
const SHOWN_CHARACTERS = 8;

type Owner = Pick<Caller, 'organizationId' | 'userId'> & Partial<Pick<Caller, 'origin'>>;

export class ApiKeyService {
  private readonly store: Store;
  private readonly ids: Ids;

  constructor(store: Store, ids: Ids) {
    this.store = store;
    this.ids = ids;
  }

  list(owner: Owner): Promise<ApiKeyRow[]> {
    return this.store.read.apiKeys.ofUser(owner.organizationId, owner.userId);
  }

  /** The key itself is in the reply, and nowhere else ever again. `chosen`: a key that was made elsewhere. */
  async create(owner: Owner, name: string, chosen?: string): Promise<ApiKeyRow & { key: string }> {
    const key = chosen ?? API_KEY_PREFIX + this.ids.token(KEY_CHARACTERS);
    const row = await this.store.transaction(async (repositories) => {
      const created = await repositories.apiKeys.create({
        organizationId: owner.organizationId,
        userId: owner.userId,
        name,
        start: key.slice(0, SHOWN_CHARACTERS),
        hash: apiKeyHash(key),
      });
      await repositories.audit.record({
        by: owner,
        action: 'api_key.created',
        objectType: 'api_key',
        objectId: created.api_key_id,
      });
      return created;
    });
    return { ...row, key };
  }

  async revoke(owner: Owner, apiKeyId: number): Promise<void> {
    await this.store.transaction(async (repositories) => {
      const revoked = await repositories.apiKeys.revoke(owner.organizationId, owner.userId, apiKeyId);
      if (!revoked) throw notFound('API key');
      await repositories.audit.record({
        by: owner,
        action: 'api_key.revoked',
        objectType: 'api_key',
        objectId: apiKeyId,
      });
    });
  }
}
