import type { Clock } from '../../lib/clock.ts';
import { isValidSignature, sign } from '../../lib/signed-text.ts';

/** The cookie that holds one, sent back to the page and to the API of that dashboard alone. */
export const UNLOCK_COOKIE = 'dashboard_token';

const PURPOSE = 'dashboard-unlock';
const TTL_SECONDS = 8 * 60 * 60;
const FORM = /^(([1-9]\d{0,15})-(\d{10,12}))-([A-Za-z0-9_-]{22})$/;

/** A password share as it is now. */
interface Lock {
  shareId: number;
  passwordHash: string;
}

/**
 * What somebody gets who knew the password of a dashboard: `<share>-<until>-<signature>`. Nothing is stored. It opens that share
 * alone, and the password's hash is signed with it: with the share removed or its password changed it is worthless.
 */
export class UnlockTokens {
  private readonly secret: string;
  private readonly clock: Clock;

  constructor(secret: string, clock: Clock) {
    this.secret = secret;
    this.clock = clock;
  }

  issue({ shareId, passwordHash }: Lock): { token: string; maxAgeSeconds: number } {
    const text = `${shareId}-${Math.floor(this.clock.now().getTime() / 1000) + TTL_SECONDS}`;
    const signature = sign(this.secret, PURPOSE, `${text} ${passwordHash}`);
    return { token: `${text}-${signature}`, maxAgeSeconds: TTL_SECONDS };
  }

  isValid(token: string, { shareId, passwordHash }: Lock): boolean {
    const [, text, share, until, signature] = FORM.exec(token) ?? [];
    if (text === undefined || Number(share) !== shareId) return false;
    if (this.clock.now().getTime() >= Number(until) * 1000) return false;
    return isValidSignature(signature!, this.secret, PURPOSE, `${text} ${passwordHash}`);
  }
}
