import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';

/** Packages that state their license in an older form; taken from their LICENSE files. */
const LICENSES_FROM_FILES = new Map([
  ['busboy', 'MIT'],
  ['png-js', 'MIT'],
  ['streamsearch', 'MIT'],
]);

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));

/**
 * The packages that run with the product, those of all platforms, as package-lock.json has them. Plain JavaScript with types beside it,
 * because the build uses it too.
 */
export function lockedPackages() {
  const { packages } = read('package-lock.json');
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== '' && dev !== true)
    .map(([folder, { version, license, hasInstallScript, integrity }]) => {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return {
        name,
        version,
        license: license ?? LICENSES_FROM_FILES.get(name) ?? 'none stated',
        hasInstallScript: hasInstallScript === true,
        integrity: integrity ?? null,
      };
    });
}

/** The part of package-lock.json that `npm ci` needs beside a package.json with these fields. */
export function lockfileFor(manifest) {
  const { packages, ...lockfile } = read('package-lock.json');
  const { name, version, license, engines, dependencies, optionalDependencies } = manifest;
  const root = { name, version, license, engines, dependencies, optionalDependencies };
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  const needed = new Set(names.flatMap((each) => [...foldersOf(packages, each, '')]));
  const entries = Object.entries(packages).filter(([folder]) => needed.has(folder));
  return { ...lockfile, packages: { '': root, ...Object.fromEntries(entries) } };
}

/** The folders of a package that `from` imports, and of everything that it depends on. */
function foldersOf(packages, name, from, found = new Set()) {
  const folder = `${from}${from === '' ? '' : '/'}node_modules/${name}`;
  const entry = packages[folder];
  if (entry === undefined) {
    if (from === '') return found;
    const parent = from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0));
    return foldersOf(packages, name, parent, found);
  }
  if (found.has(folder)) return found;
  found.add(folder);
  for (const needed of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
    foldersOf(packages, needed, folder, found);
  return found;
}

/** The text of docs/reference/licenses.md. */
export function licenseList(packages) {
  const byLicense = new Map();
  for (const { name, version, license } of packages) {
    const names = byLicense.get(license) ?? new Set();
    byLicense.set(license, names.add(`${name} ${version}`));
  }
  const sections = [...byLicense]
    .sort(([, one], [, other]) => other.size - one.size)
    .map(([license, names]) => `## ${license} (${names.size})\n\n${[...names].sort().join(', ')}\n`);
  return `# Licenses\n\n<!-- Written by \`npm run generate\` from package-lock.json. -->\n\nEvery package that \`npm ci --omit=dev\` can install, on any platform.\n\n${sections.join('\n')}`;
}

/** A software bill of materials, CycloneDX 1.6 as JSON: the packages that run with the product, each with its checksum. */
export function billOfMaterials() {
  const { name, version, license } = read('package.json');
  const component = (type, one) => ({
    type,
    'bom-ref': purlOf(one),
    name: one.name,
    version: one.version,
    purl: purlOf(one),
    licenses: [{ expression: one.license }],
  });
  const components = new Map(
    lockedPackages().map((one) => [
      purlOf(one),
      { ...component('library', one), hashes: one.integrity === null ? [] : [hashOf(one.integrity)] },
    ]),
  );
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component('application', { name, version, license }) },
    components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  };
}

/** Package URL: `pkg:npm/%40scope/name@1.2.3`. */
const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** `sha512-<base64>` as CycloneDX writes it. */
function hashOf(integrity) {
  const [algorithm, digest] = integrity.split(/-(.*)/s);
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  };
}
