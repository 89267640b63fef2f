/** `npm run test:faults [scenario…] [--seed N] [--short]`: real processes are killed, stopped and cut off; see scenarios/. */
import { parseArgs } from 'node:util';
import { acknowledgedResponses } from './scenarios/acknowledged-responses.ts';
import { allOrNothing } from './scenarios/all-or-nothing.ts';
import { backup } from './scenarios/backup.ts';
import { boundedResources } from './scenarios/bounded-resources.ts';
import { credits } from './scenarios/credits.ts';
import { databaseUnavailable } from './scenarios/database-unavailable.ts';
import { derivedColumnsChange } from './scenarios/derived-columns-change.ts';
import { fileDescriptors } from './scenarios/file-descriptors.ts';
import { fullTemporaryFolder } from './scenarios/full-temporary-folder.ts';
import { fullDisk } from './scenarios/full-disk.ts';
import { gracefulStop } from './scenarios/graceful-stop.ts';
import { idempotencyCrash } from './scenarios/idempotency-crash.ts';
import { largeExport } from './scenarios/large-export.ts';
import { limits } from './scenarios/limits.ts';
import { lostReply } from './scenarios/lost-reply.ts';
import { silentDatabase } from './scenarios/silent-database.ts';
import { restore } from './scenarios/restore.ts';
import { cluster } from './scenarios/cluster.ts';
import { clusterLayout } from './scenarios/cluster-layout.ts';
import { concurrentStart } from './scenarios/concurrent-start.ts';
import { startTemplateServer } from './support/template-server.ts';
import { type ScenarioOutcome, runScenario, type Scenario } from './support/scenario.ts';
import { openTestBed, type TestBed } from './support/test-bed.ts';
import { type ScenarioResult, formatTable } from './support/table.ts';

const SCENARIOS: readonly Scenario[] = [
  acknowledgedResponses,
  lostReply,
  idempotencyCrash,
  databaseUnavailable,
  silentDatabase,
  fullDisk,
  limits,
  credits,
  largeExport,
  boundedResources,
  allOrNothing,
  backup,
  restore,
  fullTemporaryFolder,
  fileDescriptors,
  concurrentStart,
  derivedColumnsChange,
  gracefulStop,
  cluster,
  clusterLayout,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, short: { type: 'boolean', default: false } },
});
const names = SCENARIOS.map(({ name }) => name);
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`No scenario "${unknown}"; there are ${names.join(', ')}`);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
if (!Number.isSafeInteger(seed)) throw new Error(`--seed must be a whole number, not "${values.seed}"`);
const chosen = SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const words = [...positionals, '--seed', seed, ...(values.short ? ['--short'] : [])];
console.log(`Seed ${seed}; the same faults again: npm run test:faults -- ${words.join(' ')}`);
const opening = startTemplateServer(process.env.DATABASE_URL ?? null);
const all: ScenarioResult[] = [];
let current: Promise<TestBed> | null = null;
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // Stops every process that was started.
    isStopped = true;
    void opening
      .then(async (templateServer) => {
        try {
          await (await current)?.end();
        } finally {
          await templateServer.end();
        }
      })
      .finally(() => process.exit(130));
  });
}
const templateServer = await opening;
try {
  for (const scenario of chosen) {
    const { name, promise, needsOwnPostgres } = scenario;
    const reason =
      needsOwnPostgres && templateServer.postgres === null
        ? 'DATABASE_URL is set: PostgreSQL is not ours to stop'
        : (scenario.skipReason?.() ?? null);
    if (reason !== null) {
      all.push({ name, promise, outcome: reason, seconds: 0 });
      continue;
    }
    process.stdout.write(`${name} … `);
    const began = performance.now();
    const outcome = await runWithTestBed(scenario);
    // Findings made during a stop are meaningless; the signal handler ends this process.
    if (isStopped) await new Promise(() => undefined);
    const seconds = (performance.now() - began) / 1_000;
    console.log(`${outcome.breaks.length === 0 ? 'holds' : 'BROKEN'} (${Math.round(seconds)} s)`);
    for (const text of outcome.breaks) console.log(`  ${text}`);
    all.push({ name, promise, outcome, seconds });
  }
} finally {
  await templateServer.end();
}
console.log(`\n${formatTable(all)}`);
process.exit(all.some(({ outcome }) => typeof outcome !== 'string' && outcome.breaks.length > 0) ? 1 : 0);

async function runWithTestBed(scenario: Scenario): Promise<ScenarioOutcome> {
  current = openTestBed(templateServer, seed, values.short);
  const testBed = await current;
  try {
    return await runScenario(scenario, testBed);
  } catch (error) {
    // A scenario that throws counts as broken.
    const evidence = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      done: 'aborted by an error',
      checked: 'nothing',
      breaks: [evidence, ...testBed.describeUnexpectedLogs()],
    };
  } finally {
    current = null;
    await testBed.end();
  }
}
