import { createHmac, hkdfSync } from 'node:crypto';
import { addressNetwork } from './address-network.ts';

/** How the request log names who sent a request. */
export const REQUESTER_MODES = ['hashed', 'plain', 'none'] as const;
export type RequesterMode = (typeof REQUESTER_MODES)[number];

const KEY_BYTES = 32;
const LABEL_CHARACTERS = 16;

/**
 * Names the networks and users of requests in the log. Hashed names are equal within a day (UTC), so that the lines of an incident can be
 * found, and cannot be linked between days or reversed without the secret of the installation.
 */
export class RequesterLabels {
  private key: { day: string; bytes: Buffer } | null = null;

  constructor(
    readonly mode: RequesterMode,
    private readonly secret: string,
  ) {}

  /** `day`: `2026-11-28`. */
  network(address: string, day: string): string {
    const network = addressNetwork(address);
    return this.mode === 'plain' ? network : this.hash(`network ${network}`, day);
  }

  user(userId: number, day: string): string {
    return this.mode === 'plain' ? String(userId) : this.hash(`user ${userId}`, day);
  }

  private hash(text: string, day: string): string {
    if (this.key?.day !== day) {
      const bytes = hkdfSync('sha256', this.secret, '', `canvass request-log ${day}`, KEY_BYTES);
      this.key = { day, bytes: Buffer.from(bytes) };
    }
    return createHmac('sha256', this.key.bytes).update(text).digest('hex').slice(0, LABEL_CHARACTERS);
  }
}
