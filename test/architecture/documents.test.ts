import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

/** Markdown files of a folder and, if wanted, of the folders in it. */
function documentsIn(folder: string, recursive: boolean): string[] {
  return readdirSync(folder, { recursive })
    .map((name) => path.posix.join(folder, String(name).split(path.sep).join('/')))
    .filter((file) => file.endsWith('.md'));
}

const DOCUMENTS = [
  ...documentsIn('.', false),
  ...['docs', 'bench', 'fuzz', 'seeds', 'src', '.github'].flatMap((folder) => documentsIn(folder, true)),
].sort();

/** Folders of src/ whose paths documents give without `src/`. */
const LAYERS =
  /^(src|services|domain|routes|repositories|providers|exporters|importers|middleware|http|jobs|web|lib|db)\//;

const textOf = (file: string): string => readFileSync(file, 'utf8');
const withoutCodeBlocks = (text: string): string => text.replace(/^```.*?^```/gms, '');

/** Paths of source files and folders in inline code, without placeholders such as `routes/<family>`. */
function sourcePathsIn(text: string): string[] {
  const codes = [...withoutCodeBlocks(text).matchAll(/`([^`\s]+)`/g)].map(([, code]) => code!);
  return [...new Set(codes)].filter((code) => LAYERS.test(code) && !/[<*…{]/.test(code));
}

function isSourcePath(name: string): boolean {
  const file = name.startsWith('src/') ? name : `src/${name}`;
  return existsSync(file) || existsSync(`${file}.ts`);
}

/** The anchors that GitHub gives the headings of a document. */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutCodeBlocks(textOf(file)).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Relative links and pictures of a document that lead nowhere, with the reason. */
function brokenLinksIn(file: string): string[] {
  const text = withoutCodeBlocks(textOf(file));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
    ([, link, attribute]) => link ?? attribute!,
  );
  return links
    .filter((link) => !/^(https?:|mailto:)/.test(link))
    .flatMap((link) => {
      const [target = '', anchor] = link.split('#');
      const linked = target === '' ? file : path.join(path.dirname(file), target);
      if (!existsSync(linked)) return [`${link}: no such file`];
      if (anchor === undefined) return [];
      if (statSync(linked).isDirectory() || !anchorsOf(linked).has(anchor))
        return [`${link}: no such heading`];
      return [];
    });
}

test('finds the documents of every folder', () => {
  expect(DOCUMENTS).toContain('README.md');
  expect(DOCUMENTS).toContain('docs/explanation/architecture.md');
  expect(DOCUMENTS).toContain('bench/README.md');
});

describe.each(DOCUMENTS)('%s', (file) => {
  test('links only to files and headings that exist', () => {
    expect(brokenLinksIn(file)).toEqual([]);
  });

  test('names only source files, tests and folders that exist', () => {
    const text = textOf(file);
    const tests = [...text.matchAll(/\b(test\/[\w./-]*\w)/g)].map(([, name]) => name!);
    const missing = [
      ...sourcePathsIn(text).filter((name) => !isSourcePath(name)),
      ...tests.filter((name) => !existsSync(name)),
    ];
    expect(missing).toEqual([]);
  });
});

test.each(readdirSync('docs/adr').filter((name) => name !== 'README.md'))(
  'the index of decisions lists %s',
  (name) => {
    expect(name).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
    expect(textOf('docs/adr/README.md')).toContain(`](${name})`);
  },
);

test('every decision has its context, decision and consequences', () => {
  const decisions = DOCUMENTS.filter((file) => /^docs\/adr\/\d/.test(file));
  expect(decisions.length).toBeGreaterThan(20);
  for (const file of decisions) {
    const headings = [...textOf(file).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings, file).toEqual(['Context', 'Decision', 'Consequences']);
  }
});

test('every picture is shown by a document', () => {
  const shown = DOCUMENTS.flatMap((file) =>
    [...textOf(file).matchAll(/images\/([\w-]+\.png)/g)].map(([, name]) => name!),
  );
  expect([...new Set(shown)].sort()).toEqual(readdirSync('docs/images').sort());
});

describe('docs/explanation/architecture.md', () => {
  const text = textOf('docs/explanation/architecture.md');

  test('names every folder of src/', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !text.includes(`\`${name}/`))).toEqual([]);
  });

  test.each(['routes', 'services', 'domain', 'providers'])('names every folder of src/%s/', (layer) => {
    const folders = readdirSync(`src/${layer}`, { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const names = folders.map(({ name }) => `${layer}/${name}`);
    expect(names.filter((name) => !text.includes(`\`${name}`))).toEqual([]);
  });
});

test('docs/reference/dependencies.md explains every runtime dependency', () => {
  const { dependencies, optionalDependencies } = JSON.parse(textOf('package.json')) as {
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };
  const text = textOf('docs/reference/dependencies.md');
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  const isNamed = (name: string) =>
    text.includes(`\`${name}\``) || text.includes(`\`${name.split('/')[0]}/*\``);
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
});

test('the figures in README.md stand in the table that they link', () => {
  const list = /<!-- bench: list -->([\s\S]*?)<!-- end of bench -->/.exec(textOf('README.md'))?.[1] ?? '';
  const figures = [...list.matchAll(/\*\*([^*]+)\*\*/g)].map(([, figure]) => figure!);
  expect(figures.length).toBeGreaterThan(2);
  const table = textOf('docs/reference/benchmarks.md');
  expect(figures.filter((figure) => !table.includes(`| ${figure}`))).toEqual([]);
});
