import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { randomIds } from '../../../src/lib/ids.ts';
import { Store } from '../../../src/repositories/store.ts';
import type { NewResponse } from '../../../src/repositories/responses.ts';
import { LinkPlaces } from '../../../src/services/collection/link-places.ts';
import { QuotaPlaces } from '../../../src/services/collection/quota-places.ts';
import { ResponseWriter } from '../../../src/services/collection/response-writer.ts';
import { connect, type Database } from '../../../src/db/connect.ts';
import { useApp } from '../../support/app.ts';
import { newOrganization } from '../../support/actors.ts';
import { choice } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let surveyId: number;
const writerOn = (db: Database) =>
  new ResponseWriter(new Store(db), new LinkPlaces(systemClock), new QuotaPlaces(systemClock));

beforeAll(async () => {
  const { admin } = await newOrganization(app);
  surveyId = (await publishedSurvey(admin, [[choice('Q1')]])).surveyId;
});

function response(overrides: Partial<NewResponse> = {}): NewResponse {
  return {
    surveyId,
    submissionId: null,
    responseToken: randomIds.token(32),
    status: 'complete',
    statusReason: null,
    surveyVersion: 1,
    linkId: null,
    waveId: null,
    externalId: null,
    language: null,
    lastPageId: null,
    startedAt: new Date(),
    completedAt: new Date(),
    durationSeconds: null,
    answers: { Q1: '1' },
    hidden: null,
    ...overrides,
  };
}

async function storedTokens(): Promise<Set<string>> {
  const result = await app.database.db.raw('SELECT response_token FROM responses WHERE survey_id = ?', [
    surveyId,
  ]);
  return new Set((result as { rows: { response_token: string }[] }).rows.map((row) => row.response_token));
}

describe('responses that arrive together', () => {
  test('are each answered with their own row, in whichever order they came', async () => {
    const writer = writerOn(app.database.db);
    const responses = Array.from({ length: 700 }, () => response());
    const written = await Promise.all(responses.map((one) => writer.write(one)));
    expect(written.map((one) => one.response_token)).toEqual(responses.map((one) => one.responseToken));
    expect(new Set(written.map((one) => one.response_id)).size).toBe(700);
    const stored = await storedTokens();
    expect(responses.every((one) => stored.has(one.responseToken))).toBe(true);
  });

  test('do not fail with a bad one among them', async () => {
    const writer = writerOn(app.database.db);
    const good = Array.from({ length: 30 }, () => response());
    const bad = response({ status: 'nonsense' as never });
    const all = [...good.slice(0, 11), bad, ...good.slice(11)];
    const outcomes = await Promise.allSettled(all.map((one) => writer.write(one)));
    expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(1);
    expect(outcomes[11]!.status).toBe('rejected');
    const stored = await storedTokens();
    expect(good.every((one) => stored.has(one.responseToken))).toBe(true);
    expect(stored.has(bad.responseToken)).toBe(false);
  });

  test('with one submission_id, in one batch, make one row', async () => {
    const writer = writerOn(app.database.db);
    const written = await Promise.all(
      Array.from({ length: 10 }, () => writer.write(response({ submissionId: 'same' }))),
    );
    expect(written.filter((one) => one.created)).toHaveLength(1);
    expect(new Set(written.map((one) => one.response_id)).size).toBe(1);
  });

  test('are all answered when the writer has drained', async () => {
    const writer = writerOn(app.database.db);
    let answered = 0;
    const writing = Array.from({ length: 50 }, () => writer.write(response()).then(() => (answered += 1)));
    await writer.drained();
    await Promise.all(writing);
    expect(answered).toBe(50);
  });

  test('are refused, each of them, while the database is away', async () => {
    const nowhere = connect('postgres://nobody:nothing@127.0.0.1:1/none', 2);
    const writer = writerOn(nowhere);
    const outcomes = await Promise.allSettled([writer.write(response()), writer.write(response())]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    await nowhere.destroy();
  });
});
