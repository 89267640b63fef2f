import { readFileSync } from 'node:fs';

export interface LockedPackage {
  name: string;
  version: string;
  license: string;
  /** It runs a script when it is installed. */
  hasInstallScript: boolean;
  /** Its bytes are held to a checksum. */
  hasIntegrity: boolean;
}

/** Packages that state their license in an older form; taken from their LICENSE files. */
const LICENSES_FROM_FILES = new Map([
  ['busboy', 'MIT'],
  ['png-js', 'MIT'],
  ['streamsearch', 'MIT'],
]);

interface LockEntry {
  version: string;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
  integrity?: string;
  dependencies?: Record<string, string>;
}

type LockEntries = Record<string, LockEntry>;

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));

/**
 * The packages that run with the product, those of all platforms, as package-lock.json has them: installed ones, and development packages
 * whose code the build puts into `dist/`.
 */
export function lockedPackages(): LockedPackage[] {
  const { packages } = read('package-lock.json') as { packages: LockEntries };
  const { bundledPackages } = read('package.json') as { bundledPackages: string[] };
  const bundled = new Set(bundledPackages.flatMap((name) => [...foldersOf(packages, name, '')]));
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== '' && (dev !== true || bundled.has(folder)))
    .map(([folder, { version, license, hasInstallScript, integrity }]) => {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return {
        name,
        version,
        license: license ?? LICENSES_FROM_FILES.get(name) ?? 'none stated',
        hasInstallScript: hasInstallScript === true,
        hasIntegrity: integrity !== undefined,
      };
    });
}

/** The folders of a package that `from` imports, and of everything that it depends on. */
function foldersOf(
  packages: LockEntries,
  name: string,
  from: string,
  found = new Set<string>(),
): Set<string> {
  const folder = `${from}${from === '' ? '' : '/'}node_modules/${name}`;
  const entry = packages[folder];
  if (entry === undefined) {
    if (from === '') return found;
    const parent = from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0));
    return foldersOf(packages, name, parent, found);
  }
  if (found.has(folder)) return found;
  found.add(folder);
  for (const needed of Object.keys(entry.dependencies ?? {})) foldersOf(packages, needed, folder, found);
  return found;
}

/** The text of docs/reference/licenses.md. */
export function licenseList(packages: readonly LockedPackage[]): string {
  const byLicense = new Map<string, Set<string>>();
  for (const { name, version, license } of packages) {
    const names = byLicense.get(license) ?? new Set();
    byLicense.set(license, names.add(`${name} ${version}`));
  }
  const sections = [...byLicense]
    .sort(([, one], [, other]) => other.size - one.size)
    .map(([license, names]) => `## ${license} (${names.size})\n\n${[...names].sort().join(', ')}\n`);
  return `# Licenses\n\n<!-- Written by \`npm run licenses\` from package-lock.json. -->\n\nEvery package that \`npm ci --omit=dev\` can install, on any platform, and the packages whose code the build includes in \`dist/\`.\n\n${sections.join('\n')}`;
}
