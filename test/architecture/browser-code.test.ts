import path from 'node:path';
import { createBuilder, type Rollup } from 'vite';
import { expect, test } from 'vitest';

/** Returns the modules whose code is in the script of the respondent's page, relative to the project. */
async function modulesOfRespondentPage(): Promise<string[]> {
  const builder = await createBuilder({ logLevel: 'silent', build: { write: false } });
  const { output } = (await builder.build(builder.environments.respondent!)) as Rollup.RollupOutput;
  return output
    .filter((file) => file.type === 'chunk')
    .flatMap(({ modules }) => Object.entries(modules))
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([file]) => path.relative(process.cwd(), file.replaceAll('\0', '')));
}

test('the page of respondents contains no schemas, no synthetic data and no Node modules', async () => {
  const modules = await modulesOfRespondentPage();
  expect(modules).toContain('src/domain/survey/logic/evaluate-logic.ts');
  expect(modules).toContain('src/web/respondent/client/question-answers.ts');
  expect(modules).not.toContain('src/domain/questions/registry.ts');
  // The helper loads parts of the script when a survey needs them.
  const own =
    /^src\/(domain|lib|web\/(respondent|shared)\/client)\/|^node_modules\/preact\/|^vite\/preload-helper\.js$/;
  expect(modules.filter((file) => !own.test(file))).toEqual([]);
  expect(modules.filter((file) => /-settings\.ts$|-schemas?\.ts$|\/seeding\//.test(file))).toEqual([]);
  // It builds the page.
}, 120_000);
