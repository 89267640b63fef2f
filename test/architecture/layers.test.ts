import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

interface Report {
  summary: { violations: { rule: { name: string }; from: string; to: string }[] };
  modules: { source: string }[];
}

it('every import points to a lower layer, and no imports form a cycle', async () => {
  const program = path.resolve('node_modules/.bin/depcruise');
  const settings = ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
  // It exits with the number of violations, which the report lists.
  const { stdout } = await promisify(execFile)(program, settings, { maxBuffer: 200_000_000 }).catch(
    (error: { stdout: string }) => error,
  );
  const { summary, modules } = JSON.parse(stdout) as Report;
  const violations = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  expect(violations).toEqual([]);
  // A checker that looked at nothing would be content too.
  const own = modules.filter((module) => module.source.startsWith('src/'));
  expect(own.length).toBeGreaterThan(50);
  // It reads all sources.
}, 120_000);
