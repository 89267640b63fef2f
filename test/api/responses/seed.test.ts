import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { withFile } from '../../support/file-transfer.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
let survey: PublishedSurvey;

beforeAll(async () => {
  survey = await createSurvey('Any');
});

/** Q1 = 3 screens the respondent out; Q3 is shown only if Q1 = 1. */
const createSurvey = (name: string) =>
  publishedSurvey(author, {
    survey_name: name,
    pages: [
      [
        choice('Q1', {
          question_required: true,
          question_settings: {
            logic: {
              skip: [
                {
                  when: { left: { type: 'question', code: 'Q1' }, operator: 'equals', right: '3' },
                  action: 'screen_out',
                  reason: 'Not in the target group',
                },
              ],
            },
          },
        }),
      ],
      [number('Q2', { question_required: true, question_settings: { min: 18, max: 99 } }), multiple('Q4')],
      [
        text('Q3', {
          question_required: true,
          question_settings: {
            logic: { display: { left: { type: 'question', code: 'Q1' }, operator: 'equals', right: '1' } },
          },
        }),
        {
          question_type: 'file_upload',
          question_code: 'Q5',
          question_text: 'A picture',
          question_required: true,
        },
      ],
    ],
  });

const at = (survey: PublishedSurvey, path: string) => `/api/responses/${survey.surveyId}/${path}`;

interface Row {
  response_status: string;
  status_reason: string | null;
  is_test: boolean;
  started_at: string;
  completed_at: string | null;
  duration_seconds: number | null;
  link_id: number | null;
  values: Record<string, unknown>;
}

async function listRows(survey: PublishedSurvey, query = ''): Promise<Row[]> {
  const reply = await author.get(at(survey, `grid${query}`)).expect(200);
  return reply.body.data.rows as Row[];
}

const getStats = async (survey: PublishedSurvey, query = '') =>
  (await author.get(at(survey, `stats${query}`)).expect(200)).body.data as Record<string, number>;

describe('seeding', () => {
  let survey: PublishedSurvey;
  let rows: Row[];
  let reply: Record<string, number>;

  beforeAll(async () => {
    survey = await createSurvey('Seeded');
    reply = (await author.post(at(survey, 'seed'), { count: 400, seed: 5 }).expect(201)).body.data;
    rows = await listRows(survey);
  });

  test('creates test responses of every possible status and returns the counts', () => {
    expect(reply).toEqual({
      created: 400,
      seed: 5,
      complete: expect.any(Number),
      partial: expect.any(Number),
      screened_out: expect.any(Number),
      left_out: ['Q5'],
    });
    for (const status of ['complete', 'partial', 'screened_out']) {
      const withStatus = rows.filter((row) => row.response_status === status);
      expect(withStatus).toHaveLength(reply[status]!);
      expect(withStatus.length).toBeGreaterThan(4);
    }
    expect(rows.every((row) => row.is_test && row.link_id === null)).toBe(true);
  });

  test('follows the logic', () => {
    for (const row of rows) {
      const { Q1, Q2, Q3 } = row.values;
      expect(row.response_status === 'screened_out').toBe(Q1 === '3');
      expect(row.status_reason).toBe(Q1 === '3' ? 'screen_out' : null);
      if (row.response_status !== 'complete') continue;
      expect(Q2).toEqual(expect.any(Number));
      expect(typeof Q3).toBe(Q1 === '1' ? 'string' : 'object');
    }
  });

  test('spreads plausible times over the last two weeks', () => {
    const now = Date.now();
    const starts = rows.map((row) => Date.parse(row.started_at));
    expect(Math.min(...starts)).toBeGreaterThan(now - 14.1 * 86_400_000);
    expect(Math.max(...starts) - Math.min(...starts)).toBeGreaterThan(12 * 86_400_000);
    for (const row of rows) {
      expect(row.completed_at === null).toBe(row.response_status === 'partial');
      if (row.completed_at === null) continue;
      const seconds = (Date.parse(row.completed_at) - Date.parse(row.started_at)) / 1000;
      expect(Math.abs(seconds - row.duration_seconds!)).toBeLessThan(0.01);
      expect(Date.parse(row.completed_at)).toBeLessThanOrEqual(now);
    }
  });

  test('counts in figures only while there are no other responses, and never in the counts of survey and links', async () => {
    expect(await getStats(survey)).toMatchObject({ total: 0, test: 400 });
    expect(await getStats(survey, '?include_test=true')).toMatchObject({ total: 400, test: 400 });
    const figure = await author.get(at(survey, 'distribution/Q1')).expect(200);
    expect(figure.body.data.base).toBe(reply.complete);
    const links = await author.get(`/api/surveys/${survey.surveyId}/links`).expect(200);
    expect(links.body.data[0]).toMatchObject({ response_count: 0, complete_count: 0 });
    const shown = await author.get(`/api/surveys/${survey.surveyId}`).expect(200);
    expect(shown.body.data.response_count).toBe(0);
  });

  test('gives the same answers for the same seed only', async () => {
    const seedAnswers = async (other: PublishedSurvey, seed: number) => {
      const created = await author.post(at(other, 'seed'), { count: 60, seed }).expect(201);
      expect(created.body.data.seed).toBe(seed);
      return (await listRows(other)).map((row) => row.values);
    };
    const [first, second, third] = [
      await createSurvey('A'),
      await createSurvey('B'),
      await createSurvey('C'),
    ];
    const answers = await seedAnswers(first, 5);
    expect(answers).toEqual(rows.slice(0, 60).map((row) => row.values));
    expect(await seedAnswers(second, 5)).toEqual(answers);
    expect(await seedAnswers(third, 6)).not.toEqual(answers);
  });
});

