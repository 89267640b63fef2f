import { decryptText, encryptText } from '../../lib/secrets.ts';

const purposeOf = (linkId: number): string => `panel-signing-key link:${linkId}`;

/**
 * Encrypts the signing keys of links, which have to be read again to compute signatures. They are useless to anyone who has the database
 * without the secret of the installation, and after a change of the secret.
 */
export class SigningKeys {
  constructor(private readonly secret: string) {}

  encrypt(linkId: number, key: string): string {
    return encryptText(this.secret, purposeOf(linkId), key);
  }

  /** null: no key, or the secret of the installation has changed since. */
  decrypt(linkId: number, encrypted: string | null): string | null {
    return encrypted === null ? null : decryptText(this.secret, purposeOf(linkId), encrypted);
  }
}
