import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import { isValidSignature, signText } from '../../lib/secrets.ts';

const PURPOSE = 'known-device';
const NAME_PURPOSE = 'known-device-name';
const TTL_SECONDS = 180 * 24 * 60 * 60;
const ID_CHARACTERS = 22;
const NAME_CHARACTERS = 10;
const COOKIE_PATTERN = /^(([A-Za-z0-9]{22})-(\d{10,12}))-([A-Za-z0-9_-]{22})$/;

/** A cookie that identifies a browser that signed in to an account before. */
export interface DeviceCookie {
  name: string;
  value: string;
  maxAgeSeconds: number;
}

/**
 * Cookies `<device>-<until>-<signature>` of browsers that signed in to an account. Nothing is stored. The signature
 * covers the account, so a cookie is worthless for other accounts; its name contains a digest of the account, so that
 * several accounts of one browser can have one each. It is no credential: failed logins with it are only counted
 * apart from those of unknown clients.
 */
export class KnownDevices {
  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /**
   * Returns the device that the cookie names; null if it is not a known device of the account. `cookie` returns a
   * cookie's value by its name.
   */
  deviceOf(account: string, cookie: (name: string) => string | null): string | null {
    const [, text, device, until, signature] = COOKIE_PATTERN.exec(cookie(this.nameOf(account)) ?? '') ?? [];
    if (text === undefined || this.clock.now().getTime() >= Number(until) * 1000) return null;
    return isValidSignature(signature ?? '', {
      secret: this.secret,
      purpose: PURPOSE,
      text: `${text} ${account}`,
    })
      ? device!
      : null;
  }

  /** Returns the cookie to set after a login. `device`: the known device, if any. */
  cookieFor(account: string, device: string | null): DeviceCookie {
    const until = Math.floor(this.clock.now().getTime() / 1000) + TTL_SECONDS;
    const text = `${device ?? this.ids.token(ID_CHARACTERS)}-${until}`;
    const signature = signText(this.secret, PURPOSE, `${text} ${account}`);
    return { name: this.nameOf(account), value: `${text}-${signature}`, maxAgeSeconds: TTL_SECONDS };
  }

  private nameOf(account: string): string {
    return `known_device_${signText(this.secret, NAME_PURPOSE, account).slice(0, NAME_CHARACTERS)}`;
  }
}
