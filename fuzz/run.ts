/** `npm run test:fuzz`: sends requests generated from the schemas to every declared route. See README.md. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { connectDatabase } from '../src/db/connect.ts';
import { startEmbedded } from '../src/db/embedded/embedded-server.ts';
import { migrateDatabase } from '../src/db/migrate.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { fuzzAtRandom } from './campaign.ts';
import { findSecretInBackup } from './checks/backup-secrets.ts';
import type { Finding } from './findings.ts';
import { fuzzedRoutes } from './requests/valid-request.ts';
import { startTargetInChildProcess } from './support/child-process-target.ts';
import { startTargetInProcess } from './support/target.ts';
import { closeConnections } from './support/send.ts';
import { Table } from './table.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    requests: { type: 'string' },
    minutes: { type: 'string' },
    route: { type: 'string', multiple: true },
    // In this very process, few requests.
    short: { type: 'boolean', default: false },
  },
});

const numberOf = (text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : Number(text);
const seed = numberOf(values.seed, Date.now() % 1_000_000);
const minutes = numberOf(values.minutes, Number.POSITIVE_INFINITY);
const requests = numberOf(
  values.requests,
  values.minutes !== undefined ? Number.POSITIVE_INFINITY : values.short ? 1_000 : 10_000,
);
const selectedRoutes = fuzzedRoutes().filter(
  ({ route }) => values.route === undefined || values.route.includes(route.operationId),
);
const unknown = selectedRoutes.flatMap((each) => each.unknown ?? []);
const routes = selectedRoutes.filter((each) => each.unknown === null);
if (routes.length === 0) throw new Error(`No route is called ${values.route?.join(', ')}`);

const SHOWN_EVERY = 500;
const MIB = 1024 * 1024;

// Ends everything that was started, also after a signal.
let stopped = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => (stopped = true));

console.log(`Seed ${seed}: the same requests come again with --seed ${seed}`);
const { folder, remove } = temporaryFolder('fuzz');
const server = await startEmbedded({ dataDir: folder, database: 'canvass_fuzz', durable: false });
const db = connectDatabase(server.url, 6);
try {
  await migrateDatabase(db);
  const database = { url: server.url, db };
  const target = await (values.short
    ? startTargetInProcess(database)
    : startTargetInChildProcess(database, path.join(folder, 'files')));
  try {
    process.exitCode = await fuzz(target);
  } finally {
    closeConnections();
    await target.end();
  }
} finally {
  await db.destroy();
  await server.stop();
  remove();
}

async function fuzz(target: Awaited<ReturnType<typeof startTargetInProcess>>): Promise<number> {
  const table = new Table();
  const until = Date.now() + minutes * 60_000;
  let count = 0;
  let reportedCount = 0;
  const before = await target.strain.overall();
  const fuzzer = await fuzzAtRandom(target, {
    seed,
    routes,
    shouldContinue: (sent) => !stopped && sent < requests && Date.now() < until,
    onResult: (tried, { found }) => {
      table.add(tried);
      count += 1;
      found.slice(reportedCount).forEach(tell);
      reportedCount = found.length;
      if (count % SHOWN_EVERY === 0) console.log(`${count} requests`);
    },
  });
  const inBackup = await findSecretInBackup(target, fuzzer.allSecrets, folder);
  const { found } = fuzzer;
  const after = target.isAlive() ? await target.strain.overall() : null;
  console.log(`\n${table.print()}`);
  if (after !== null) {
    console.log(
      `Event loop: p99 ${after.delayP99Ms.toFixed(1)} ms, longest ${Math.round(after.delayMaxMs)} ms`,
    );
    console.log(
      `Memory: ${Math.round(before.memoryBytes / MIB)} MiB before, ${Math.round(after.memoryBytes / MIB)} after, at most ${Math.round(after.memoryMostBytes / MIB)}`,
    );
  }
  console.log(
    inBackup === null ? 'A backup of it all holds no secret' : `A backup holds a secret: ${inBackup}`,
  );
  for (const why of unknown) console.log(`\nNOT TRIED ${why}`);
  found.slice(reportedCount).forEach(tell);
  if (found.length > 0) console.log('\nFound, and how often:');
  for (const { operationId, what, times } of found) console.log(`  ${times}× ${operationId}: ${what}`);
  console.log(
    `\n${count} requests, seed ${seed}: ${found.length === 0 ? 'nothing found' : `${found.length} findings`}`,
  );
  return found.length > 0 || unknown.length > 0 || inBackup !== null || !target.isAlive() ? 1 : 0;
}

function tell({ operationId, what, request, curl }: Finding): void {
  console.log(`\nFINDING ${operationId}: ${what}\n  ${request}\n  ${curl}`);
}
