import { readdirSync } from 'node:fs';
import { connectDatabase } from '../../src/db/connect.ts';
import type { ApiProcess } from '../support/api-process.ts';
import type { Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';

const MIGRATIONS = new URL('../../migrations', import.meta.url);

/** P13: processes start at the same time on an empty database. */
export const concurrentStart: Scenario = {
  name: 'concurrent-start',
  promise: 'P13 Processes that start together: one migrates, all serve',
  async run(testBed: TestBed) {
    const [rounds, together] = testBed.isShort ? [1, 2] : [4, 3];
    const breaks: string[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const url = await testBed.database('empty');
      const apis = await testBed.apisOnEmpty(together, url).catch((error: unknown) => {
        breaks.push(`round ${round}: ${String(error)}`);
        return [];
      });
      breaks.push(...(await oneInstallation(url)), ...(await serving(testBed, apis)));
      await Promise.all(apis.map((api) => api.stop(15_000)));
    }
    return {
      done: `${together} processes started at once on an empty database, ${rounds} times`,
      checked:
        'every migration is recorded once; one organization with one administrator; the first key works at each of them',
      breaks,
    };
  },
};

async function oneInstallation(url: string): Promise<string[]> {
  const db = connectDatabase(url, 1);
  try {
    const { rows } = await db.raw<{ rows: { applied: string[]; organizations: number; users: number }[] }>(
      `SELECT (SELECT json_agg(name ORDER BY id) FROM knex_migrations) AS applied,
         (SELECT count(*) FROM organizations) AS organizations, (SELECT count(*) FROM users) AS users`,
    );
    const { applied, organizations, users } = rows[0]!;
    const known = readdirSync(MIGRATIONS)
      .map((file) => file.replace(/\.ts$/, ''))
      .sort();
    return [
      ...(JSON.stringify(applied) === JSON.stringify(known) ? [] : [`applied: ${applied.join(', ')}`]),
      ...(organizations === 1 && users === 1 ? [] : [`${organizations} organizations, ${users} users`]),
    ];
  } finally {
    await db.destroy();
  }
}

async function serving({ apiKey }: TestBed, apis: readonly ApiProcess[]): Promise<string[]> {
  const statuses = await Promise.all(
    apis.map(async ({ url }) => {
      const reply = await fetch(`${url}/api/surveys`, { headers: { 'X-API-Key': apiKey } });
      await reply.text();
      return reply.status;
    }),
  );
  return statuses.every((status) => status === 200)
    ? []
    : [`the first key is answered ${statuses.join(', ')}`];
}
