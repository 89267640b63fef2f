import { setTimeout as sleep } from 'node:timers/promises';
import { publishSurvey } from '../../test/support/served-surveys.ts';
import { startLoadGenerator, SURVEY } from '../support/load-generator.ts';
import { verifyStoredResponses, retryUnacknowledged } from '../support/verify-responses.ts';
import { randomInteger, type Scenario } from '../support/scenario.ts';
import { waitUntilServing } from '../support/wait-until-serving.ts';
import type { TestBed } from '../support/test-bed.ts';

const SERVES_WITHIN_MS = 60_000;

/** P1: API processes and PostgreSQL are killed while a crowd answers. */
export const acknowledgedResponses: Scenario = {
  name: 'acknowledged-responses',
  promise: 'P1 An acknowledged response is there, exactly once',
  needsOwnPostgres: true,
  async run(testBed: TestBed) {
    const { random, postgres, isShort } = testBed;
    const [clients, kills] = isShort ? [16, 1] : [64, 5];
    const apis = await testBed.apis(2);
    const { surveyId, linkToken } = await publishSurvey(testBed, apis[0]!, SURVEY);
    const { ledger, end } = startLoadGenerator(testBed, { clients, apis, linkToken });
    const faults = [...Array<string>(kills).fill('api'), ...Array<string>(kills).fill('postgres')];
    for (const fault of isShort ? faults : shuffled(faults, random)) {
      await sleep(randomInteger(random, 300, isShort ? 700 : 2_500));
      if (fault === 'api') {
        const victim = apis[randomInteger(random, 0, 1)]!;
        await victim.kill();
        await sleep(randomInteger(random, 0, 300));
        await victim.restart();
      } else {
        await postgres!.kill();
        await Promise.all(apis.map((api) => waitUntilServing(api, SERVES_WITHIN_MS)));
      }
    }
    await sleep(300);
    await end();
    const sent = {
      acknowledged: ledger.acknowledged.size,
      lost: ledger.lost,
      unavailable: ledger.unavailable,
    };
    const breaks = await verifyStoredResponses(testBed, surveyId, ledger);
    const recount = await retryUnacknowledged(testBed, surveyId, { linkToken, apis, ledger });
    return {
      done: `${clients} clients at 2 processes; kill -9 of an API process ${kills} times, of PostgreSQL ${kills} times`,
      checked:
        `${sent.acknowledged} acknowledged are stored, each once, with its own answers; ` +
        `${recount.count} of unknown fate were sent again and are there once; counts agree with rows`,
      figures: `${sent.lost} replies lost, ${sent.unavailable} times 503, slowest reply ${Math.round(ledger.slowestMs)} ms`,
      breaks: [...breaks, ...recount.breaks],
    };
  },
};

/** Fisher and Yates. */
function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const remaining = [...all];
  return all.map(() => remaining.splice(randomInteger(random, 0, remaining.length - 1), 1)[0]!);
}
