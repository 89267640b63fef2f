import { createHmac, hkdfSync } from 'node:crypto';
import { addressNetwork } from '../../lib/address-network.ts';

const KEY_BYTES = 32;
const HASH_BYTES = 16;

/**
 * Hashes network addresses with a key per survey: equal within a survey, unlinkable between surveys, and useless to
 * anyone who has the database without the secret. After a change of the secret, earlier addresses no longer match.
 */
export class AddressHasher {
  constructor(private readonly secret: string) {}

  hash(surveyId: number, address: string): string {
    const key = hkdfSync('sha256', this.secret, '', `canvass address-hash survey:${surveyId}`, KEY_BYTES);
    const hash = createHmac('sha256', Buffer.from(key)).update(addressNetwork(address)).digest();
    return hash.subarray(0, HASH_BYTES).toString('base64url');
  }
}
