import { createHash } from 'node:crypto';
import { type Caller, inHomeOrganization } from '../../domain/access/caller.ts';
import { addressNetwork } from '../../lib/address-network.ts';
import type { Clock } from '../../lib/clock.ts';
import { limitReached } from '../../lib/error-messages.ts';
import { conflict, invalid, notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { ApiKeyRow } from '../../repositories/api-keys.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { CallerRow } from '../../repositories/sessions.ts';
import type { Store } from '../../repositories/store.ts';
import { lockUser } from '../users/users.ts';
import type { AccountMails } from './account-mails.ts';
import type { PasswordConfirmation } from './passwords.ts';

export const API_KEY_PREFIX = 'cvs_';

export const apiKeyHash = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Keys of a user that are not revoked. */
export const MAX_API_KEYS = 50;
const KEY_CHARACTERS = 48;
const SHOWN_CHARACTERS = 8;

type Owner = Pick<Caller, 'organizationId' | 'userId'> & Partial<Pick<Caller, 'origin'>>;
type CreatedApiKey = ApiKeyRow & { key: string };

interface NewApiKey {
  name: string;
  /** null: does not expire. */
  expiresAt: Date | null;
  /** A key that was generated elsewhere. */
  chosen?: string | undefined;
}

/** API keys of users. */
export class ApiKeyService {
  constructor(
    private readonly store: Store,
    private readonly confirmation: PasswordConfirmation,
    private readonly accountMails: AccountMails,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(owner: Owner): Promise<ApiKeyRow[]> {
    return this.store.read.apiKeys.listForUser(owner.organizationId, owner.userId);
  }

  /** Returns the keys of a user of the caller's organization. Throws 404 if the user does not exist. */
  async listOfUser(by: Caller, userId: number): Promise<ApiKeyRow[]> {
    const user = await this.store.read.users.findById(by.organizationId, userId);
    if (user === null) throw notFound('user');
    return this.store.read.apiKeys.listForUser(by.organizationId, userId);
  }

  /**
   * Creates a key for the first start and the command line. Only the returned value contains the key itself.
   * `chosen`: a key that was generated elsewhere.
   */
  create(owner: Owner, name: string, chosen?: string): Promise<CreatedApiKey> {
    return this.store.transaction((repositories) =>
      this.insert(repositories, owner, { name, expiresAt: null, chosen }),
    );
  }

  /**
   * Creates a key for a signed-in user, who confirms it with their password. Throws 400 for a wrong password or an
   * expiry in the past, 409 for a user with `MAX_API_KEYS` keys.
   */
  async createConfirmed(
    caller: Caller,
    { currentPassword, ...key }: NewApiKey & { currentPassword: string },
  ): Promise<CreatedApiKey> {
    if (key.expiresAt !== null && key.expiresAt <= this.clock.now())
      throw invalid('expires_at', 'must be in the future; leave it out for a key that does not expire');
    const account = await this.confirmation.confirm(caller, currentPassword);
    return this.store.transaction(async (repositories) => {
      // Suspending the user or resetting the password meanwhile revokes existing keys; no new key may follow.
      await this.confirmation.lockConfirmed(repositories, account);
      const created = await this.insert(repositories, inHomeOrganization(caller), key);
      await this.accountMails.enqueue(repositories, caller.origin.requestId, {
        mail: 'api_key_created',
        user_id: caller.userId,
        name: created.key_name,
        start: created.key_start,
      });
      return created;
    });
  }

  /** Revokes a key of the caller. Throws 404 if there is no such active key. */
  async revoke(caller: Caller, apiKeyId: number): Promise<void> {
    const owner = inHomeOrganization(caller);
    await this.store.transaction((repositories) => revokeKey({ repositories, by: owner, owner, apiKeyId }));
  }

  /**
   * Revokes a key of a user of the organization. Throws 404 if the user or active key does not exist, 403 for a
   * superadmin's.
   */
  async revokeOfUser(by: Caller, userId: number, apiKeyId: number): Promise<void> {
    await this.store.transaction(async (repositories) => {
      const user = await lockUser(repositories, by, userId);
      const owner = { organizationId: user.organization_id, userId };
      await revokeKey({ repositories, by, owner, apiKeyId });
    });
  }

  private async insert(
    repositories: Repositories,
    owner: Owner,
    { name, expiresAt, chosen }: NewApiKey,
  ): Promise<CreatedApiKey> {
    await repositories.users.lockLimit('api_keys', owner.userId);
    const existing = await repositories.apiKeys.listForUser(owner.organizationId, owner.userId);
    if (existing.length >= MAX_API_KEYS)
      throw conflict(
        'too_many_api_keys',
        `${limitReached({ owner: 'A user', max: MAX_API_KEYS, unit: 'API key' })}, expired ones included; revoke one first`,
      );
    const key = chosen ?? API_KEY_PREFIX + this.ids.token(KEY_CHARACTERS);
    const created = await repositories.apiKeys.create({
      organizationId: owner.organizationId,
      userId: owner.userId,
      name,
      start: key.slice(0, SHOWN_CHARACTERS),
      hash: apiKeyHash(key),
      expiresAt,
    });
    await repositories.audit.record({
      by: owner,
      action: 'api_key.created',
      objectType: 'api_key',
      objectId: created.api_key_id,
    });
    return { ...created, key };
  }
}

async function revokeKey({
  repositories: { apiKeys, audit },
  by,
  owner,
  apiKeyId,
}: {
  repositories: Repositories;
  by: Caller;
  owner: Owner;
  apiKeyId: number;
}): Promise<void> {
  if (!(await apiKeys.revoke(owner.organizationId, owner.userId, apiKeyId))) throw notFound('API key');
  await audit.record({
    by,
    action: 'api_key.revoked',
    objectType: 'api_key',
    objectId: apiKeyId,
    ...(by.userId === owner.userId ? {} : { details: { owner_id: owner.userId } }),
  });
}

/** Uses that this process remembers, so that most requests need no query. */
const MAX_REMEMBERED = 10_000;
/** The largest prefix that one IPv6 customer usually gets. */
const IPV6_PREFIX_BITS = 56;

/** Records the first use of an API key from each network in the audit log. */
export class ApiKeyNetworks {
  private readonly remembered = new Set<string>();

  constructor(private readonly store: Store) {}

  /** Resolves once the use is recorded. */
  async recordUse(key: CallerRow, from: { id: string; address: string }): Promise<void> {
    const use = `${key.credential_id} ${from.address}`;
    if (this.remembered.has(use)) return;
    const network = addressNetwork(from.address, IPV6_PREFIX_BITS);
    await this.store.transaction(async ({ apiKeys, audit }) => {
      if (!(await apiKeys.addNetwork(key.credential_id, network))) return;
      await audit.record({
        by: {
          organizationId: key.home_organization_id,
          userId: key.user_id,
          origin: {
            credential: 'api_key',
            credentialId: key.credential_id,
            requestId: from.id,
            address: from.address,
          },
        },
        action: 'api_key.used_from_new_network',
        objectType: 'api_key',
        objectId: key.credential_id,
        details: { network },
      });
    });
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    this.remembered.add(use);
  }
}
