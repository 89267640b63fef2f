import { describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { addQuestion, draftSurvey, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const admin = useOrganization(test).admin;

const at = (surveyId: number) => `/api/surveys/${surveyId}/pages`;
const pagesOf = async (surveyId: number, query = ''): Promise<number[]> =>
  (await admin.get(at(surveyId) + query).expect(200)).body.data.map(
    (page: { page_id: number }) => page.page_id,
  );

describe('pages', () => {
  it('need no title or description, and keep the order of creation', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin, [[], []]);
    const created = await admin.post(at(surveyId)).expect(201);
    expect(created.body.data).toEqual({
      page_id: created.body.data.page_id,
      page_title: null,
      page_description: null,
      page_logic: null,
      block_id: null,
      shown_to_arm: null,
      page_arrangement: null,
      question_ids: [],
      retired: false,
      etag: expect.any(String),
    });
    expect(await pagesOf(surveyId)).toEqual([...pageIds, created.body.data.page_id]);
  });

  it('keep absent fields and clear null ones', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin);
    const url = `${at(surveyId)}/${pageIds[0]}`;
    await admin.put(url, { page_description: 'About you' }).expect(200);
    const changed = await admin.put(url, { page_title: null }).expect(200);
    expect(changed.body.data).toMatchObject({ page_title: null, page_description: 'About you' });
  });

  it('keep their logic, whose jumps stay within the survey', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin, [[], []]);
    const otherSurvey = await draftSurvey(admin);
    const logic = (target: number) => ({
      display: { left: { code: 'Q1' }, operator: 'equals', right: '1' },
      skip: [
        { when: { left: { code: 'Q1' }, operator: 'answered' }, action: 'jump_to_page', target_id: target },
      ],
    });
    const url = `${at(surveyId)}/${pageIds[0]}`;
    await expectInvalidField(
      admin.put(url, { page_logic: logic(otherSurvey.pageIds[0]!) }),
      'page_logic.skip[0].target_id',
    );
    await expectInvalidField(
      admin.post(at(surveyId), { page_logic: logic(otherSurvey.pageIds[0]!) }),
      'page_logic.skip[0].target_id',
    );
    const reply = await admin.put(url, { page_logic: logic(pageIds[1]!) }).expect(200);
    expect(reply.body.data.page_logic).toMatchObject(logic(pageIds[1]!));
    // Its target goes; what the client got it may still send back.
    await admin.delete(`${at(surveyId)}/${pageIds[1]}`).expect(204);
    await admin.put(url, { page_logic: reply.body.data.page_logic, page_title: 'New' }).expect(200);
  });
});

describe('reordering pages', () => {
  it('requires exactly the existing pages, else nothing changes', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin, [[], [], []]);
    const otherSurvey = await draftSurvey(admin);
    const [a, b, c] = pageIds as [number, number, number];
    const reply = await admin.put(`${at(surveyId)}/reorder`, { page_ids: [c, a, b] }).expect(200);
    expect(reply.body.data.map((page: { page_id: number }) => page.page_id)).toEqual([c, a, b]);
    for (const wrong of [[c, a], [c, a, b, b], [c, a, otherSurvey.pageIds[0]], []]) {
      await expectRefused(
        admin.put(`${at(surveyId)}/reorder`, { page_ids: wrong }),
        400,
        'validation_failed',
      );
    }
    expect(await pagesOf(surveyId)).toEqual([c, a, b]);
  });
});

describe('deleting a page', () => {
  it('removes its questions while there are no data', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin, [
      [{ question_type: 'text' }],
      [{ question_type: 'number' }],
    ]);
    await admin.delete(`${at(surveyId)}/${pageIds[0]}`).expect(204);
    const questions = await admin.get(`/api/surveys/${surveyId}/questions?include_retired=true`).expect(200);
    expect(questions.body.data.map((question: { question_code: string }) => question.question_code)).toEqual([
      'Q2',
    ]);
    expect(await pagesOf(surveyId, '?include_retired=true')).toEqual([pageIds[1]]);
    await expectRefused(admin.delete(`${at(surveyId)}/${pageIds[0]}`), 404);
  });

  it('retires it and its questions once there are responses', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin, [
      [{ question_type: 'text' }],
      [{ question_type: 'number' }],
    ]);
    await insertResponse(test, surveyId, { answers: { Q1: 'Hello' } });
    await admin.delete(`${at(surveyId)}/${pageIds[0]}`).expect(204);
    expect(await pagesOf(surveyId)).toEqual([pageIds[1]]);
    expect(await pagesOf(surveyId, '?include_retired=true')).toEqual(pageIds);
    const survey = await admin.get(`/api/surveys/${surveyId}?include_retired=true`).expect(200);
    expect(survey.body.data.pages[0]).toMatchObject({
      retired: true,
      questions: [{ question_code: 'Q1', retired: true }],
    });
    await expectRefused(admin.put(`${at(surveyId)}/${pageIds[0]}`, { page_title: 'Again' }), 404);
    await expectInvalidField(
      admin.post(`/api/surveys/${surveyId}/questions`, {
        page_id: pageIds[0],
        question_type: 'text',
        question_text: 'There?',
      }),
      'page_id',
    );
  });

  it('keeps published questions, and removes later ones', async () => {
    const { surveyId, pageIds } = await publishedSurvey(admin, [[{ question_type: 'text' }]]);
    await addQuestion(admin, surveyId, pageIds[0]!, { question_type: 'number' });
    await admin.delete(`${at(surveyId)}/${pageIds[0]}`).expect(204);
    const questions = await admin.get(`/api/surveys/${surveyId}/questions?include_retired=true`).expect(200);
    expect(questions.body.data).toMatchObject([{ question_code: 'Q1', retired: true }]);
  });
});
