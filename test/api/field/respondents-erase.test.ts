import { describe, expect, test } from 'vitest';
import { RespondentRepository } from '../../../src/repositories/respondents.ts';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { text } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
const PATH = '/api/surveys/respondents';

async function added(fields: object): Promise<number> {
  const { body } = await author.post(PATH, fields).expect(201);
  return body.data.respondent_id as number;
}

/** A response that came by a personal link. */
async function answered(
  respondentId: number,
  surveyId: number,
  response: Parameters<typeof insertResponse>[2] = {},
  columns: Record<string, unknown> = {},
): Promise<number> {
  const responseId = await insertResponse(app, surveyId, response);
  await app.database
    .db('responses')
    .where({ survey_id: surveyId, response_id: responseId })
    .update({
      respondent_id: respondentId,
      external_id: 'E-1',
      ...columns,
    });
  return responseId;
}

describe('completed_count', () => {
  test('counts complete responses over all surveys, without deleted and test ones', async () => {
    const [first, second] = [await publishedSurvey(author), await publishedSurvey(author)];
    const id = await added({ email: 'count@example.org' });
    const other = await added({ email: 'other@example.org' });
    await answered(id, first.surveyId);
    await answered(id, second.surveyId);
    await answered(id, second.surveyId, { status: 'partial' });
    await answered(id, second.surveyId, { status: 'screened_out' });
    await answered(id, second.surveyId, { isTest: true });
    const deletedId = await answered(id, second.surveyId);
    await answered(other, first.surveyId);
    const counted = async () => {
      const one = await author.get(`${PATH}/${id}`).expect(200);
      const list = await author.get(`${PATH}?search=count@`).expect(200);
      expect(list.body.data[0].completed_count).toBe(one.body.data.completed_count);
      return one.body.data.completed_count as number;
    };
    expect(await counted()).toBe(3);
    await author
      .post(`/api/responses/${second.surveyId}/bulk`, { action: 'delete', response_ids: [deletedId] })
      .expect(200);
    expect(await counted()).toBe(2);
    const reply = await author.put(`${PATH}/${id}`, { name: 'Counted' }).expect(200);
    expect(reply.body.data.completed_count).toBe(2);
  });
});

describe('an erased respondent', () => {
  test('is removed from the table and from responses, which still count', async () => {
    const survey = await publishedSurvey(author, [[text('Q1')]]);
    const id = await added({
      email: 'secret@person.example',
      name: 'Secret Person',
      external_id: 'E-1',
      language: 'en',
      attributes: { secret: 'whispered' },
    });
    const responseId = await answered(id, survey.surveyId, { answers: { Q1: 'an opinion' } });
    await author.post(`${PATH}/${id}/opt-out`).expect(200);
    const stats = `/api/responses/${survey.surveyId}/stats`;
    const before = await author.get(stats).expect(200);

    expect((await author.delete(`${PATH}/${id}`).expect(204)).text).toBe('');
    for (const call of [author.get(`${PATH}/${id}`), author.get(`${PATH}/${id}/export`)])
      await expectRefused(call, 404);
    await expectRefused(author.delete(`${PATH}/${id}`), 404);
    await expectRefused(author.put(`${PATH}/${id}`, { name: 'Back' }), 404);

    const row = await app.database.db('respondents').where({ respondent_id: id }).first();
    expect(row).toMatchObject({
      respondent_email: null,
      respondent_name: null,
      external_id: null,
      language: null,
      attributes: {},
      erased_at: expect.any(Date),
    });
    const response = await app.database.db('responses').where({ response_id: responseId }).first();
    expect(response).toMatchObject({ respondent_id: id, external_id: null, answers: { Q1: 'an opinion' } });
    expect((await author.get(stats)).body.data).toEqual(before.body.data);
    const grid = await author.get(`/api/responses/${survey.surveyId}/grid`).expect(200);
    expect(grid.body.data.rows[0]).toMatchObject({ respondent_id: id, external_id: null });

    const log = await app.database
      .db('audit_log')
      .select<{ line: string }[]>(app.database.db.raw('audit_log::text AS line'));
    const lines = log.map(({ line }) => line).join('\n');
    expect(lines).toContain('respondent.erased');
    expect(lines).not.toMatch(/secret@person|Secret Person|whispered/);
  });

  test('frees the address and id for a new respondent', async () => {
    const given = { email: 'again@example.org', external_id: 'again' };
    const id = await added({ ...given, opted_out: true });
    await author.delete(`${PATH}/${id}`).expect(204);
    const { body } = await author.post(PATH, given).expect(201);
    expect(body.data).toMatchObject({ opted_out: false, completed_count: 0 });
    expect(body.data.respondent_id).not.toBe(id);
  });
});

