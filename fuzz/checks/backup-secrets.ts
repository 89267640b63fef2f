import { rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readZip } from '../../test/support/read-zip.ts';
import type { FuzzTarget } from '../support/target.ts';
import { findSecret } from './planted.ts';

/** The first secret that a backup of everything holds, and where; null: none. */
export async function findSecretInBackup(
  { test }: FuzzTarget,
  secrets: readonly string[],
  folder: string,
): Promise<string | null> {
  const file = path.join(folder, 'backup.zip');
  await test.container.services.backups.write(file);
  try {
    for (const [name, bytes] of await readZip(readFileSync(file))) {
      const found = findSecret(bytes.toString('latin1'), secrets);
      if (found !== null) return `${found} in ${name}`;
    }
    return null;
  } finally {
    await rm(file, { force: true });
  }
}
