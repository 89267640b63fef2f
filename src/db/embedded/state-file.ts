import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../../lib/errors.ts';

/** The state in DATA_DIR/postgres.json, kept between starts. It contains a password, so its mode is 0600. */
const stateSchema = z.object({
  password: z.string().min(1),
  /** The directory outside DATA_DIR that contains the database; null if it is in DATA_DIR. */
  home: z.string().nullable(),
  /** The port of the last start; null before the first one. */
  port: z.number().int().nullable(),
});

export type EmbeddedState = z.infer<typeof stateSchema>;

function stateFile(dataDir: string): string {
  return join(dataDir, 'postgres.json');
}

export async function readState(dataDir: string): Promise<EmbeddedState | null> {
  const file = stateFile(dataDir);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    throw new StartError(
      `${file} is damaged. It holds the password of the database beside it: restore it from a backup, ` +
        `or move ${dataDir} away to begin with an empty database.`,
    );
  }
}

/** Creates the file exclusively: of two processes that start together, both use the content of the first. */
export async function createState(dataDir: string, home: string | null): Promise<EmbeddedState> {
  const file = stateFile(dataDir);
  const state: EmbeddedState = { password: randomBytes(24).toString('base64url'), home, port: null };
  const draft = await writeDraft(file, state);
  try {
    // File systems without hard links, such as some shared folders, still support an exclusive copy.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      return copyFile(draft, file, constants.COPYFILE_EXCL);
    });
    return state;
  } catch (error) {
    const theirs = await readState(dataDir);
    if (!theirs) throw error;
    return theirs;
  } finally {
    await rm(draft, { force: true });
  }
}

export async function saveState(dataDir: string, state: EmbeddedState): Promise<void> {
  const file = stateFile(dataDir);
  await rename(await writeDraft(file, state), file);
}

async function writeDraft(file: string, state: EmbeddedState): Promise<string> {
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true });
  return draft;
}
