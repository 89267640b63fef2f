import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** What the respondent's page shares with the server. */
const SHARED = [
  'survey/logic/render-survey',
  'survey/prepared-definition',
  'survey/submit-page',
  'survey/logic/compare',
  'answers/codecs',
];

test('respondent browser code imports from the domain no schemas and no Node modules', async () => {
  const contents = SHARED.map((name) => `export * from './src/domain/${name}.ts';`).join('\n');
  const { metafile } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => path !== '<stdin>');
  expect(inputs.filter((path) => !/^src\/(domain|lib)\//.test(path))).toEqual([]);
  expect(inputs).toContain('src/domain/survey/logic/evaluate-logic.ts');
});
