import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { choice, number } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;
let survey: PublishedSurvey;

beforeAll(async () => {
  survey = await publishedSurvey(author, [[choice('Q1'), number('Q2')]]);
});

/** Inserts a response in the given transaction. */
function insertResponse(
  transaction: { raw: (sql: string, bindings: (string | number)[]) => PromiseLike<unknown> },
  value: string,
) {
  return transaction.raw(
    `INSERT INTO responses (survey_id, response_token, response_status, survey_version, completed_at, answers)
     VALUES (?, md5(random()::text), 'complete', 1, now(), ?::jsonb)`,
    [survey.surveyId, JSON.stringify({ Q1: value })],
  );
}

async function getCounts(): Promise<number[]> {
  const reply = await author.get(`/api/responses/${survey.surveyId}/distribution/Q1`).expect(200);
  return reply.body.data.categories.map((category: { count: number }) => category.count);
}

describe('a figure', () => {
  test('counts every response committed before the request, in any commit order', async () => {
    const { db } = app.database;
    const early = await db.transaction();
    await insertResponse(early, '1');
    const late = await db.transaction();
    await insertResponse(late, '2');
    expect(await getCounts()).toEqual([0, 0, 0]);

    await late.commit();
    expect(await getCounts()).toEqual([0, 1, 0]);
    expect(await getCounts()).toEqual([0, 1, 0]);

    // It started first and has the lower ids, so a high-water mark would miss it.
    await early.commit();
    expect(await getCounts()).toEqual([1, 1, 0]);
  });

  test('never counts a response that was rolled back', async () => {
    const before = await getCounts();
    const rolledBack = await app.database.db.transaction();
    await insertResponse(rolledBack, '3');
    await getCounts();
    await rolledBack.rollback();
    expect(await getCounts()).toEqual(before);
  });

  test('reflects an edit, a deletion and a restoration of counted responses', async () => {
    const before = await getCounts();
    await app.database.db.raw(
      `UPDATE responses SET answers = '{"Q1":"3"}' WHERE survey_id = ? AND answers ->> 'Q1' = '1'`,
      [survey.surveyId],
    );
    expect(await getCounts()).toEqual([0, before[1], before[2]! + before[0]!]);
    await app.database.db.raw(`UPDATE responses SET deleted_at = now() WHERE survey_id = ?`, [
      survey.surveyId,
    ]);
    expect(await getCounts()).toEqual([0, 0, 0]);
    await app.database.db.raw(`UPDATE responses SET deleted_at = NULL WHERE survey_id = ?`, [
      survey.surveyId,
    ]);
    expect(await getCounts()).toEqual([0, before[1], before[2]! + before[0]!]);
  });

  test('includes a column added after the dataset was loaded', async () => {
    await getCounts();
    const page = survey.pageIds[0];
    await author
      .post(`/api/surveys/${survey.surveyId}/questions`, { page_id: page, ...choice('Q9') })
      .expect(201);
    const reply = await author.get(`/api/responses/${survey.surveyId}/distribution/Q9`).expect(200);
    expect(reply.body.data.missing.not_shown).toBeGreaterThan(0);
  });

  test('is complete while many clients submit responses', async () => {
    const busy = await publishedSurvey(author, {
      survey_name: 'Busy',
      pages: [[choice('Q1', { question_required: true })]],
    });
    const respondent = anonymous(app);
    let acknowledged = 0;
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let i = 0; i < 25; i += 1) {
        await respondent
          .post(`/api/public/s/${busy.linkToken}/responses`, {
            answers: { Q1: String(1 + ((client + i) % 3)) },
          })
          .expect(201);
        acknowledged += 1;
        const acknowledgedSoFar = acknowledged;
        const reply = await author.get(`/api/responses/${busy.surveyId}/stats`).expect(200);
        expect(reply.body.data.complete).toBeGreaterThanOrEqual(acknowledgedSoFar);
      }
    });
    await Promise.all(clients);
    const reply = await author.get(`/api/responses/${busy.surveyId}/distribution/Q1`).expect(200);
    expect(reply.body.data.base).toBe(200);
  });
});
