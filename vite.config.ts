import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';

/** The browser applications: a folder of `src/web` each, with the script and the style that its pages load. */
const APPLICATIONS = {
  respondent: ['client/main.tsx', 'client/page.css'],
  studio: ['client/main.tsx', 'client/studio.css'],
  dashboard: ['client/main.ts', 'client/dashboard.css'],
};

/** The build script gives a folder that becomes `dist/` when everything is built. */
const BUILD_FOLDER = path.resolve(process.env.BUILD_FOLDER ?? 'dist');

/** Browsers of the last three years or so. */
const BROWSERS = ['chrome109', 'firefox115', 'safari16.4'];

/** Each application is built apart: what a respondent downloads does not change with the studio. */
const application = (name: string, sources: readonly string[]): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir: path.join(BUILD_FOLDER, 'web', name),
    emptyOutDir: true,
    rollupOptions: {
      input: sources.map((source) => path.resolve('src/web', name, source)),
      // A page leaves out settings schemas of question types, and modules of the domain that it uses nothing of.
      treeshake: {
        manualPureFunctions: ['defineSettings'],
        moduleSideEffects: (id) => !/[/\\]src[/\\](domain|lib)[/\\]/.test(id),
        propertyReadSideEffects: false,
      },
    },
  },
});

/** Writes a `.gz` and a `.br` copy beside every file, so that the server compresses nothing. */
const compressedCopies: Plugin = {
  name: 'compressed-copies',
  writeBundle({ dir }) {
    const folder = path.join(dir!, 'assets');
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder).filter((file) => !/\.(gz|br)$/.test(file))) {
      const file = path.join(folder, name);
      const plain = readFileSync(file);
      writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }));
      writeFileSync(
        `${file}.br`,
        brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
      );
    }
  },
};

/**
 * Leaves out the code that loads what a part of a page imports before the part itself: the parts of the page for respondents import nothing
 * but the main script, and have no styles of their own.
 */
const noPreloading: Plugin = {
  name: 'no-preloading',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'respondent',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
};

/** The page for respondents loads the answers of most question types with their fields. */
const answersOnDemand: Plugin = {
  name: 'answers-on-demand',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'respondent',
  resolveId: (id) =>
    id.endsWith('/questions/registry.ts')
      ? path.resolve('src/web/respondent/client/question-answers.ts')
      : null,
};

export default defineConfig({
  // Files of an application find each other wherever its pages are mounted.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  resolve: {
    // A page uses the browser's regular expressions instead of RE2.
    alias: [
      {
        find: /^.*\/safe-pattern\.ts$/,
        replacement: path.resolve('src/web/respondent/client/native-pattern.ts'),
      },
    ],
  },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none', charset: 'utf8' },
  build: {
    target: BROWSERS,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [compressedCopies, noPreloading, answersOnDemand],
  environments: Object.fromEntries(
    Object.entries(APPLICATIONS).map(([name, sources]) => [name, application(name, sources)]),
  ),
  builder: {
    buildApp: async (builder) => {
      await Promise.all(Object.keys(APPLICATIONS).map((name) => builder.build(builder.environments[name]!)));
    },
  },
});
