import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Rooms of src/ that the documents name without saying `src/`. */
const ROOMS =
  /^(src|services|domain|routes|repositories|providers|exporters|importers|http|jobs|web|lib|db)\//;

const documents = readdirSync('docs').filter((name) => name.endsWith('.md'));

/** What stands in backticks and is a path of ours: no placeholder, no member, no address of another house. */
function pathsIn(text: string): string[] {
  const named = [...text.replace(/^```.*?^```/gms, '').matchAll(/`([^`\s]+)`/g)].map(([, name]) => name!);
  return [...new Set(named)].filter((name) => ROOMS.test(name) && !/[<*…]/.test(name));
}

function isThere(path: string): boolean {
  const place = path.startsWith('src/') ? path : `src/${path}`;
  return existsSync(place) || existsSync(`${place}.ts`);
}

test.each(documents)('every file and folder that docs/%s names is there', (name) => {
  const lost = pathsIn(readFileSync(`docs/${name}`, 'utf8')).filter((path) => !isThere(path));
  expect(lost).toEqual([]);
});

test('docs/architecture.md names every folder of src/', () => {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const paths = pathsIn(text);
  // A reader that found no path would be content with anything.
  expect(paths.length).toBeGreaterThan(80);
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const untold = folders.map(({ name }) => name).filter((name) => !text.includes(`\`${name}/`));
  expect(untold).toEqual([]);
});

test.each(['routes', 'services', 'domain', 'providers'])(
  'every room of src/%s/ is in docs/architecture.md',
  (floor) => {
    const text = readFileSync('docs/architecture.md', 'utf8');
    const rooms = readdirSync(`src/${floor}`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const untold = rooms.map(({ name }) => `${floor}/${name}`).filter((room) => !text.includes(`\`${room}`));
    expect(untold).toEqual([]);
  },
);
