import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long after its time a signature of an entry is valid. */
export const SIGNATURE_MAX_AGE_SECONDS = 15 * 60;
/** How far the clock of a panel may be ahead. */
export const SIGNATURE_CLOCK_SKEW_SECONDS = 60;

/**
 * Signatures of panels: HMAC-SHA-256 (RFC 2104) in lower-case hexadecimal digits. The key is the text of the key in UTF-8. The message has
 * its parts on lines of their own. Only the external id can contain a line break, and it has a fixed number of lines after it, so no
 * two messages are the same. The first line keeps the signature of an exit from opening an entry.
 */
function sign(key: string, lines: readonly (string | number)[]): string {
  return createHmac('sha256', key).update(lines.join('\n'), 'utf8').digest('hex');
}

/** `signedAt`: seconds since 1970, as the panel wrote them. */
export const signPanelEntry = (
  key: string,
  entry: { linkToken: string; externalId: string; signedAt: string | number },
): string => sign(key, ['entry', entry.linkToken, entry.externalId, entry.signedAt]);

export const signPanelExit = (
  key: string,
  exit: { linkToken: string; externalId: string; status: string; signedAt: number },
): string => sign(key, ['exit', exit.linkToken, exit.externalId, exit.status, exit.signedAt]);

/** Compares in constant time; `given` in lower or upper case. */
export function isSameSignature(expected: string, given: string): boolean {
  const one = Buffer.from(expected);
  const other = Buffer.from(given.toLowerCase());
  return one.length === other.length && timingSafeEqual(one, other);
}
