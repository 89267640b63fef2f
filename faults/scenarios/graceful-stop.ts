import { setTimeout as sleep } from 'node:timers/promises';
import { fillSurvey, publishSurvey } from '../../test/support/served-surveys.ts';
import { startLoadGenerator, SURVEY } from '../support/load-generator.ts';
import { verifyStoredResponses, retryUnacknowledged } from '../support/verify-responses.ts';
import { randomInteger, formatEvidence, type Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';

const STOPS_WITHIN_MS = 10_000;
const PATIENCE_MS = 20_000;

/** P15: a process receives SIGTERM while clients answer and download a file. */
export const gracefulStop: Scenario = {
  name: 'graceful-stop',
  promise: 'P15 A stop is graceful',
  async run(testBed: TestBed) {
    const { random, isShort } = testBed;
    const [clients, stops, rows] = isShort ? [16, 1, 5_000] : [64, 6, 50_000];
    const apis = await testBed.apis(2);
    const { surveyId, linkToken } = await publishSurvey(testBed, apis[0]!, SURVEY);
    const { surveyId: large } = await publishSurvey(testBed, apis[0]!, SURVEY);
    await fillSurvey(testBed, large, rows, `jsonb_build_object('Q1', 'row ' || n)`);
    const { ledger, end } = startLoadGenerator(testBed, { clients, apis, linkToken });
    const breaks: string[] = [];
    let slowest = 0;
    for (let count = 0; count < stops; count += 1) {
      await sleep(randomInteger(random, 200, 800));
      const api = apis[count % 2]!;
      const download = linesOf(testBed, api.url, large);
      await sleep(randomInteger(random, 20, 150));
      const { code, milliseconds } = await api.stop(PATIENCE_MS);
      slowest = Math.max(slowest, milliseconds);
      if (code !== 0 || milliseconds > STOPS_WITHIN_MS)
        breaks.push(
          `stop ${count + 1}: exit code ${code} after ${Math.round(milliseconds)} ms: ${api.logged().slice(-500)}`,
        );
      const lines = await download;
      if (lines !== rows + 1)
        breaks.push(`stop ${count + 1}: the download under way ended as ${lines}, of ${rows + 1} lines`);
      await api.restart();
    }
    await end();
    const acknowledged = ledger.acknowledged.size;
    const lostCount = ledger.lost;
    breaks.push(...(await verifyStoredResponses(testBed, surveyId, ledger)));
    // Requests that arrived with the signal were refused; accepted ones were answered. Nothing is stored without a reply.
    const silent = await storedUnknown(testBed, surveyId, ledger.unknown);
    const recount = await retryUnacknowledged(testBed, surveyId, { linkToken, apis, ledger });
    return {
      done: `SIGTERM ${stops} times under ${clients} clients, each time with a file of ${rows} rows on its way`,
      checked: `exit 0 within 10 s; files whole; ${acknowledged} acknowledged are stored once; no response was taken in without its reply`,
      figures: `slowest stop ${Math.round(slowest)} ms; ${lostCount} requests met a closed door`,
      breaks: [
        ...breaks,
        ...formatEvidence('stored, and its client was not told', silent),
        ...recount.breaks,
      ],
    };
  },
};

/** The lines of the file, or the error. */
async function linesOf(testBed: TestBed, url: string, surveyId: number): Promise<number | string> {
  try {
    const reply = await fetch(`${url}/api/responses/${surveyId}/export`, {
      method: 'POST',
      headers: { 'X-API-Key': testBed.apiKey, 'Content-Type': 'application/json', Prefer: 'wait' },
      body: '{}',
    });
    const text = await reply.text();
    return reply.ok ? text.trimEnd().split('\r\n').length : `${reply.status} ${text.slice(0, 200)}`;
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}

async function storedUnknown(
  { db }: TestBed,
  surveyId: number,
  unknown: ReadonlySet<string>,
): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { submission_id: string }[] }>(
    `SELECT submission_id FROM responses WHERE survey_id = ? AND submission_id = ANY (?)`,
    [surveyId, [...unknown]],
  );
  return rows.map((row) => row.submission_id);
}
