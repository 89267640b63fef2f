import { addressNetwork } from '../../lib/address-network.ts';
import type { CallerRow } from '../../repositories/sessions.ts';
import type { Store } from '../../repositories/store.ts';

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
