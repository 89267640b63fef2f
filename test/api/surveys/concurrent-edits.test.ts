import { describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { draftSurvey, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const admin = useOrganization(test).admin;

const at = (surveyId: number) => `/api/surveys/${surveyId}`;
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('concurrently', () => {
  it('questions are added with distinct codes and positions', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin);
    const replies = await Promise.all(
      times(12, (index) =>
        admin.post(`${at(surveyId)}/questions`, {
          page_id: pageIds[0],
          question_type: 'text',
          question_text: `Question ${index}`,
        }),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual(times(12, () => 201));
    const { body } = await admin.get(`${at(surveyId)}/questions`).expect(200);
    expect(body.data.map((question: { question_code: string }) => question.question_code)).toEqual(
      times(12, (index) => `Q${index + 1}`),
    );
    const { rows } = await test.database.db.raw(
      'SELECT count(DISTINCT question_order) AS places FROM questions WHERE survey_id = ?',
      [surveyId],
    );
    expect(rows).toEqual([{ places: 12 }]);
  });

  it('one of two questions gets a requested code', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin);
    const body = {
      page_id: pageIds[0],
      question_type: 'text',
      question_text: 'Mine?',
      question_code: 'Same',
    };
    const replies = await Promise.all(times(4, () => admin.post(`${at(surveyId)}/questions`, body)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('pages are added and reordered without losing one', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin, [[], [], []]);
    await Promise.all([
      ...times(5, () => admin.post(`${at(surveyId)}/pages`)),
      admin.put(`${at(surveyId)}/pages/reorder`, { page_ids: [...pageIds].reverse() }),
    ]);
    const { body } = await admin.get(`${at(surveyId)}/pages`).expect(200);
    expect(new Set(body.data.map((page: { page_id: number }) => page.page_id)).size).toBe(8);
  });

  it('publishing stores one version for the same draft, and creates one open link', async () => {
    const { surveyId } = await draftSurvey(admin, [[{ question_type: 'text' }]]);
    const replies = await Promise.all(times(4, () => admin.post(`${at(surveyId)}/publish`)));
    expect(replies.map((reply) => reply.body.data.version as number)).toEqual([1, 1, 1, 1]);
    expect(replies.filter((reply) => reply.body.data.is_new_version as boolean)).toHaveLength(1);
    expect((await admin.get(`${at(surveyId)}/links`).expect(200)).body.data).toHaveLength(1);
  });

  it('changes of different fields of a survey are all kept', async () => {
    const { surveyId } = await draftSurvey(admin);
    await Promise.all([
      admin.put(at(surveyId), { survey_name: 'New name' }).expect(200),
      admin.put(at(surveyId), { survey_description: 'New description' }).expect(200),
      admin.put(at(surveyId), { survey_settings: { anonymous: true } }).expect(200),
      admin.put(`${at(surveyId)}/quality-settings`, { action: 'screen_out' }).expect(200),
    ]);
    const { body } = await admin.get(at(surveyId)).expect(200);
    expect(body.data).toMatchObject({
      survey_name: 'New name',
      survey_description: 'New description',
      survey_settings: { anonymous: true },
      quality_settings: { action: 'screen_out' },
    });
  });

  it('a response can come in while its survey is being edited', async () => {
    const { surveyId } = await publishedSurvey(admin);
    const editing = await test.database.db.transaction();
    await editing.raw('SELECT 1 FROM surveys WHERE survey_id = ? FOR NO KEY UPDATE', [surveyId]);
    try {
      expect(await insertResponse(test, surveyId)).toBeGreaterThan(0);
    } finally {
      await editing.rollback();
    }
  });
});

const DEADLOCK = '40P01';

describe('the counts of responses', () => {
  it('match a recount after bulk changes by many connections, including undone ones', async () => {
    const { db } = test.database;
    const surveys = await Promise.all(times(2, () => publishedSurvey(admin)));
    const ids = surveys.map((survey) => survey.surveyId) as [number, number];
    const insert = (count: number, link: number | null) =>
      `INSERT INTO responses (survey_id, response_token, response_status, survey_version, link_id, is_test)
       SELECT CASE WHEN n % 3 = 0 THEN ${ids[0]} ELSE ${ids[1]} END, md5(random()::text),
              (ARRAY['complete','partial','screened_out'])[1 + n % 3], 1, ${link ?? 'NULL'}, n % 7 = 0
       FROM generate_series(1, ${count}) n`;
    await Promise.all(times(6, (index) => db.raw(insert(50, index % 2 === 0 ? null : index))));
    const statements = [
      `UPDATE responses SET response_status = 'complete' WHERE response_id % 5 = 0`,
      `UPDATE responses SET deleted_at = now() WHERE response_id % 4 = 0`,
      `UPDATE responses SET deleted_at = NULL WHERE response_id % 8 = 0`,
      `UPDATE responses SET is_test = NOT is_test WHERE response_id % 11 = 0`,
      `UPDATE responses SET link_id = 3 WHERE response_id % 13 = 0`,
      `UPDATE responses SET answers = '{"Q1":"Yes"}'`,
      `DELETE FROM responses WHERE is_test AND response_id % 2 = 0`,
      `DELETE FROM responses WHERE response_id % 17 = 0`,
      insert(30, 3),
    ];
    // They lock the same rows in different order: after a deadlock, one of them is retried.
    const done = async (statement: string): Promise<void> => {
      await db.raw(statement).catch((error: { code?: string }) => {
        if (error.code !== DEADLOCK) throw error;
        return done(statement);
      });
    };
    await Promise.all(statements.map(done));
    const undone = await db.transaction();
    await undone.raw('DELETE FROM responses');
    await undone.rollback();

    const live = 'deleted_at IS NULL AND NOT is_test';
    const counted = await db.raw(
      `SELECT survey_id, coalesce(link_id, 0) AS link_id, count(*) AS responses,
              count(*) FILTER (WHERE response_status = 'complete') AS completes
       FROM responses WHERE ${live} GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    const saved = await db.raw(
      `SELECT survey_id, link_id, sum(response_count)::bigint AS responses, sum(complete_count)::bigint AS completes
       FROM response_counts GROUP BY 1, 2 HAVING sum(response_count) <> 0 ORDER BY 1, 2`,
    );
    expect(saved.rows).toEqual(counted.rows);
    for (const surveyId of ids) {
      const total = await db.raw(`SELECT count(*) AS n FROM responses WHERE survey_id = ? AND ${live}`, [
        surveyId,
      ]);
      const { body } = await admin.get(at(surveyId)).expect(200);
      expect(body.data.response_count).toBe(total.rows[0].n);
    }
  });
});
