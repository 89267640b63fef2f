import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { randomIds } from '../../../src/lib/ids.ts';
import { Store } from '../../../src/repositories/store.ts';
import type { NewResponse } from '../../../src/repositories/responses.ts';
import { LinkReservations } from '../../../src/services/collection/link-reservations.ts';
import { QuotaReservations } from '../../../src/services/collection/quota-reservations.ts';
import { ResponseWriter } from '../../../src/services/collection/response-writer.ts';
import { connect, type Database } from '../../../src/db/connect.ts';
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

describe('concurrent responses', () => {
  test('each get their own row, in any order', async () => {
    const writer = writerOn(app.database.db);
    const responses = Array.from({ length: 700 }, () => response());
    const written = await Promise.all(responses.map((one) => writer.write(one)));
    expect(written.map((one) => one.response_token)).toEqual(responses.map((one) => one.responseToken));
    expect(new Set(written.map((one) => one.response_id)).size).toBe(700);
    const stored = await storedTokens();
    expect(responses.every((one) => stored.has(one.responseToken))).toBe(true);
  });

  test('do not fail because of an invalid response in the batch', async () => {
    const writer = writerOn(app.database.db);
    const valid = Array.from({ length: 30 }, () => response());
    const invalid = response({ status: 'nonsense' as never });
    const all = [...valid.slice(0, 11), invalid, ...valid.slice(11)];
    const outcomes = await Promise.allSettled(all.map((one) => writer.write(one)));
    expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(1);
    expect(outcomes[11]!.status).toBe('rejected');
    const stored = await storedTokens();
    expect(valid.every((one) => stored.has(one.responseToken))).toBe(true);
    expect(stored.has(invalid.responseToken)).toBe(false);
  });

  test('create one row per submission_id in a batch', async () => {
    const writer = writerOn(app.database.db);
    const written = await Promise.all(
      Array.from({ length: 10 }, () => writer.write(response({ submissionId: 'same' }))),
    );
    expect(written.filter((one) => one.created)).toHaveLength(1);
    expect(new Set(written.map((one) => one.response_id)).size).toBe(1);
  });

  test('are all written when the writer is drained', async () => {
    const writer = writerOn(app.database.db);
    let answered = 0;
    const writing = Array.from({ length: 50 }, () => writer.write(response()).then(() => (answered += 1)));
    await writer.drain();
    await Promise.all(writing);
    expect(answered).toBe(50);
  });

  test('are rejected while the database is unavailable', async () => {
    const unreachable = connect('postgres://nobody:nothing@127.0.0.1:1/none', 2);
    const writer = writerOn(unreachable);
    const outcomes = await Promise.allSettled([writer.write(response()), writer.write(response())]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    await unreachable.destroy();
  });
});

describe('a stuck batch', () => {
  /** Runs `work` while a transaction locks the submission_id, so that writing it waits. */
  async function whileLocked(submissionId: string, work: () => Promise<void>): Promise<void> {
    const transaction = await app.database.db.transaction();
    try {
      await new Store(transaction).read.responses.insertMany([response({ submissionId })]);
      await work();
    } finally {
      await transaction.rollback();
    }
  }

  test('delays only the respondents of its survey', async () => {
    const writer = writerOn(app.database.db);
    const pending: Promise<unknown>[] = [];
    let isAnswered = false;
    await whileLocked('locked', async () => {
      for (let count = 0; count < 8; count += 1) {
        pending.push(writer.write(response({ submissionId: 'locked' })).then(() => (isAnswered = true)));
        await sleep(50);
      }
      // Another survey may wait until the batch is detected as stuck.
      await writer.write(response({ surveyId: otherSurveyId }));
      for (let count = 0; count < 10; count += 1) {
        pending.push(writer.write(response({ submissionId: 'locked' })).then(() => (isAnswered = true)));
        const startMs = performance.now();
        await writer.write(response({ surveyId: otherSurveyId }));
        expect(performance.now() - startMs).toBeLessThan(700);
      }
      expect(isAnswered).toBe(false);
    });
    await Promise.all(pending);
    await writer.drain();
  });

  test('rejects further responses of its survey when many are pending, and accepts responses of others', async () => {
    const writer = writerOn(app.database.db);
    const pending: Promise<unknown>[] = [];
    await whileLocked('also locked', async () => {
      for (let count = 0; count < 3; count += 1) {
        pending.push(writer.write(response({ submissionId: 'also locked' })));
        await sleep(1_100);
      }
      // One of the three is already being written.
      for (let count = 0; count < 999; count += 1) pending.push(writer.write(response()));
      expect(() => writer.write(response())).toThrow('Too many responses at once; try again');
      await writer.write(response({ surveyId: otherSurveyId }));
    });
    await Promise.all(pending);
    expect((await writer.write(response())).created).toBe(true);
  });
});
