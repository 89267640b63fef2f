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

/** A survey with those rows, after which `anonymous` is set. */
async function collected(anonymous: boolean): Promise<number> {
  const { surveyId } = await publishedSurvey(author, [[choice('Q1')]]);
  await author.post(`/api/responses/${surveyId}/rows`, { rows: ROWS }).expect(201);
  await author.put(`/api/surveys/${surveyId}`, { survey_settings: { anonymous } }).expect(200);
  return surveyId;
}

async function rowsOf(surveyId: number, query = '') {
  const reply = await author.get(`/api/responses/${surveyId}/grid${query}`).expect(200);
  return reply.body.data.rows as Record<string, unknown>[];
}

const csvOf = async (surveyId: number) =>
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

describe('of an anonymous survey', () => {
  test('the grid tells the day of each time, and how long it took', async () => {
    const rows = await rowsOf(await collected(true));
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

  test('so does a file', async () => {
    const lines = (await csvOf(await collected(true))).split('\r\n');
    expect(lines[1]).toMatch(
      /^morning,2026-01-02T00:00[^,]*,2026-01-02T00:00[^,]*,\d{4}-\d\d-\d\dT00:00[^,]*$/,
    );
    expect(lines[2]).toMatch(/^midnight,2026-01-02T00:00[^,]*,2026-01-03T00:00/);
  });

  test('a filter finds out no more', async () => {
    expect(await rowsOf(await collected(true), afterNine)).toEqual([]);
  });

  test('data that were read before the survey became anonymous are told no longer', async () => {
    const surveyId = await collected(false);
    expect(await rowsOf(surveyId, afterNine)).toHaveLength(2);
    await author.put(`/api/surveys/${surveyId}`, { survey_settings: { anonymous: true } }).expect(200);
    expect(await rowsOf(surveyId, afterNine)).toEqual([]);
  });
});

describe('switching `anonymous` off', () => {
  const off = (surveyId: number, survey_settings: object | null) =>
    author.put(`/api/surveys/${surveyId}`, { survey_settings });

  test('is refused once there are responses, deleted ones included', async () => {
    const surveyId = await collected(true);
    for (const settings of [{ anonymous: false }, { anonymous: null }, null]) {
      const refusal = await expectRefused(off(surveyId, settings), 409, 'anonymous_promised');
      expect(refusal.details[0]!.field).toBe('survey_settings.anonymous');
    }
    await off(surveyId, { anonymous: true, color: '#112233' }).expect(200);
    const ids = (await rowsOf(surveyId)).map((row) => row.response_id);
    await author.post(`/api/responses/${surveyId}/bulk`, { action: 'delete', response_ids: ids }).expect(200);
    await expectRefused(off(surveyId, { anonymous: false }), 409, 'anonymous_promised');
  });

  test('is possible while there are tests only', async () => {
    const { surveyId } = await publishedSurvey(author, {
      settings: { anonymous: true },
      pages: [[choice('Q1')]],
    });
    await author.post(`/api/responses/${surveyId}/seed`, { count: 3 }).expect(201);
    const { body } = await off(surveyId, { anonymous: false }).expect(200);
    expect(body.data.survey_settings.anonymous).toBe(false);
  });
});

test('of any other survey times are told as they are', async () => {
  const surveyId = await collected(false);
  expect((await rowsOf(surveyId))[0]).toMatchObject({
    started_at: '2026-01-02T10:00:00.000Z',
    completed_at: '2026-01-02T10:05:30.000Z',
  });
  expect(await csvOf(surveyId)).toContain('morning,2026-01-02T10:00');
});
