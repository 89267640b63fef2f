import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFolder } from './create-folder.ts';
import { StartError } from './errors.ts';

const MIN_CHARACTERS = 32;

/** Returns the signing secret from the data folder. Creates it at the first start, readable only by the owner. */
export function loadJwtSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secrets.json');
  if (existsSync(file)) {
    const secret = readSecret(file);
    if (secret === null) {
      throw new StartError(
        `${file} contains no usable jwt_secret; restore the file, or remove it (all users are then signed out)`,
      );
    }
    return secret;
  }
  try {
    createFolder(dataDir, 0o700);
  } catch (error) {
    throw new StartError(
      `The folder ${dataDir} cannot be created (${(error as Error).message}); set DATA_DIR to a folder that this user may write`,
    );
  }
  const secret = randomBytes(48).toString('base64url');
  // Writes a temporary file and renames it, so that a killed start leaves no incomplete file.
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, `${JSON.stringify({ jwt_secret: secret }, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
  return secret;
}

function readSecret(file: string): string | null {
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { jwt_secret?: unknown } | null;
    const secret = stored?.jwt_secret;
    return typeof secret === 'string' && secret.length >= MIN_CHARACTERS ? secret : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** 128 bits of HMAC-SHA-256: too many to guess. */
const SIGNATURE_BYTES = 16;

/** Returns the HMAC-SHA-256 of a text in base64url. A signature for one purpose is not valid for another. */
export function signText(secret: string, purpose: string, text: string): string {
  const digest = createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();
  return digest.subarray(0, SIGNATURE_BYTES).toString('base64url');
}

/** Returns 32 hexadecimal digits that only the secret can derive from the text. */
export function deriveToken(secret: string, purpose: string, text: string): string {
  const digest = createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();
  return digest.subarray(0, SIGNATURE_BYTES).toString('hex');
}

export function isValidSignature(
  signature: string,
  { secret, purpose, text }: { secret: string; purpose: string; text: string },
): boolean {
  const expected = Buffer.from(signText(secret, purpose, text));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const CIPHER = 'aes-256-gcm';
const CIPHER_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const cipherKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `canvass ${purpose}`, CIPHER_KEY_BYTES));

/** Encrypts a text that has to be read again (AES-256-GCM), in base64url. It can be decrypted only with the same secret and purpose. */
export function encryptText(secret: string, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, cipherKey(secret, purpose), nonce);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** Returns null if the text was encrypted with another secret or for another purpose, or was changed. */
export function decryptText(secret: string, purpose: string, encrypted: string): string | null {
  const bytes = Buffer.from(encrypted, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, cipherKey(secret, purpose), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8');
  } catch {
    // The tag does not fit.
    return null;
  }
}
