import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StartError } from '../../../src/lib/errors.ts';
import { loadJwtSecret } from '../../../src/lib/secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-secrets-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('creates a secret that only the owner can read, and keeps it', () => {
  const dataDir = path.join(folder, 'new', 'data');
  const secret = loadJwtSecret(dataDir);
  expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
  expect(statSync(path.join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(loadJwtSecret(dataDir)).toBe(secret);
  expect(loadJwtSecret(path.join(folder, 'other'))).not.toBe(secret);
});

it.each(['{}', '{"jwt_secret":"short"}', '{"jwt_secret":123}', '[]', 'null', '', '{"jwt_secret":'])(
  'stops the start without overwriting a file that contains %j',
  (text) => {
    const file = path.join(folder, 'secrets.json');
    writeFileSync(file, text);
    expect(() => loadJwtSecret(folder)).toThrow(StartError);
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);
