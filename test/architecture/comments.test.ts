import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const FOLDERS = ['src', 'test', 'bench', 'faults', 'fuzz', 'scripts', 'migrations', 'seeds', 'docs'];
const FILES = [...readdirSync('.'), ...FOLDERS.flatMap(filesIn)];
const SOURCES = FILES.filter((file) => /\.(tsx?|mjs|css)$/.test(file) && !file.endsWith('api-types.d.ts'));
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g;
/** A file of ours, with or without its folders; not `.ts` alone, nor the end of a pattern. */
const FILE_NAME = /(?<![\w./@*-])(?:[\w-]+\/)*\w[\w-]*(?:\.[\w-]+)*\.(?:tsx?|mjs|css|md)\b/g;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map((name) =>
    `${folder}/${String(name)}`.split(path.sep).join('/'),
  );
}

const exists = (name: string): boolean => FILES.some((file) => file === name || file.endsWith(`/${name}`));

test('comments name only files that exist', () => {
  expect(SOURCES.length).toBeGreaterThan(1_000);
  const missing = SOURCES.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(COMMENT)]
      .flatMap(([comment]) => [...comment.matchAll(FILE_NAME)].map(([name]) => name))
      .filter((name) => !exists(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});
