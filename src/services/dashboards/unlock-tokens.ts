import type { Clock } from '../../lib/clock.ts';
import { isValidSignature, signText } from '../../lib/secrets.ts';

/** Cookie that stores an unlock token; limited to the paths of its dashboard. */
export const UNLOCK_COOKIE = 'dashboard_token';

const PURPOSE = 'dashboard-unlock';
const TTL_SECONDS = 8 * 60 * 60;
const FORM = /^(([1-9]\d{0,15})-(\d{10,12}))-([A-Za-z0-9_-]{22})$/;

/** A password share at the time of the request. */
interface Lock {
  shareId: number;
  passwordHash: string;
}

/**
 * Stateless tokens issued for the correct dashboard password: `<share>-<expiry>-<signature>`. The signature covers the share and its
 * password hash, so a token is valid for one share only and until its password is changed or the share is deleted.
 */
export class UnlockTokens {
  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
  ) {}

  issue({ shareId, passwordHash }: Lock): { token: string; maxAgeSeconds: number } {
    const text = `${shareId}-${Math.floor(this.clock.now().getTime() / 1000) + TTL_SECONDS}`;
    const signature = signText(this.secret, PURPOSE, `${text} ${passwordHash}`);
    return { token: `${text}-${signature}`, maxAgeSeconds: TTL_SECONDS };
  }

  isValid(token: string, { shareId, passwordHash }: Lock): boolean {
    const [, text, share, until, signature] = FORM.exec(token) ?? [];
    if (text === undefined || Number(share) !== shareId) return false;
    if (this.clock.now().getTime() >= Number(until) * 1000) return false;
    return isValidSignature(signature ?? '', {
      secret: this.secret,
      purpose: PURPOSE,
      text: `${text} ${passwordHash}`,
    });
  }
}