describe('removing seeded responses', () => {
  test('removes all seeded responses and no others', async () => {
    const survey = await createSurvey('Mixed');
    await author.post(at(survey, 'rows'), { rows: [{ answers: { Q1: '3' } }] }).expect(201);
    const created = await author.post(at(survey, 'seed')).expect(201);
    expect(created.body.data).toMatchObject({ created: 100, seed: expect.any(Number) });
    expect(await getStats(survey)).toMatchObject({ total: 1, test: 100 });
    await author.delete(at(survey, 'seed')).expect(204, '');
    expect(await getStats(survey)).toMatchObject({ total: 1, test: 0 });
    expect(await listRows(survey)).toHaveLength(1);
    await author.delete(at(survey, 'seed')).expect(204);
    const log: { rows: { action: string; details: unknown }[] } = await app.database.db.raw(
      `SELECT action, details FROM audit_log WHERE object_id = ? AND action LIKE 'responses.seed%' ORDER BY audit_id`,
      [String(survey.surveyId)],
    );
    expect(log.rows).toEqual([
      { action: 'responses.seeded', details: { created: 100, seed: created.body.data.seed } },
      { action: 'responses.seed_removed', details: { removed: 100 } },
      { action: 'responses.seed_removed', details: { removed: 0 } },
    ]);
  });
});

