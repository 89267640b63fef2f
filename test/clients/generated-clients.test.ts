import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/http/openapi.ts';
import { tags } from '../../src/routes/index.ts';
import { VERSION } from '../../src/version.ts';
import { useOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';

/** Clients that four generators create from the API document compile in strict mode and work. */

const run = promisify(execFile);
const PROGRAMS = ['openapi-fetch-calls', 'hey-api-calls'] as const;
const GENERATE_WITHIN_MS = 240_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-clients-'));
const document = path.join(folder, 'openapi.json');
const test = useApp();
const organization = useOrganization(test);

/** Runs a program of a package in the folder; fails with what it printed. */
async function runInFolder(program: string, ...words: string[]): Promise<void> {
  const script = path.resolve('node_modules', program);
  await run(process.execPath, [script, ...words], { cwd: folder, env: { ...process.env, CI: '1' } }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${words.join(' ')}\n${error.stdout}\n${error.stderr}`);
    },
  );
}

/** Compiles as strictly as TypeScript can, declarations of the library included. */
async function compile(...files: string[]): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  };
  const project = `tsconfig.${files[0]!}.json`;
  writeFileSync(path.join(folder, project), JSON.stringify({ compilerOptions, files }));
  await runInFolder('typescript/bin/tsc', '--project', project);
}

beforeAll(async () => {
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(document, JSON.stringify(openApiDocument(tags, VERSION)));
  for (const program of PROGRAMS)
    copyFileSync(new URL(`programs/${program}.ts`, import.meta.url), path.join(folder, `${program}.ts`));
  writeFileSync(
    path.join(folder, 'orval.config.cjs'),
    "module.exports = { c: { input: './openapi.json', output: { target: './orval.ts', client: 'fetch' } } };",
  );
  await runInFolder('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'openapi-typescript.ts');
  await runInFolder(
    '@hey-api/openapi-ts/bin/run.js',
    '-i',
    'openapi.json',
    '-o',
    'hey-api',
    '-c',
    '@hey-api/client-fetch',
  );
  await runInFolder('orval/dist/bin/orval.js', '--config', 'orval.config.cjs');
  await runInFolder(
    'swagger-typescript-api/dist/cli.mjs',
    'generate',
    '-p',
    'openapi.json',
    '-o',
    '.',
    '-n',
    'swagger.ts',
  );
}, GENERATE_WITHIN_MS);
afterAll(() => rmSync(folder, { recursive: true }));

describe('openapi-typescript with openapi-fetch, and @hey-api/openapi-ts', () => {
  it(
    'compile in strict mode with typed calls, and refuse a matrix without rows',
    async () => {
      await compile(...PROGRAMS.map((program) => `${program}.ts`));
    },
    GENERATE_WITHIN_MS,
  );

  it.each(PROGRAMS)('make 30 calls to a server (%s)', async (program) => {
    const outfile = path.join(folder, `${program}.mjs`);
    await build({ entryPoints: [path.join(folder, `${program}.ts`)], outfile, bundle: true, format: 'esm' });
    const client = (await import(pathToFileURL(outfile).href)) as {
      run(baseUrl: string, key: string, workspaceId: number): Promise<number>;
    };
    const { port } = test.server!.address() as AddressInfo;
    const { admin, workspaceId } = organization;
    const calls = await client.run(`http://127.0.0.1:${port}`, admin.apiKey!, workspaceId);
    expect(calls).toBeGreaterThanOrEqual(30);
  });
});

it(
  'orval and swagger-typescript-api compile in strict mode',
  async () => {
    await compile('orval.ts', 'swagger.ts');
  },
  GENERATE_WITHIN_MS,
);

it('no operation replies with JSON and with a file under the same status', () => {
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as {
    paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
  };
  const mixed = Object.entries(paths).flatMap(([address, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(([, { content = {} }]) => {
          const types = Object.keys(content);
          return types.includes('application/json') && types.length > 1;
        })
        .map(([status]) => `${method} ${address} ${status}`),
    ),
  );
  expect(mixed).toEqual([]);
});
