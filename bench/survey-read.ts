import { bigFiveSurvey } from '../seeds/demo/big-five.ts';
import type { Child } from './support/child.ts';
import type { Figure } from './support/figure.ts';
import { runLoad } from './support/load.ts';
import { requestsFigure } from './support/requests-figure.ts';
import { interleaved } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';
import { call, publishSurvey } from '../test/support/served-surveys.ts';

const ROUNDS = 5;
const SECONDS = 4;

/** One survey with everything in it, read by an integration with its API key. */
export async function surveyRead(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const express = await testBed.bareExpress();
  const { surveyId } = await publishSurvey(testBed, api, bigFiveSurvey());
  const surveyPath = `/api/surveys/${surveyId}`;
  const reply = JSON.stringify(await call(testBed, api, 'GET', surveyPath));
  await express.ask(reply);

  const headers = { 'X-API-Key': testBed.apiKey };
  const get = (server: Child, path: string) => () =>
    runLoad({ server, path, method: 'GET', headers, seconds: SECONDS });
  const { ours, plain, sized } = await interleaved(ROUNDS, {
    ours: get(api, surveyPath),
    plain: get(express, '/plain'),
    sized: get(express, '/sized'),
  });
  return [
    requestsFigure('GET /api/surveys/:id', ours, 'a bare res.json({ ok: true })', plain, { atLeast: 0.4 }),
    requestsFigure('The same', ours, `a bare res.json of the same ${reply.length} bytes`, sized, null),
  ];
}
