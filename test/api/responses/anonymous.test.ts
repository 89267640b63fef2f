import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useOrganization } from '../../support/actors.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;

const ROWS = [
  {
    submission_id: 'morning',
    answers: { Q1: '1' },
    started_at: '2026-01-02T10:00:00Z',
    completed_at: '2026-01-02T10:05:30Z',
  },
  {
    submission_id: 'midnight',
    answers: { Q1: '2' },
    started_at: '2026-01-02T23:59:59Z',
    completed_at: '2026-01-03T00:00:01Z',
  },
];

/** Returns the id of a survey with these rows, with the setting `anonymous` applied afterwards. */
async function createSurveyWithResponses(anonymous: boolean): Promise<number> {
  const { surveyId } = await publishedSurvey(author, [[choice('Q1')]]);
  await author.post(`/api/responses/${surveyId}/rows`, { rows: ROWS }).expect(201);
  await author.put(`/api/surveys/${surveyId}`, { survey_settings: { anonymous } }).expect(200);
  return surveyId;
}

async function listRows(surveyId: number, query = '') {
  const reply = await author.get(`/api/responses/${surveyId}/grid${query}`).expect(200);
  return reply.body.data.rows as Record<string, unknown>[];
}

const exportCsv = async (surveyId: number) =>
  (
    await author
      .post(`/api/responses/${surveyId}/export`, {
        columns: ['submission_id', 'started_at', 'completed_at', 'updated_at'],
      })
      .expect(200)
  ).text;

const afterNine = `?filter=${encodeURIComponent(
  JSON.stringify({ left: { code: 'started_at' }, operator: 'after', right: '2026-01-02T09:00:00Z' }),
)}`;

describe('an anonymous survey', () => {
  test('shows times as days in the grid, but exact durations', async () => {
    const rows = await listRows(await createSurveyWithResponses(true));
    expect(rows).toMatchObject([
      {
        started_at: '2026-01-02T00:00:00.000Z',
        completed_at: '2026-01-02T00:00:00.000Z',
        updated_at: expect.stringMatching(/T00:00:00.000Z$/),
        duration_seconds: 330,
      },
      { started_at: '2026-01-02T00:00:00.000Z', completed_at: '2026-01-03T00:00:00.000Z' },
    ]);
  });

  test('shows times as days in an export', async () => {
    const lines = (await exportCsv(await createSurveyWithResponses(true))).split('\r\n');
    expect(lines[1]).toMatch(/^,2026-01-02T00:00[^,]*,2026-01-02T00:00[^,]*,\d{4}-\d\d-\d\dT00:00[^,]*$/);
    expect(lines[2]).toMatch(/^,2026-01-02T00:00[^,]*,2026-01-03T00:00/);
  });

  test('compares days, not times, in filters', async () => {
    expect(await listRows(await createSurveyWithResponses(true), afterNine)).toEqual([]);
  });

  test('rounds times of data cached before it became anonymous', async () => {
    const surveyId = await createSurveyWithResponses(false);
    expect(await listRows(surveyId, afterNine)).toHaveLength(2);
    await author.put(`/api/surveys/${surveyId}`, { survey_settings: { anonymous: true } }).expect(200);
    expect(await listRows(surveyId, afterNine)).toEqual([]);
  });
});

describe('switching `anonymous` off', () => {
  const putSettings = (surveyId: number, survey_settings: object | null) =>
    author.put(`/api/surveys/${surveyId}`, { survey_settings });

  test('is rejected when the survey has responses, including deleted ones', async () => {
    const surveyId = await createSurveyWithResponses(true);
    for (const settings of [{ anonymous: false }, { anonymous: null }, null]) {
      const refusal = await expectRefused(putSettings(surveyId, settings), 409, 'anonymous_promised');
      expect(refusal.details[0]!.field).toBe('survey_settings.anonymous');
    }
    await putSettings(surveyId, { anonymous: true, color: '#112233' }).expect(200);
    const ids = (await listRows(surveyId)).map((row) => row.response_id);
    await author.post(`/api/responses/${surveyId}/bulk`, { action: 'delete', response_ids: ids }).expect(200);
    await expectRefused(putSettings(surveyId, { anonymous: false }), 409, 'anonymous_promised');
  });

  test('is allowed while the survey has only test responses', async () => {
    const { surveyId } = await publishedSurvey(author, {
      settings: { anonymous: true },
      pages: [[choice('Q1')]],
    });
    await author.post(`/api/responses/${surveyId}/seed`, { count: 3 }).expect(201);
    const { body } = await putSettings(surveyId, { anonymous: false }).expect(200);
    expect(body.data.survey_settings.anonymous).toBe(false);
  });
});

test('shows exact times of other surveys', async () => {
  const surveyId = await createSurveyWithResponses(false);
  expect((await listRows(surveyId))[0]).toMatchObject({
    started_at: '2026-01-02T10:00:00.000Z',
    completed_at: '2026-01-02T10:05:30.000Z',
  });
  expect(await exportCsv(surveyId)).toContain('morning,2026-01-02T10:00');
});
