import { setTimeout as sleep } from 'node:timers/promises';
import { publishSurvey } from '../../test/support/served-surveys.ts';
import { startLoadGenerator, SURVEY } from '../support/load-generator.ts';
import { startReaders } from '../support/readers.ts';
import { verifyStoredResponses, retryUnacknowledged } from '../support/verify-responses.ts';
import { randomInteger, type Scenario } from '../support/scenario.ts';
import { waitUntilServing } from '../support/wait-until-serving.ts';
import type { TestBed } from '../support/test-bed.ts';

const SERVES_WITHIN_MS = 5_000;
const PATIENCE_MS = 60_000;

/** P3: PostgreSQL is suspended or shut down for up to ten seconds under load. */
export const databaseUnavailable: Scenario = {
  name: 'database-unavailable',
  promise: 'P3 A database restart needs no API restart',
  needsOwnPostgres: true,
  async run(testBed: TestBed) {
    const { random, isShort } = testBed;
    const postgres = testBed.postgres!;
    const [clients, rounds, mostMs] = isShort ? [12, 1, 1_500] : [32, 3, 10_000];
    const apis = await testBed.apis(2);
    const { surveyId, linkToken } = await publishSurvey(testBed, apis[0]!, SURVEY);
    const { ledger, end } = startLoadGenerator(testBed, { clients, apis, linkToken });
    const reading = startReaders(testBed, apis, [
      `/api/surveys/${surveyId}`,
      `/api/responses/${surveyId}/stats`,
      '/api/surveys',
    ]);
    const breaks: string[] = [];
    let slowestReturn = 0;
    const failures: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const how of ['pause', 'stop'] as const) {
        await sleep(randomInteger(random, 300, 1_000));
        const awayMs = round === 0 ? mostMs : randomInteger(random, 500, mostMs);
        failures.push(`${how} ${(awayMs / 1_000).toFixed(1)} s`);
        await postgres[how]();
        await sleep(awayMs);
        await (how === 'pause' ? postgres.resume() : postgres.start());
        const taken = await Promise.all(apis.map((api) => waitUntilServing(api, PATIENCE_MS)));
        slowestReturn = Math.max(slowestReturn, ...taken);
      }
    }
    await sleep(300);
    await Promise.all([end(), reading.end()]);
    if (!isShort && slowestReturn > SERVES_WITHIN_MS)
      breaks.push(`service came back ${Math.round(slowestReturn)} ms after the database`);
    const { unavailable, lost: lostCount } = ledger;
    if (lostCount > 0) breaks.push(`${lostCount} connections broke without a reply`);
    breaks.push(...reading.breaks, ...(await verifyStoredResponses(testBed, surveyId, ledger)));
    const recount = await retryUnacknowledged(testBed, surveyId, { linkToken, apis, ledger });
    return {
      done: `PostgreSQL away under ${clients} clients who answer and ${reading.clients} who read: ${failures.join(', ')} (pause: SIGSTOP to all its processes; stop: fast shutdown)`,
      checked:
        'every reply a success or 503 with Retry-After, none later than 45 s; no process ended, nothing unhandled in the logs; ' +
        `${ledger.acknowledged.size} acknowledged are stored once; service within 5 s of the return`,
      figures: `${unavailable + reading.unavailable} times 503; slowest reply ${Math.round(Math.max(ledger.slowestMs, reading.slowestMs))} ms; service after ${Math.round(slowestReturn)} ms`,
      breaks: [...breaks, ...recount.breaks],
    };
  },
};