describe('the export of a respondent', () => {
  test('contains all data about the respondent, by survey, and no others', async () => {
    const survey = await publishedSurvey(author, {
      survey_name: 'Of people',
      pages: [[text('Q1', { question_text: 'What do you think?' })]],
    });
    const id = await added({ email: 'export@example.org', attributes: { tier: 1 } });
    const other = await added({ email: 'not-me@example.org' });
    const first = await answered(
      id,
      survey.surveyId,
      { answers: { Q1: '=an opinion' } },
      { hidden: { src: 'mail' } },
    );
    const second = await answered(id, survey.surveyId, { status: 'partial' }, { deleted_at: new Date() });
    await answered(other, survey.surveyId, { answers: { Q1: 'somebody else' } });

    const { body } = await author.get(`${PATH}/${id}/export`).expect(200);
    const { respondent, surveys, responses_elsewhere: elsewhere } = body.data;
    expect(respondent).toEqual((await author.get(`${PATH}/${id}`)).body.data);
    expect(elsewhere).toBe(0);
    expect(surveys).toEqual([
      {
        survey_id: survey.surveyId,
        survey_name: 'Of people',
        questions: [{ question_code: 'Q1', question_text: 'What do you think?' }],
        responses: [
          expect.objectContaining({
            response_id: first,
            response_status: 'complete',
            is_deleted: false,
            external_id: 'E-1',
            answers: { Q1: '=an opinion' },
            hidden: { src: 'mail' },
          }),
          expect.objectContaining({ response_id: second, response_status: 'partial', is_deleted: true }),
        ],
      },
    ]);
    const audited = await app.database.db('audit_log').where({ action: 'respondent.exported' });
    expect(audited.map((row) => [row.object_id, row.details])).toEqual([[String(id), { responses: 2 }]]);
  });

  test('counts but does not show responses in other workspaces', async () => {
    const survey = await publishedSurvey(author);
    const id = await added({ email: 'moved@example.org' });
    await answered(id, survey.surveyId);
    const other = await author.post('/api/workspaces', { workspace_name: 'Elsewhere' }).expect(201);
    const { workspace_id } = other.body.data;
    await app.database.db('surveys').where({ survey_id: survey.surveyId }).update({ workspace_id });
    const { body } = await author.get(`${PATH}/${id}/export`).expect(200);
    expect(body.data).toMatchObject({ surveys: [], responses_elsewhere: 1 });
  });
});

test('reads the attributes of many respondents, without erased ones and those of other organizations', async () => {
  const [a, b] = [
    await added({ external_id: 'at-1', attributes: { tier: 1 } }),
    await added({ external_id: 'at-2', attributes: { tier: 2 } }),
  ];
  await author.delete(`${PATH}/${b}`).expect(204);
  const respondents = new RespondentRepository(app.database.db);
  expect(await respondents.listAttributes(author.organizationId, [a, b, 99999999])).toEqual(
    new Map([[a, { tier: 1 }]]),
  );
  expect(await respondents.listAttributes(author.organizationId + 1, [a])).toEqual(new Map());
});
