import { bigFiveResponses, bigFiveSurvey } from '../seeds/demo/big-five.ts';
import { down, up } from '../migrations/0017-hourly-completes.ts';
import { type Figure, withinLimit } from './support/figure.ts';
import { runLoad } from './support/load.ts';
import { requestsFigure } from './support/requests-figure.ts';
import { interleaved, measureMs, medianRatio, medianTime } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';
import { call, publishSurvey } from '../test/support/served-surveys.ts';

const ROUNDS = 5;
const SECONDS = 4;
const LIMIT_MS = 20;
const PART = 100_000;

/** The query of the activity before it had counters. */
const COUNT_RESPONSES = `
  SELECT survey_id, to_char(completed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS complete_count FROM responses
  WHERE survey_id = ? AND completed_at >= now() - interval '15 days' AND response_status = 'complete' AND deleted_at IS NULL AND NOT is_test
  GROUP BY 1, 2`;

/** The first page of the studio with the largest survey, all of whose responses are of the last 14 days; and what its counters cost. */
export async function surveyList(testBed: TestBed): Promise<Figure[]> {
  const { db, many } = testBed;
  const api = await testBed.api();
  const { surveyId, linkToken } = await publishSurvey(testBed, api, bigFiveSurvey());
  const path = `/api/public/s/${linkToken}/responses`;
  const { answers } = bigFiveResponses().find((response) => !Object.values(response.answers).includes(null))!;
  const body = JSON.stringify({ submission_id: '[<id>]', answers });
  const collect = (change: typeof up) => async () => {
    await db.transaction(change);
    return runLoad({ server: api, path, method: 'POST', body, seconds: SECONDS, db });
  };
  await runLoad({ server: api, path, method: 'POST', body, seconds: 10 });
  await db.transaction(down);
  const { counted, uncounted } = await interleaved(ROUNDS, {
    counted: collect(up),
    uncounted: collect(down),
  });
  await db.transaction(up);

  for (let start = 0; start < many; start += PART)
    await db.raw(
      `INSERT INTO responses (survey_id, response_token, response_status, survey_version, started_at, completed_at, answers)
       SELECT ?, md5('list' || n), 'complete', 1, at, at, ?::jsonb FROM (
         SELECT n, now() - (hashint4(n) & 1048575) * interval '1.15 seconds' AS at FROM generate_series(?::integer, ?::integer) AS n) AS made`,
      [surveyId, JSON.stringify(answers), start + 1, Math.min(start + PART, many)],
    );
  await db.raw('VACUUM ANALYZE responses');
  const list = (query: string) => () => measureMs(() => call(testBed, api, 'GET', `/api/surveys${query}`));
  const { ours, without, counting } = await interleaved(ROUNDS, {
    ours: list('?include=activity'),
    without: list(''),
    counting: () => measureMs(() => db.raw(COUNT_RESPONSES, [surveyId])),
  });
  const what = `The list of surveys with the activity of ${many.toLocaleString('en')} responses in 14 days`;
  return [
    withinLimit(what, medianTime(ours), LIMIT_MS),
    {
      what: 'The same',
      ours: medianTime(ours),
      yardstick: medianTime(without),
      against: 'the list without activity',
      ratio: medianRatio(ours, without),
      target: null,
    },
    {
      what: 'The same (speed-up)',
      ours: medianTime(ours),
      yardstick: medianTime(counting),
      against: 'counting the responses in PostgreSQL',
      ratio: medianRatio(counting, ours),
      target: { atLeast: 10 },
    },
    requestsFigure('Accepted responses, counted by hour', counted, 'the same without this count', uncounted, {
      atLeast: 0.97,
    }),
  ];
}
