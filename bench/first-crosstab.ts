import { isDeepStrictEqual } from 'node:util';
import { Store } from '../src/repositories/store.ts';
import { ColumnSnapshotService } from '../src/services/datasets/column-snapshots.ts';
import { amount, type Figure, withinLimit } from './support/figure.ts';
import { measureMs, median, medianTime } from './support/rounds.ts';
import { call } from '../test/support/served-surveys.ts';
import type { TestBed } from './support/test-bed.ts';
import { publishWideSurvey, WIDE_TABLES } from './support/wide-survey.ts';

const RESPONSES = 50_000;
const ROUNDS = 3;

/** The first tables after a start, twenty questions by ten: from column snapshots, and from the rows of the responses. */
export async function firstCrosstab(testBed: TestBed): Promise<Figure[]> {
  const surveyId = await publishWideSurvey(testBed, await testBed.api(), RESPONSES);
  const replies: unknown[] = [];
  const firstTables = async () => {
    // A process that has read nothing yet.
    const api = await testBed.api();
    const ms = await measureMs(async () => {
      replies.push(await call(testBed, api, 'POST', `/api/responses/${surveyId}/crosstab`, WIDE_TABLES));
    });
    await api.end();
    return ms;
  };
  const measured = async () => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) times.push(await firstTables());
    return times;
  };
  const fromRows = await measured();
  await new ColumnSnapshotService(new Store(testBed.db)).build({
    surveyId,
    signal: new AbortController().signal,
  });
  const fromSnapshot = await measured();
  if (!replies.every((reply) => isDeepStrictEqual(reply, replies[0])))
    throw new Error('The tables from column snapshots are wrong');
  const tables = `The first 200 tables of ${RESPONSES.toLocaleString('en')} responses after a start`;
  return [
    {
      what: `${tables}, from column snapshots (speed-up)`,
      ours: medianTime(fromSnapshot),
      yardstick: medianTime(fromRows),
      against: 'from the rows of the responses',
      ratio: median(fromRows) / median(fromSnapshot),
      target: { atLeast: 3 },
    },
    withinLimit(
      `${tables}, from the rows of the responses`,
      amount((median(fromRows) * 1_000) / RESPONSES, 'µs per response'),
      200,
    ),
  ];
}