describe('the removal of seeded responses', () => {
  const bulkDelete = async (survey: PublishedSurvey, ids: number[]) => {
    const body = { action: 'delete', response_ids: ids };
    return (await author.post(at(survey, 'bulk'), body).expect(200)).body.data.change_id as number;
  };
  const undo = (survey: PublishedSurvey, changeId: number) =>
    author.post(at(survey, `changes/${changeId}/undo`)).expect(200);
  const listIds = async (survey: PublishedSurvey) => {
    const reply = await author.get(at(survey, 'grid')).expect(200);
    return (reply.body.data.rows as { response_id: number }[]).map((row) => row.response_id);
  };

  test('keeps imported test responses', async () => {
    const survey = await createSurvey('Imported tests');
    await withFile(author.post(at(survey, 'import')), 'Q1,is_test\n1,1\n2,1\n').expect(201);
    await author.post(at(survey, 'seed'), { count: 3 }).expect(201);
    await author.delete(at(survey, 'seed')).expect(204);
    expect(await getStats(survey)).toMatchObject({ total: 0, test: 2 });
  });

  test('does not restore a response whose earlier deletion is undone', async () => {
    const survey = await createSurvey('Undone after');
    await author.post(at(survey, 'rows'), { rows: [{ answers: { Q1: '3' } }] }).expect(201);
    await author.post(at(survey, 'seed'), { count: 3 }).expect(201);
    const [collected, seeded] = await listIds(survey);
    const changeId = await bulkDelete(survey, [collected!, seeded!]);
    await author.delete(at(survey, 'seed')).expect(204);
    await undo(survey, changeId);
    expect(await listIds(survey)).toEqual([collected]);
  });

  test('deletes a response restored by an import when the import is undone or with the next removal', async () => {
    const survey = await createSurvey('Restored');
    await author.post(at(survey, 'seed'), { count: 2 }).expect(201);
    const [seeded] = await listIds(survey);
    await author.delete(at(survey, 'seed')).expect(204);
    const fields = { on_existing: 'update' };
    const importSeeded = () =>
      withFile(author.post(at(survey, 'import')), `response_id,Q1\n${seeded},1\n`, fields).expect(201);
    const { change_id: imported } = (await importSeeded()).body.data;
    expect(await listIds(survey)).toEqual([seeded]);
    await undo(survey, imported as number);
    expect(await listIds(survey)).toEqual([]);
    await importSeeded();
    const deleted = await bulkDelete(survey, [seeded!]);
    await author.delete(at(survey, 'seed')).expect(204);
    await undo(survey, deleted);
    expect(await listIds(survey)).toEqual([]);
  });

  test('restores a deleted response if nothing was removed since', async () => {
    const survey = await createSurvey('Undone before');
    await author.post(at(survey, 'seed'), { count: 3 }).expect(201);
    const before = await listIds(survey);
    await undo(survey, await bulkDelete(survey, before.slice(0, 2)));
    expect(await listIds(survey)).toEqual(before);
    await author.delete(at(survey, 'seed')).expect(204);
    expect(await listIds(survey)).toEqual([]);
  });
});

test('seeds a closed survey but not a draft', async () => {
  const draft = await author.post('/api/surveys', { survey_name: 'Draft' }).expect(201);
  const body = await expectRefused(
    author.post(`/api/responses/${draft.body.data.survey_id}/seed`, {}),
    409,
    'survey_not_published',
  );
  expect(body.message).toContain('Publish');
  const closed = await createSurvey('Closed');
  await author.put(`/api/surveys/${closed.surveyId}`, { survey_status: 3 }).expect(200);
  await author.post(at(closed, 'seed'), { count: 1 }).expect(201);
});

test('serves other requests while creating thousands of responses', async () => {
  const survey = await createSurvey('Busy');
  let answered = 0;
  let done = false;
  const seeding = author
    .post(at(survey, 'seed'), { count: 5_000, seed: 1 })
    .expect(201)
    .then(() => (done = true));
  while (!done) {
    await author.get('/api/surveys').expect(200);
    answered += 1;
  }
  await seeding;
  expect(answered).toBeGreaterThan(3);
  expect(await getStats(survey)).toMatchObject({ total: 0, test: 5_000 });
});

test.each([
  [{ count: 0 }, 'count'],
  [{ count: 10_001 }, 'count'],
  [{ count: 1.5 }, 'count'],
  [{ count: '10' }, 'count'],
  [{ seed: -1 }, 'seed'],
  [{ seed: 2 ** 31 }, 'seed'],
  [{ responses: 5 }, 'responses'],
])('%j is rejected', async (body, field) => {
  await expectInvalidField(author.post(at(survey, 'seed'), body), field);
});

test('requires edit access to seed and remove', async () => {
  const otherAdmin = (await newOrganization(app)).admin;
  const client = await organization.addUser('client');
  for (const [actor, status] of [
    [anonymous(app), 401],
    [client, 403],
    [otherAdmin, 404],
  ] as const) {
    await expectRefused(actor.post(at(survey, 'seed'), {}), status);
    await expectRefused(actor.delete(at(survey, 'seed')), status);
  }
  const member = await organization.addUser('member');
  await member.post(at(survey, 'seed'), { count: 1 }).expect(201);
});
