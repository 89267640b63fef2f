import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Figure } from './figure.ts';
import type { Machine } from './machine.ts';

/** In the order of the table. */
export const GROUPS = [
  'Collection',
  'Figures',
  'Exports',
  'Dashboards',
  'Cold start',
  'Growth',
  'Scale',
  'Texts, changes, accounts',
] as const;
export type Group = (typeof GROUPS)[number];

export interface BenchResult {
  name: string;
  group: Group;
  seconds: number;
  figures: Figure[];
  /** Why there are no figures. */
  missing: { because: 'left out' | 'failed'; reason: string } | null;
}

/** The results of one run, or of several with `--from`. */
export interface Results {
  format: 'canvass.bench';
  machine: Machine;
  seed: number;
  /** Responses of the largest survey. */
  many: number;
  benches: BenchResult[];
}

export function readResults(file: string): Results {
  if (!existsSync(file)) throw new Error(`--from: there is no ${file}`);
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  if (results.format !== 'canvass.bench') throw new Error(`--from: ${file} was not written by --json`);
  return results;
}

export function writeResults(file: string, results: Results): void {
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}

/** Replaces earlier results of the same name. */
export function mergeResults(earlier: Results | null, now: Results): Results {
  if (earlier === null) return now;
  const measured = new Set(now.benches.map(({ name }) => name));
  return { ...now, benches: [...earlier.benches.filter(({ name }) => !measured.has(name)), ...now.benches] };
}
