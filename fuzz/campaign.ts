import { setTimeout as sleep } from 'node:timers/promises';
import { createFixtures, type Fixtures } from '../test/support/permission-matrix/fixtures.ts';
import { EVERY_TYPE } from '../test/support/questions.ts';
import { plantMarkers } from './checks/planted.ts';
import { Fuzzer, type Tried } from './fuzzer.ts';
import type { Family } from './requests/draft.ts';
import { type Random, seededRandom } from './requests/random.ts';
import { type FuzzedRoute, FixturesExhaustedError } from './requests/valid-request.ts';
import type { FuzzTarget } from './support/target.ts';

/** New fixtures are created after this many requests, because requests change and delete them. */
const REQUESTS_PER_FIXTURES = 1_500;
/** Longest acceptable block of the event loop, unless it occurs only once or twice. */
const LONGEST_STALL_MS = 250;
/** Share of the requests that go to pages. */
const PAGE_SHARE = 0.05;
const JOBS_WITHIN_MS = 60_000;

interface Plan {
  seed: number;
  routes: readonly FuzzedRoute[];
  /** Called before each request. */
  shouldContinue: (count: number) => boolean;
  onResult: (tried: Tried, fuzzer: Fuzzer) => void;
}

/** Sends requests of every family to every route until stopped. */
export async function fuzzAtRandom(
  target: FuzzTarget,
  { seed, routes, shouldContinue, onResult }: Plan,
): Promise<Fuzzer> {
  const fuzzer = await fuzzerOn(target, seed, LONGEST_STALL_MS);
  const random = seededRandom(`what to ask ${seed}`);
  for (let count = 0; shouldContinue(count) && target.isAlive(); count += 1) {
    if (count % REQUESTS_PER_FIXTURES === 0) await createNewFixtures(fuzzer, target);
    if (random.chance(PAGE_SHARE)) onResult(await fuzzer.tryPage(), fuzzer);
    else onResult(await tryOnce(fuzzer, target, random.pick(routes), anyFamily(random)), fuzzer);
  }
  fuzzer.findings.addOfJobs(await workOff(target));
  return fuzzer;
}

/** Sends one request, on new fixtures if the current ones lack a needed object. */
export async function tryOnce(
  fuzzer: Fuzzer,
  target: FuzzTarget,
  route: FuzzedRoute,
  family: Family,
  asIs = false,
): Promise<Tried> {
  try {
    return await fuzzer.try(route, family, asIs);
  } catch (error) {
    if (!(error instanceof FixturesExhaustedError)) throw error;
    await createNewFixtures(fuzzer, target);
    return fuzzer.try(route, family, asIs);
  }
}

const anyFamily = (random: Random): Family =>
  random.pick<Family>([
    'valid',
    'valid',
    'almost valid',
    'almost valid',
    'almost valid',
    'hostile',
    'hostile',
    'hostile',
  ]);

/** Returns a fuzzer without fixtures. Without a limit, no stall is a finding. */
export async function fuzzerOn(
  target: FuzzTarget,
  seed: number,
  longestStallMs = Number.POSITIVE_INFINITY,
): Promise<Fuzzer> {
  const fuzzer = new Fuzzer(target, seed, longestStallMs);
  await fuzzer.begin();
  return fuzzer;
}

/** Two organizations with one of everything, marked so that what leaks shows. */
export async function createNewFixtures(fuzzer: Fuzzer, target: FuzzTarget): Promise<Fixtures> {
  fuzzer.findings.addOfJobs(await workOff(target));
  const fixtures = await createFixtures(target.test, target.origin);
  await everyType(fixtures);
  await plantMarkers(fixtures, target.test.database.db);
  fuzzer.enter(fixtures);
  return fixtures;
}

/** To the questions that every survey has, then to those of every type, but for the file. */
const ANSWERED = ['1', '2', '1', '2'].map((Q1, index) => ({
  answers: {
    Q1,
    Q2: index,
    Q3: 'said',
    Q5: 'Yes',
    Q6: ['1', '2'],
    Q7: 'Too dear',
    Q8: 20 + index,
    Q9: 3,
    Q10: { r1: 'Bad', r2: 'Good' },
    Q11: ['Red', 'Blue'],
    Q12: '2025-03',
    Q13: 9,
    Q14: 'North',
    Q15: 50,
  },
}));

/** In one of the surveys of either kind, questions of every type, with answers to them. */
async function everyType({ callers, changeable, unchanged }: Fixtures): Promise<void> {
  const author = callers.owner.key;
  for (const { surveyId, pageId } of [changeable.team, unchanged.team]) {
    for (const question of EVERY_TYPE)
      await author
        .post(`/api/surveys/${surveyId}/questions`, {
          page_id: pageId,
          question_text: 'And this?',
          ...question,
        })
        .expect(201);
    await author.post(`/api/surveys/${surveyId}/publish`, {}).expect(200);
    await author.post(`/api/responses/${surveyId}/rows`, { rows: ANSWERED }).expect(201);
  }
}

/** Runs queued jobs. Reports jobs that do not end or that fail because of a bug. */
async function workOff({ test, logged }: FuzzTarget): Promise<string[]> {
  const { db } = test.database;
  const waiting = async () =>
    (
      await db.raw<{ rows: { kind: string; jobs: number }[] }>(
        `SELECT kind, count(*)::int AS jobs FROM jobs WHERE status IN ('queued', 'running') AND run_at <= now() GROUP BY 1`,
      )
    ).rows;
  if ((await waiting()).length === 0) return [];
  test.container.jobWorker.start();
  const until = Date.now() + JOBS_WITHIN_MS;
  while ((await waiting()).length > 0 && Date.now() < until) await sleep(50);
  await test.container.jobWorker.stop(1_000);
  const failed = logged().match(/^.*"msg":"job failed".*$/gm) ?? [];
  const stuck = (await waiting()).map(({ kind, jobs }) => `${jobs} jobs of the kind ${kind} do not end`);
  return [
    ...stuck,
    ...failed.map((line) => `a job failed by our own fault: ${line.replace(/^.*?"err":/, '').slice(0, 500)}`),
  ];
}
