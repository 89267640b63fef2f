import { createHmac, timingSafeEqual } from 'node:crypto';

/** 128 bits of HMAC-SHA-256: too many to guess. */
const SIGNATURE_BYTES = 16;

/** Returns the HMAC-SHA-256 of a text in base64url. A signature for one purpose is not valid for another. */
export function signText(secret: string, purpose: string, text: string): string {
  const digest = createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();
  return digest.subarray(0, SIGNATURE_BYTES).toString('base64url');
}

export function isValidSignature(
  signature: string,
  { secret, purpose, text }: { secret: string; purpose: string; text: string },
): boolean {
  const expected = Buffer.from(signText(secret, purpose, text));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
