/** The layers, from the top: a module imports from its own layer and from those below it. */
const LAYERS = [
  ['main', '^src/(main|cli|startup)\\.ts$'],
  ['app', '^src/app\\.ts$'],
  ['container', '^src/container\\.ts$'],
  ['routes', '^src/routes/'],
  ['web', '^src/web/'],
  ['http', '^src/(http|middleware)/'],
  ['jobs', '^src/jobs/'],
  ['services', '^src/services/'],
  ['exporters', '^src/exporters/'],
  ['importers', '^src/importers/'],
  ['repositories', '^src/repositories/'],
  ['providers', '^src/providers/'],
  ['db', '^src/db/'],
  ['domain', '^src/domain/'],
  ['config', '^src/(config|version)\\.ts$'],
  ['lib', '^src/lib/'],
];

/** A family of routes is a folder or a file; the other files of src/routes are shared. */
const FAMILY = '^src/routes/([^/]+(?=/)|(?:auth|billing|jobs|system|workspaces)(?=[.]ts$))';

const upward = LAYERS.slice(1).map(([name, path], index) => ({
  name: `${name}-imports-no-higher-layer`,
  severity: 'error',
  from: { path },
  to: {
    path: LAYERS.slice(0, index + 1)
      .map(([, above]) => above)
      .join('|'),
  },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...upward,
    {
      name: 'production-code-imports-no-development-package',
      comment: 'npm ci --omit=dev must be enough to start.',
      severity: 'error',
      from: { path: '^(src|migrations|seeds)/' },
      to: {
        dependencyTypes: ['npm-dev'],
        // Types are gone when the program runs; a package may have them beside its own name.
        dependencyTypesNot: ['type-only', 'npm', 'npm-optional'],
        pathNot: ['node_modules/@types/'],
      },
    },
    {
      name: 'families-never-import-each-other',
      severity: 'error',
      from: { path: FAMILY },
      to: { path: FAMILY, pathNot: '^src/routes/$1[/.]' },
    },
    {
      name: 'http-and-middleware-know-no-use-case',
      severity: 'error',
      from: { path: '^src/(http|middleware)/' },
      to: { path: '^src/(services|repositories|exporters|importers|db|providers)/' },
    },
    {
      name: 'services-know-no-http',
      severity: 'error',
      from: { path: '^src/(services|repositories|domain|db|lib|exporters|importers)/' },
      to: { path: 'node_modules/(express|cookie-parser|cors|helmet)/' },
    },
    {
      name: 'sql-in-repositories-only',
      severity: 'error',
      from: { path: '^src/(services|routes|http|middleware|domain|web|exporters|importers)/' },
      to: { path: 'node_modules/(knex|pg)/' },
    },
    {
      name: 'parts-that-stand-alone',
      comment:
        'They are useful outside of Canvass: nothing but types and general helpers comes in. See the README of each.',
      severity: 'error',
      from: { path: '^src/(exporters/sav|domain/weighting)/' },
      to: { path: '^src/', pathNot: ['^src/lib/', '^src/$1/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-domain-is-pure',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['core'], pathNot: '^src/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
