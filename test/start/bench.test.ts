import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { folder, remove } = temporaryFolder('bench-table');
afterAll(remove);
const at = (name: string) => path.join(folder, name);

/** Without R, wherever the tests run. */
const environment = { ...process.env, PATH: folder };

async function bench(...flags: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', 'bench/run.ts', ...flags],
    { env: environment },
  );
  return stdout;
}

test('npm run bench prints figures and exclusions in one table, for people, programs and documents', async () => {
  writeFileSync(at('doc.md'), 'Before\n\n<!-- bench: all -->\nold\n<!-- end of bench -->\n\nAfter\n');
  writeFileSync(at('list.md'), '<!-- bench: list -->\nold\n<!-- end of bench -->\n');

  const shown = await bench('logic', 'weighting', '--seed', '7', '--json', at('run.json'));
  expect(shown).toMatch(/cores? · .* of memory · .* · Node .* · PostgreSQL /);
  expect(shown).toContain('Data by seed 7');
  expect(shown).toMatch(
    /COLLECTION\nA page of 50 questions .* the limit: 1,000 µs +[\d.]+ +≤ 0.5 +(yes|no)\n/,
  );
  expect(shown).toMatch(/FIGURES\n`weighting` +left out: R with its/);

  const saved = JSON.parse(readFileSync(at('run.json'), 'utf8')) as {
    benches: { name: string; figures: { inList?: string }[] }[];
  };
  expect(saved.benches.map(({ name }) => name)).toEqual(['logic', 'weighting']);
  expect(saved).toMatchObject({
    seed: 7,
    benches: [{ figures: [{ yardstick: { value: 1_000, unit: 'µs' } }] }, {}],
  });

  saved.benches[0]!.figures[0]!.inList = 'for a page of 50 questions';
  writeFileSync(at('run.json'), JSON.stringify(saved));
  // Told again, and nothing measured.
  const secondOutput = await bench(
    '--from',
    at('run.json'),
    '--markdown',
    at('doc.md'),
    '--markdown',
    at('list.md'),
    '--markdown',
    at('new.md'),
  );
  expect(secondOutput).not.toContain('measured in');
  const written = readFileSync(at('doc.md'), 'utf8');
  expect(written).toMatch(/^Before\n\n<!-- bench: all -->\n[\s\S]*\n<!-- end of bench -->\n\nAfter\n$/);
  expect(written).toMatch(/\| \*\*Collection\*\* +\|/);
  expect(written).toMatch(/\| A page of 50 questions .* \| the limit: 1,000 µs +\| +[\d.]+ \| +≤ 0.5 +\|/);
  expect(written).not.toContain('old');
  expect(readFileSync(at('list.md'), 'utf8')).toMatch(
    /^<!-- bench: list -->\n\n- \*\*[\d.,]+ µs\*\* for a page of 50 questions\n\n<!-- end of bench -->\n$/,
  );
  expect(readFileSync(at('new.md'), 'utf8')).toContain('| `weighting`');
}, 120_000);
