import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const DOMAIN = 'src/domain';
const folders = readdirSync(DOMAIN);

/** The other folders of the domain that files of a folder import from. */
function importsOf(folder: string): string[] {
  const files = readdirSync(`${DOMAIN}/${folder}`, { recursive: true }).map((name) =>
    path.join(DOMAIN, folder, String(name)),
  );
  const imported = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g)].map(([, specifier]) =>
        path.relative(DOMAIN, path.join(path.dirname(file), specifier!)),
      ),
    )
    .map((file) => file.split(path.sep)[0]!);
  return [...new Set(imported)].filter((other) => other !== folder && folders.includes(other));
}

/** The folders of a cycle, the first one again at the end; null: none is reached from `from`. */
function findCycle(imports: ReadonlyMap<string, readonly string[]>, from: string): string[] | null {
  const search = (folder: string, steps: readonly string[]): string[] | null => {
    for (const next of imports.get(folder) ?? []) {
      if (next === from) return [...steps, next];
      if (steps.includes(next)) continue;
      const found = search(next, [...steps, next]);
      if (found !== null) return found;
    }
    return null;
  };
  return search(from, [from]);
}

test('folders of the domain import in one direction', () => {
  const imports = new Map(folders.map((folder) => [folder, importsOf(folder)]));
  expect([...imports.values()].flat().length).toBeGreaterThan(50);
  const pairs = folders.filter((folder) =>
    imports.get(folder)!.some((other) => imports.get(other)!.includes(folder)),
  );
  expect(pairs).toEqual([]);
  expect(folders.map((folder) => findCycle(imports, folder)?.join(' → ') ?? null).filter(Boolean)).toEqual(
    [],
  );
});
