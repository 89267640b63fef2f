import { createHmac, timingSafeEqual } from 'node:crypto';

/** 128 bits of HMAC-SHA-256 are as many as anybody could ever guess at. */
const SIGNATURE_BYTES = 16;

/** What `secret` says to a text for one purpose; a signature for one purpose is none for another. Characters of base64url. */
export function sign(secret: string, purpose: string, text: string): string {
  const digest = createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();
  return digest.subarray(0, SIGNATURE_BYTES).toString('base64url');
}

export function isValidSignature(signature: string, secret: string, purpose: string, text: string): boolean {
  const expected = Buffer.from(sign(secret, purpose, text));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
