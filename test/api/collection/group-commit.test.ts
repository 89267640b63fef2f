import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { randomIds } from '../../../src/lib/ids.ts';
import { Store } from '../../../src/repositories/store.ts';
import type { NewResponse } from '../../../src/repositories/responses.ts';
import { LinkReservations } from '../../../src/services/collection/link-reservations.ts';
import { QuotaReservations } from '../../../src/services/collection/quota-reservations.ts';
import { ResponseWriter } from '../../../src/services/collection/response-writer.ts';
import { connectDatabase, type Database } from '../../../src/db/connect.ts';
import { useApp } from '../../support/app.ts';
import { newOrganization } from '../../support/actors.ts';
import { choice } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let surveyId: number;
let otherSurveyId: number;
const writerOn = (db: Database) =>
  new ResponseWriter(new Store(db), new LinkReservations(systemClock), new QuotaReservations(systemClock));

beforeAll(async () => {
  const { admin } = await newOrganization(app);
  surveyId = (await publishedSurvey(admin, [[choice('Q1')]])).surveyId;
  otherSurveyId = (await publishedSurvey(admin, [[choice('Q1')]])).surveyId;
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
  test('are each answered with their own row, in any order', async () => {
    const writer = writerOn(app.database.db);
    const responses = Array.from({ length: 700 }, () => response());
    const written = await Promise.all(responses.map((response) => writer.write(response)));
    expect(written.map((response) => response.response_token)).toEqual(
      responses.map((response) => response.responseToken),
    );
    expect(new Set(written.map((response) => response.response_id)).size).toBe(700);
    const stored = await storedTokens();
    expect(responses.every((response) => stored.has(response.responseToken))).toBe(true);
  });

  test('do not fail because of an invalid one among them', async () => {
    const writer = writerOn(app.database.db);
    const valid = Array.from({ length: 30 }, () => response());
    const invalid = response({ status: 'nonsense' as never });
    const all = [...valid.slice(0, 11), invalid, ...valid.slice(11)];
    const outcomes = await Promise.allSettled(all.map((response) => writer.write(response)));
    expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(1);
    expect(outcomes[11]!.status).toBe('rejected');
    const stored = await storedTokens();
    expect(valid.every((response) => stored.has(response.responseToken))).toBe(true);
    expect(stored.has(invalid.responseToken)).toBe(false);
  });

  test('create one row for one submission_id in a batch', async () => {
    const writer = writerOn(app.database.db);
    const written = await Promise.all(
      Array.from({ length: 10 }, () => writer.write(response({ submissionId: 'same' }))),
    );
    expect(written.filter((response) => response.created)).toHaveLength(1);
    expect(new Set(written.map((response) => response.response_id)).size).toBe(1);
  });

  test('are all answered when the writer is drained', async () => {
    const writer = writerOn(app.database.db);
    let answered = 0;
    const writing = Array.from({ length: 50 }, () => writer.write(response()).then(() => (answered += 1)));
    await writer.drain();
    await Promise.all(writing);
    expect(answered).toBe(50);
  });

  test('are each rejected while the database is unavailable', async () => {
    const nowhere = connectDatabase('postgres://nobody:nothing@127.0.0.1:1/none', 2);
    const writer = writerOn(nowhere);
    const outcomes = await Promise.allSettled([writer.write(response()), writer.write(response())]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    await nowhere.destroy();
  });
});

describe('a stuck batch', () => {
  /** Runs `work` while a transaction holds the submission_id, so that writing it waits. */
  async function whileHeld(submissionId: string, work: () => Promise<void>): Promise<void> {
    const holder = await app.database.db.transaction();
    try {
      await new Store(holder).read.responses.insertMany([response({ submissionId })]);
      await work();
    } finally {
      await holder.rollback();
    }
  }

  test('delays only the respondents of its survey', async () => {
    const writer = writerOn(app.database.db);
    const stuck: Promise<unknown>[] = [];
    let isAnswered = false;
    await whileHeld('held', async () => {
      for (let count = 0; count < 8; count += 1) {
        stuck.push(writer.write(response({ submissionId: 'held' })).then(() => (isAnswered = true)));
        await sleep(50);
      }
      // Until a batch is known to be stuck the next survey may wait for it.
      await writer.write(response({ surveyId: otherSurveyId }));
      for (let count = 0; count < 10; count += 1) {
        stuck.push(writer.write(response({ submissionId: 'held' })).then(() => (isAnswered = true)));
        const began = performance.now();
        await writer.write(response({ surveyId: otherSurveyId }));
        expect(performance.now() - began).toBeLessThan(700);
      }
      expect(isAnswered).toBe(false);
    });
    await Promise.all(stuck);
    await writer.drain();
  });

  test('rejects further responses of its survey when many are pending, and accepts those of others', async () => {
    const writer = writerOn(app.database.db);
    const stuck: Promise<unknown>[] = [];
    await whileHeld('also held', async () => {
      for (let count = 0; count < 3; count += 1) {
        stuck.push(writer.write(response({ submissionId: 'also held' })));
        await sleep(1_100);
      }
      // One of the three waits already.
      for (let count = 0; count < 999; count += 1) stuck.push(writer.write(response()));
      expect(() => writer.write(response())).toThrow('Too many responses at once; try again');
      await writer.write(response({ surveyId: otherSurveyId }));
    });
    await Promise.all(stuck);
    expect((await writer.write(response())).created).toBe(true);
  });
});
