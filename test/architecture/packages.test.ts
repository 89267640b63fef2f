import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { licenseList, lockedPackages } from '../../scripts/locked-packages.mjs';

const packages = lockedPackages();

/** What may be used, changed and given away under any terms, with the notice; typefaces under their own. */
const TAKEN = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  'OFL-1.1',
  'MIT AND OFL-1.1',
  '(MIT AND Zlib)',
  // Taken as MIT.
  '(MIT OR GPL-3.0-or-later)',
]);

test('every runtime package has an accepted license', () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter(({ license }) => !TAKEN.has(license))).toEqual([]);
});

test('docs/reference/licenses.md is the output of `npm run generate`', () => {
  const written = readFileSync(new URL('../../docs/reference/licenses.md', import.meta.url), 'utf8');
  expect(written).toBe(licenseList(packages));
});

test('every package has a checksum in the lockfile', () => {
  expect(packages.filter(({ integrity }) => integrity === null).map(({ name }) => name)).toEqual([]);
});

test('only packages listed in package.json may run install scripts', () => {
  const { allowScripts } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { allowScripts: Record<string, boolean> };
  const asking = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(asking.filter((name) => !Object.hasOwn(allowScripts, name))).toEqual([]);
});
