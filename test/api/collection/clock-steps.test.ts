import { beforeAll, expect, it } from 'vitest';
import type { Clock } from '../../../src/lib/clock.ts';
import { type Actor, anonymous, newOrganization } from '../../support/actors.ts';
import { appOn, type TestApp, useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { choice } from '../../support/questions.ts';
import { publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';

const HOUR_MS = 60 * 60 * 1_000;

const app = useApp();
/** How far the clock of the server is from the real one. */
let stepMs = 0;
let stepped: TestApp;
let author: Actor;
let survey: PublishedSurvey;

beforeAll(async () => {
  const clock: Clock = { now: () => new Date(Date.now() + stepMs) };
  stepped = appOn(app.database, {}, { clock });
  author = (await newOrganization(app)).admin;
  survey = await publishedSurvey(author, [[choice('Q1')]]);
});

interface Row {
  started_at: string;
  completed_at: string | null;
  duration_seconds: number | null;
}

async function rowOf(responseId: number): Promise<Row> {
  const { body } = await author.get(`/api/responses/${survey.surveyId}/grid`).expect(200);
  return (body.data.rows as (Row & { response_id: number })[]).find((row) => row.response_id === responseId)!;
}

it('stores an end no earlier than the start when the clock is set back', async () => {
  stepMs = HOUR_MS;
  const started = await startResponse(anonymous(stepped), survey.linkToken);
  stepMs = 0;
  await started.complete({ Q1: '1' }).expect(200);
  const row = await rowOf(started.responseId);
  expect(row.completed_at).toBe(row.started_at);
  expect(row.duration_seconds).toBe(0);
});

it('ends a response that an editor completes no earlier than it started', async () => {
  stepMs = HOUR_MS;
  const started = await startResponse(anonymous(stepped), survey.linkToken);
  stepMs = 0;
  await author
    .post(`/api/responses/${survey.surveyId}/bulk`, {
      response_ids: [started.responseId],
      action: 'set_status',
      status: 'complete',
    })
    .expect(200);
  const row = await rowOf(started.responseId);
  expect(row.completed_at).toBe(row.started_at);
});
