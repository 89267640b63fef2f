import { bigFiveResponses, bigFiveSurvey } from '../seeds/demo/big-five.ts';
import { connectDatabase } from '../src/db/connect.ts';
import { distributeWithCitus } from '../src/db/distribution/citus.ts';
import { migrateDatabase } from '../src/db/migrate.ts';
import { CITUS_MISSING, Cluster, hasCitus } from '../test/support/own-cluster.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import type { Child } from './support/child.ts';
import type { Figure } from './support/figure.ts';
import { type LoadResult, runLoad } from './support/load.ts';
import { requestsFigure } from './support/requests-figure.ts';
import { interleaved } from './support/rounds.ts';
import { SkippedBenchmarkError } from './support/skipped-benchmark.ts';
import { publishSurvey } from '../test/support/served-surveys.ts';
import type { TestBed } from './support/test-bed.ts';

const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 64;
const SHARDS = 8;
const SURVEYS = 4;

/**
 * Complete Big Five responses to surveys on a Citus cluster (a coordinator and two workers on this machine), against the same surveys in
 * a plain database of the coordinator.
 */
export async function collectingOnCitus(testBed: TestBed): Promise<Figure[]> {
  if (!hasCitus()) throw new SkippedBenchmarkError(CITUS_MISSING);
  const { folder, remove } = temporaryFolder('bench-citus');
  const cluster = await Cluster.start(folder, { fsync: 'on', full_page_writes: 'on' });
  try {
    const plain = await prepare(testBed, cluster, { database: 'plain', isDistributed: false });
    const distributed = await prepare(testBed, cluster, { database: 'distributed', isDistributed: true });
    const figures: Figure[] = [];
    for (const count of [1, SURVEYS]) {
      const reached = await interleaved(ROUNDS, {
        distributed: () => collect(distributed.api, distributed.paths.slice(0, count)),
        plain: () => collect(plain.api, plain.paths.slice(0, count)),
      });
      figures.push(
        requestsFigure(
          `Accepted responses to ${count === 1 ? 'one survey' : `${count} surveys`} on Citus, a coordinator and two workers on this machine`,
          reached.distributed,
          'a plain database of the same PostgreSQL',
          reached.plain,
          { atLeast: 0.6 },
        ),
      );
    }
    await plain.api.end();
    await distributed.api.end();
    return figures;
  } finally {
    await cluster.stop();
    remove();
  }
}

/** Creates a database with published surveys on both workers, and starts a server on it. */
async function prepare(
  testBed: TestBed,
  cluster: Cluster,
  { database, isDistributed }: { database: string; isDistributed: boolean },
): Promise<{ api: Child; paths: string[] }> {
  const url = await cluster.createDatabase(database);
  const db = connectDatabase(url, 2);
  await migrateDatabase(db);
  if (isDistributed) await distributeWithCitus(db, SHARDS, () => undefined);
  await db.destroy();
  const api = await testBed.api({ DATABASE_URL: url });
  const paths: string[] = [];
  for (let count = 0; count < SURVEYS; count += 1) {
    const { linkToken } = await publishSurvey(testBed, api, bigFiveSurvey());
    paths.push(`/api/public/s/${linkToken}/responses`);
  }
  return { api, paths };
}

async function collect(server: Child, paths: readonly string[]): Promise<LoadResult> {
  const { answers } = bigFiveResponses().find((response) => !Object.values(response.answers).includes(null))!;
  const body = JSON.stringify({ submission_id: '[<id>]', answers });
  const before = await server.ask<NodeJS.CpuUsage>('cpu');
  const reached = await Promise.all(
    paths.map((path) =>
      runLoad({
        server,
        path,
        method: 'POST',
        body,
        seconds: SECONDS,
        connections: CONNECTIONS / paths.length,
      }),
    ),
  );
  const after = await server.ask<NodeJS.CpuUsage>('cpu');
  const perSecond = reached.reduce((sum, one) => sum + one.perSecond, 0);
  const used = after.user + after.system - before.user - before.system;
  return { perSecond, cpuMicroseconds: used / (perSecond * SECONDS) };
}
