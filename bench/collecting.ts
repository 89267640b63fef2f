import { bigFiveResponses, bigFiveSurvey } from '../seeds/big-five.ts';
import { short, type Figure } from './support/figure.ts';
import { requestsPerSecond } from './support/load.ts';
import { interleaved, median, medianRatio } from './support/rounds.ts';
import type { Stage } from './support/stage.ts';
import { publishSurvey } from './support/surveys.ts';

const ROUNDS = 5;
const SECONDS = 4;

/** Complete Big Five responses over HTTP, each validated and on disk before it is acknowledged. */
export async function collecting(stage: Stage): Promise<Figure[]> {
  const api = await stage.api();
  const single = await stage.api({ ONE_INSERT_PER_REQUEST: 'true' });
  const express = await stage.bareExpress();
  const { surveyId, linkToken } = await publishSurvey(stage, api, bigFiveSurvey());
  const { answers } = bigFiveResponses().find((response) => !Object.values(response.answers).includes(null))!;
  const body = JSON.stringify({ submission_id: '[<id>]', answers });
  const post = (url: string) => () => requestsPerSecond({ url, method: 'POST', body, seconds: SECONDS });

  const path = `/api/public/s/${linkToken}/responses`;
  const { ours, oneInsert, bare, parsed } = await interleaved(ROUNDS, {
    ours: post(api.url + path),
    bare: post(`${express.url}/plain`),
    oneInsert: post(single.url + path),
    parsed: post(`${express.url}/parsed`),
  });
  const stored = await stage.db.raw<{ rows: { count: number }[] }>(
    `SELECT count(*) FROM responses WHERE survey_id = ? AND response_status = 'complete'`,
    [surveyId],
  );
  console.log(`    (${stored.rows[0]!.count} responses were stored)`);
  const perSecond = (values: number[]) => `${short(median(values))}/s`;
  const against = (what: string, yardstick: number[], target: Figure['target']): Figure => ({
    what,
    ours: perSecond(ours),
    yardstick: perSecond(yardstick),
    ratio: medianRatio(ours, yardstick),
    target,
  });
  return [
    against('Accepted responses, against a bare Express res.json that gets the same bodies', bare, {
      atLeast: 0.6,
    }),
    against('The same, against Express with express.json()', parsed, null),
    against('The same, against one INSERT per request instead of group commit', oneInsert, null),
  ];
}
