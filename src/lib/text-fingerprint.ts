import { createHash } from 'node:crypto';

const FINGERPRINT_CHARACTERS = 16;

/** A short hash of a text: 96 bits of SHA-256 in base64url. Equal texts have equal fingerprints. Here, because the domain uses no module of Node. */
export const textFingerprint = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, FINGERPRINT_CHARACTERS);
