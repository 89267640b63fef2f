import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { StartError } from './errors.ts';

/** The signing secret kept in the data folder, made at first start, readable by its owner alone. */
export function jwtSecretFrom(dataDir: string): string {
  const file = path.join(dataDir, 'secrets.json');
  if (existsSync(file)) {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const secret = (stored as { jwt_secret?: unknown }).jwt_secret;
    if (typeof secret !== 'string' || secret.length < 32) {
      throw new StartError(
        `${file} holds no usable jwt_secret; restore it or remove the file (everybody is then signed out)`,
      );
    }
    return secret;
  }
  mkdirSync(dataDir, { recursive: true });
  const secret = randomBytes(48).toString('base64url');
  writeFileSync(file, `${JSON.stringify({ jwt_secret: secret }, null, 2)}\n`, { mode: 0o600 });
  return secret;
}
