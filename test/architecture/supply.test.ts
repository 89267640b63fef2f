import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { billOfMaterials, lockedPackages } from '../../scripts/locked-packages.mjs';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

it('the build lists every package of the product with its checksum, in CycloneDX', () => {
  const bom = JSON.parse(read('dist/sbom.cdx.json')) as ReturnType<typeof billOfMaterials>;
  expect(bom).toEqual(billOfMaterials());
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
  const named = new Set(bom.components.map(({ name, version }) => `${name}@${version}`));
  expect(named).toEqual(new Set(lockedPackages().map(({ name, version }) => `${name}@${version}`)));
  // Installed packages, and those that the build puts into the server and the pages.
  for (const name of ['express', 'bcrypt', 'openai', 'echarts', '@aws-sdk/client-s3'])
    expect(bom.components.some((one) => one.name === name)).toBe(true);
  expect(bom.components.map(({ name }) => name)).not.toContain('vitest');
  for (const { purl, hashes } of bom.components) {
    expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  }
});

it('workflows use actions by commit, with the version beside it', () => {
  const folder = new URL('../../.github/workflows/', import.meta.url);
  const used = readdirSync(folder).flatMap((file) =>
    [...read(`.github/workflows/${file}`).matchAll(/uses: (.*)$/gm)].map(([, action]) => action!),
  );
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('the container of the server cannot write outside its volume, and gains no rights', () => {
  const server = read('docker-compose.yml').split(/^ {2}(?=\w)/m)[1]!;
  expect(server).toMatch(/^canvass:/);
  for (const line of [
    'read_only: true',
    'cap_drop: [ALL]',
    "security_opt: ['no-new-privileges:true']",
    'tmpfs:',
  ])
    expect(server).toContain(line);
});
