import { bigFiveSurvey } from '../seeds/big-five.ts';
import { short, type Figure } from './support/figure.ts';
import { requestsPerSecond } from './support/load.ts';
import { interleaved, median, medianRatio } from './support/rounds.ts';
import type { Stage } from './support/stage.ts';
import { call, publishSurvey } from './support/surveys.ts';

const ROUNDS = 5;
const SECONDS = 4;

/** One survey with everything in it, read by an integration with its API key. */
export async function surveyRead(stage: Stage): Promise<Figure[]> {
  const api = await stage.api();
  const express = await stage.bareExpress();
  const { surveyId } = await publishSurvey(stage, api, bigFiveSurvey());
  const path = `/api/surveys/${surveyId}`;
  const reply = JSON.stringify(await call(stage, api, 'GET', path));
  await express.ask(reply);

  const headers = { 'X-API-Key': stage.apiKey };
  const get = (url: string) => () => requestsPerSecond({ url, method: 'GET', headers, seconds: SECONDS });
  const { ours, plain, sized } = await interleaved(ROUNDS, {
    ours: get(api.url + path),
    plain: get(`${express.url}/plain`),
    sized: get(`${express.url}/sized`),
  });
  const against = (what: string, yardstick: number[], target: Figure['target']): Figure => ({
    what,
    ours: `${short(median(ours))}/s`,
    yardstick: `${short(median(yardstick))}/s`,
    ratio: medianRatio(ours, yardstick),
    target,
  });
  return [
    against('GET /api/surveys/:id, against a bare res.json({ ok: true })', plain, { atLeast: 0.4 }),
    against(`The same, against a bare res.json of the same ${reply.length} bytes`, sized, null),
  ];
}
