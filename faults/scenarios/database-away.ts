import { setTimeout as sleep } from 'node:timers/promises';
import { publishSurvey } from '../../bench/support/surveys.ts';
import { startLoadGenerator, SURVEY } from '../support/load-generator.ts';
import { startReaders } from '../support/readers.ts';
import { verifyStoredResponses, retryUnacknowledged } from '../support/verify-responses.ts';
import { randomInteger, type Scenario } from '../support/scenario.ts';
import { waitUntilServing } from '../support/wait-until-serving.ts';
import type { TestBed } from '../support/test-bed.ts';

const SERVES_WITHIN_MS = 5_000;
const PATIENCE_MS = 60_000;

/** P3: PostgreSQL is suspended or shut down for up to ten seconds under load. */
export const databaseAway: Scenario = {
  name: 'database-away',
  promise: 'P3 A database restart needs no API restart',
  needsOwnPostgres: true,
  async run(stage: TestBed) {
    const { random, isShort } = stage;
    const postgres = stage.postgres!;
    const [clients, rounds, mostMs] = isShort ? [12, 1, 1_500] : [32, 3, 10_000];
    const apis = await stage.apis(2);
    const { surveyId, linkToken } = await publishSurvey(stage, apis[0]!, SURVEY);
    const { ledger, end } = startLoadGenerator(stage, { clients, apis, linkToken });
    const reading = startReaders(stage, apis, [
      `/api/surveys/${surveyId}`,
      `/api/responses/${surveyId}/stats`,
      '/api/surveys',
    ]);
    const breaks: string[] = [];
    let slowestReturn = 0;
    const away: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const how of ['pause', 'stop'] as const) {
        await sleep(randomInteger(random, 300, 1_000));
        const awayMs = round === 0 ? mostMs : randomInteger(random, 500, mostMs);
        away.push(`${how} ${(awayMs / 1_000).toFixed(1)} s`);
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
    const { unavailable, lost } = ledger;
    if (lost > 0) breaks.push(`${lost} connections broke without a reply`);
    breaks.push(...reading.breaks, ...(await verifyStoredResponses(stage, surveyId, ledger)));
    const again = await retryUnacknowledged(stage, surveyId, { linkToken, apis, ledger });
    return {
      done: `PostgreSQL away under ${clients} clients who answer and ${reading.clients} who read: ${away.join(', ')} (pause: SIGSTOP to all its processes; stop: fast shutdown)`,
      checked:
        'every reply a success or 503 with Retry-After, none later than 45 s; no process ended, nothing unhandled in the logs; ' +
        `${ledger.acknowledged.size} acknowledged are stored once; service within 5 s of the return`,
      figures: `${unavailable + reading.unavailable} times 503; slowest reply ${Math.round(Math.max(ledger.slowestMs, reading.slowestMs))} ms; service after ${Math.round(slowestReturn)} ms`,
      breaks: [...breaks, ...again.breaks],
    };
  },
};
