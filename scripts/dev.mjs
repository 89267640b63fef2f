/** `npm run dev`: builds the server and the pages again when their sources change, and starts the server again. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { context } from 'esbuild';
import { createBuilder } from 'vite';
import { copyDataFiles, DIST, migrationOptions, PROJECT, serverOptions } from './build.mjs';

/** Files are often saved together. */
const RESTART_AFTER_MS = 200;

let server = null;
let timer = null;
/** How many first builds the server still waits for. */
let pending = 3;

function start() {
  server = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], {
    cwd: PROJECT,
    stdio: 'inherit',
  });
}

function restart() {
  if (server === null || server.exitCode !== null) return start();
  server.once('exit', start);
  server.kill('SIGTERM');
}

function onBuilt() {
  if (pending > 0) pending -= 1;
  if (pending > 0) return;
  clearTimeout(timer);
  timer = setTimeout(restart, RESTART_AFTER_MS);
}

/** A failed build does not stop the running server; esbuild prints the errors. */
const restartAfterBuild = {
  name: 'restart-after-build',
  setup(build) {
    build.onEnd(({ errors }) => {
      if (errors.length > 0) return;
      copyDataFiles(DIST);
      onBuilt();
    });
  },
};

async function watchServer(options) {
  const plugins = [...options.plugins, restartAfterBuild];
  const watched = await context({ ...options, sourcemap: true, plugins });
  await watched.watch();
}

async function watchPages() {
  process.env.NODE_ENV = 'production';
  const builder = await createBuilder({ root: PROJECT, build: { watch: {} } });
  const watchers = await Promise.all(
    Object.values(builder.environments)
      .filter(({ config }) => config.build.outDir.startsWith(path.join(DIST, 'web')))
      .map((environment) => builder.build(environment)),
  );
  const started = new Set();
  for (const watcher of watchers)
    watcher.on('event', ({ code }) => {
      if (code === 'ERROR') started.delete(watcher);
      if (code !== 'END') return;
      started.add(watcher);
      if (started.size === watchers.length) onBuilt();
    });
}

// The remaining output has no digest, so the next `npm start` builds again.
rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST, { recursive: true });
await Promise.all([watchPages(), watchServer(serverOptions(DIST)), watchServer(migrationOptions(DIST))]);

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    if (server === null || server.exitCode !== null) process.exit(0);
    server.once('exit', () => process.exit(0));
    server.kill('SIGTERM');
  });
