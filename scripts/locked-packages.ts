import { readFileSync } from 'node:fs';

export interface LockedPackage {
  name: string;
  version: string;
  licence: string;
  /** It runs a script when it is installed. */
  hasInstallScript: boolean;
  /** Its bytes are held to a checksum. */
  hasIntegrity: boolean;
}

/** They say so in an older form than the field of today; read in their LICENSE files. */
const STATED_ELSEWHERE = new Map([
  ['busboy', 'MIT'],
  ['png-js', 'MIT'],
  ['streamsearch', 'MIT'],
]);

interface LockFile {
  packages: Record<
    string,
    {
      version: string;
      license?: string;
      dev?: boolean;
      hasInstallScript?: boolean;
      integrity?: string;
    }
  >;
}

/** The packages that run with the product, those of all platforms, as package-lock.json has them. */
export function lockedPackages(): LockedPackage[] {
  const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
  return Object.entries((JSON.parse(text) as LockFile).packages)
    .filter(([folder, { dev }]) => folder !== '' && dev !== true)
    .map(([folder, { version, license, hasInstallScript, integrity }]) => {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return {
        name,
        version,
        licence: license ?? STATED_ELSEWHERE.get(name) ?? 'none stated',
        hasInstallScript: hasInstallScript === true,
        hasIntegrity: integrity !== undefined,
      };
    });
}

/** The text of docs/licences.md. */
export function licenceList(packages: readonly LockedPackage[]): string {
  const byLicence = new Map<string, Set<string>>();
  for (const { name, version, licence } of packages) {
    const of = byLicence.get(licence) ?? new Set();
    byLicence.set(licence, of.add(`${name} ${version}`));
  }
  const sections = [...byLicence]
    .sort(([, one], [, other]) => other.size - one.size)
    .map(([licence, of]) => `## ${licence} (${of.size})\n\n${[...of].sort().join(', ')}\n`);
  return `# Licences of what runs with Canvass\n\nEvery package that \`npm ci --omit=dev\` may install, on whichever platform, as \`package-lock.json\` has it. \`npm run licences\`\nwrites this list; a test holds it to the lock file, and each licence to those that we take.\n\n${sections.join('\n')}`;
}
