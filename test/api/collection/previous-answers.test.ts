import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, type Actor, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { personalLink, tokenOf } from '../../support/personal-links.ts';
import { choice, number, text } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { startResponse } from '../../support/start-response.ts';
import { createWave } from '../../support/waves.ts';
import {
  draftSurvey,
  publish,
  publishedSurvey,
  type PublishedSurvey,
  type TestSurvey,
} from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
let visitor: Actor;
let persons = 0;
beforeAll(() => {
  visitor = anonymous(app);
});

const newPerson = () => ({ email: `person${(persons += 1)}@people.example`, name: 'Ana' });
type Person = ReturnType<typeof newPerson>;

const DRINK = {
  question_code: 'Q1',
  question_type: 'single_choice',
  question_text: 'What do you drink?',
  options: [
    { option_value: 'tea', option_label: 'Green tea' },
    { option_value: 'coffee', option_label: 'Coffee' },
  ],
};
const CUPS = number('Q2', { question_required: false });

const first = (): Promise<PublishedSurvey> => publishedSurvey(organization.admin, [[DRINK, CUPS]]);

const WHY = text('Q1', {
  question_text: 'Do you still drink {{previous.Q1|nothing}}?',
  question_required: false,
});
const ONLY_TEA = text('Q2', {
  question_text: 'Why tea?',
  question_required: true,
  question_settings: {
    logic: { display: { left: { type: 'previous', code: 'Q1' }, operator: 'equals', right: 'tea' } },
  },
});
const MORE = {
  question_code: 'Q3',
  question_type: 'calculated',
  question_text: 'Cups more',
  question_settings: { expression: '`previous.Q2` + 1', result: 'number', hidden: true },
};

async function draftAfter(source: PublishedSurvey, pages: object[][]): Promise<TestSurvey> {
  const draft = await draftSurvey(organization.admin, pages);
  await organization.admin
    .put(`/api/surveys/${draft.surveyId}`, { survey_settings: { previous_survey_id: source.surveyId } })
    .expect(200);
  return draft;
}

async function second(
  source: PublishedSurvey,
  pages: object[][] = [[WHY, ONLY_TEA], [MORE]],
): Promise<PublishedSurvey> {
  const draft = await draftAfter(source, pages);
  return { ...draft, ...(await publish(organization.admin, draft.surveyId)) };
}

async function answer(survey: PublishedSurvey, person: Person, answers: object): Promise<number> {
  const link = await personalLink(app, organization.admin, survey, person);
  const { body } = await visitor.post(`/api/public/s/${tokenOf(link)}/responses`, { answers }).expect(201);
  return body.data.response_id;
}

const storedAnswers = async (responseId: number) =>
  (await app.database.db('responses').first('answers').where({ response_id: responseId }))!.answers;

const problemsOf = async (surveyId: number): Promise<[string, string][]> => {
  const { body } = await organization.admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200);
  return body.data.problems.map(({ code, message }: Record<string, string>) => [code, message]);
};

describe('earlier answers', () => {
  it('are sent to the invited respondent only, and decide what is shown', async () => {
    const source = await first();
    const person = newPerson();
    await answer(source, person, { Q1: 'tea', Q2: 3 });
    const survey = await second(source);
    const token = tokenOf(await personalLink(app, organization.admin, survey, person));
    const { body } = await visitor.get(`/api/public/s/${token}`).expect(200);
    expect(body.data.previous_answers).toEqual({ 'previous.Q1': 'tea', 'previous.Q2': 3 });
    expect(body.data.previous_questions.map((each: Record<string, string>) => each.question_code)).toEqual([
      'previous.Q1',
      'previous.Q2',
    ]);
    const started = await startResponse(visitor, token);
    expect((await started.resume().expect(200)).body.data.previous_answers).toEqual({
      'previous.Q1': 'tea',
      'previous.Q2': 3,
    });
    await started.complete({}).expect(400);
    await started.complete({ Q2: 'Taste' }).expect(200);
    const open = await visitor.get(`/api/public/s/${survey.linkToken}`).expect(200);
    expect(open.body.data.previous_answers).toEqual({});
    // Without earlier answers the question about tea is not shown, nor required.
    await visitor.post(`/api/public/s/${survey.linkToken}/responses`, { answers: {} }).expect(201);
  });

  it('are columns with labels, which filters and crosstabs use and nobody edits', async () => {
    const source = await first();
    const survey = await second(source);
    const [tea, coffee] = [newPerson(), newPerson()];
    await answer(source, tea, { Q1: 'tea', Q2: 3 });
    await answer(source, coffee, { Q1: 'coffee', Q2: 2 });
    const teaId = await answer(survey, tea, { Q2: 'Taste' });
    await answer(survey, coffee, {});
    await visitor.post(`/api/public/s/${survey.linkToken}/responses`, { answers: {} }).expect(201);
    const at = `/api/responses/${survey.surveyId}`;
    const { body } = await organization.admin.get(`${at}/grid`).expect(200);
    const column = body.data.columns.find(
      (each: Record<string, string>) => each.column_code === 'previous.Q1',
    );
    expect(column).toMatchObject({ label: 'What do you drink? (earlier answer)' });
    const crosstab = await organization.admin
      .post(`${at}/crosstab`, { rows: ['previous.Q1'], columns: ['response_status'] })
      .expect(200);
    expect(crosstab.body.data.tables[0].rows[0]).toMatchObject({ label: 'Green tea' });
    expect(crosstab.body.data.tables[0].rows[0].cells[0].count).toBe(1);
    const mean = await organization.admin.get(`${at}/distribution/Q3`).expect(200);
    expect(JSON.stringify(mean.body.data)).toContain('3.5');
    const filtered = await organization.admin
      .get(
        `${at}/grid?filter=${encodeURIComponent(
          JSON.stringify({ left: { type: 'previous', code: 'Q1' }, operator: 'equals', right: 'tea' }),
        )}`,
      )
      .expect(200);
    expect(filtered.body.data.rows.map((row: Record<string, number>) => row.response_id)).toEqual([teaId]);
    await organization.admin
      .patch(`${at}/rows/${teaId}`, { values: { 'previous.Q1': 'coffee' } })
      .expect(422);
    const file = await organization.admin.post(`${at}/export`, { format: 'csv' }).expect(200);
    expect(file.text.split('\n')[0]).toContain('previous.Q1');
  });

  it('come from the wave before, if no other survey is named', async () => {
    const survey = await publishedSurvey(organization.admin, [
      [{ ...DRINK, question_text: 'Last time: {{previous.Q1|none}}. And today?' }],
    ]);
    const person = newPerson();
    const previous: unknown[] = [];
    for (const [index, drink] of ['tea', 'coffee', 'tea'].entries()) {
      const wave = await createWave(organization.admin, survey.surveyId, {
        wave_name: `Wave ${index}`,
        wave_start_date: `202${index}-01-01`,
      });
      const { body } = await organization.admin
        .post(`/api/surveys/${survey.surveyId}/links`, { wave_id: wave.wave_id })
        .expect(201);
      const link = { ...survey, linkId: body.data.link_id as number };
      const path = await personalLink(app, organization.admin, link, person);
      const opened = await visitor.get(`/api/public/s/${tokenOf(path)}`).expect(200);
      previous.push(opened.body.data.previous_answers['previous.Q1'] ?? null);
      await visitor.post(`/api/public/s/${tokenOf(path)}/responses`, { answers: { Q1: drink } }).expect(201);
    }
    expect(previous).toEqual([null, 'tea', 'coffee']);
  });

  it('are not carried from deleted responses', async () => {
    const source = await first();
    const person = newPerson();
    const responseId = await answer(source, person, { Q1: 'tea' });
    await organization.admin
      .post(`/api/responses/${source.surveyId}/bulk`, { action: 'delete', response_ids: [responseId] })
      .expect(200);
    const survey = await second(source);
    const token = tokenOf(await personalLink(app, organization.admin, survey, person));
    const { body } = await visitor.get(`/api/public/s/${token}`).expect(200);
    expect(body.data.previous_answers).toEqual({});
  });

  it('are not carried from a survey that was deleted or moved to another workspace after the publication', async () => {
    const { admin } = organization;
    const { body: created } = await admin
      .post('/api/workspaces', { workspace_name: 'Elsewhere' })
      .expect(201);
    for (const leave of [
      (surveyId: number) => admin.delete(`/api/surveys/${surveyId}`).expect(204),
      (surveyId: number) =>
        admin.put(`/api/surveys/${surveyId}`, { workspace_id: created.data.workspace_id }).expect(200),
    ]) {
      const source = await first();
      const person = newPerson();
      await answer(source, person, { Q1: 'tea' });
      const survey = await second(source);
      const token = tokenOf(await personalLink(app, admin, survey, person));
      const carried = async () =>
        (await visitor.get(`/api/public/s/${token}`).expect(200)).body.data.previous_answers;
      expect(await carried()).toEqual({ 'previous.Q1': 'tea' });
      await leave(source.surveyId);
      expect(await carried()).toEqual({});
    }
  });

  it('are erased with the response from which they come', async () => {
    const source = await first();
    const person = newPerson();
    const sourceId = await answer(source, person, { Q1: 'tea', Q2: 41 });
    const survey = await second(source);
    const responseId = await answer(survey, person, { Q2: 'Taste' });
    expect(Object.keys(await storedAnswers(responseId))).toContain('previous.Q1');
    await organization.admin.post(`/api/responses/${source.surveyId}/rows/${sourceId}/erase`).expect(200);
    expect(Object.keys(await storedAnswers(responseId)).sort()).toEqual(['Q1', 'Q2', 'Q3']);
  });

  it('cannot be sent by a client, except as samples of a preview', async () => {
    const source = await first();
    const survey = await second(source);
    await visitor
      .post(`/api/public/s/${survey.linkToken}/responses`, { answers: { 'previous.Q1': 'tea' } })
      .expect(400);
    const { body } = await organization.admin.post(`/api/surveys/${survey.surveyId}/preview`, {}).expect(201);
    const token = new URL(body.data.preview_url).pathname.split('/').at(-1)!;
    await visitor
      .post(`/api/public/s/${token}/responses`, { answers: {}, previous_answers: { 'previous.Q1': 'tea' } })
      .expect(400);
    await visitor
      .post(`/api/public/s/${token}/responses`, {
        answers: {},
        previous_answers: { 'previous.Q1': 'coffee' },
      })
      .expect(201);
  });

  it('are checked before publishing', async () => {
    const source = await first();
    const draft = await draftAfter(source, [
      [
        text('Q1', { question_text: 'Still {{previous.Q9}}?' }),
        text('Q2', {
          question_settings: {
            logic: { display: { left: { type: 'previous', code: 'Q1' }, operator: 'equals', right: 'milk' } },
          },
        }),
        { ...MORE, question_settings: { expression: '`previous.Q7` + 1', result: 'number' } },
      ],
    ]);
    const problems = await problemsOf(draft.surveyId);
    expect(problems.map(([code]) => code).sort()).toEqual([
      'dangling_reference',
      'dangling_reference',
      'invalid_expression',
    ]);
    expect(JSON.stringify(problems)).toContain('Q9');
    expect(JSON.stringify(problems)).toContain('milk');
    await organization.admin
      .put(`/api/surveys/${draft.surveyId}`, { survey_settings: { anonymous: true } })
      .expect(200);
    expect(JSON.stringify(await problemsOf(draft.surveyId))).toContain('An anonymous survey');
  });

  it('are listed for authors, with the items of loops', async () => {
    const source = await first();
    const draft = await draftAfter(source, [[WHY]]);
    const { body } = await organization.admin
      .get(`/api/surveys/${draft.surveyId}/previous-questions`)
      .expect(200);
    expect(
      body.data.map((each: Record<string, unknown>) => [each.question_code, each.question_text]),
    ).toEqual([
      ['previous.Q1', 'What do you drink? (earlier answer)'],
      ['previous.Q2', 'How many for Q2? (earlier answer)'],
    ]);
  });

  it('of a loop are those of the item, in the loop and by name outside of it', async () => {
    const items = [
      { item_code: 'OAT', item_label: 'Oatly' },
      { item_code: 'ALP', item_label: 'Alpro' },
    ];
    const looped = async (pages: object[][]): Promise<PublishedSurvey> => {
      const draft = await draftSurvey(organization.admin, pages);
      await organization.admin
        .post(`/api/surveys/${draft.surveyId}/blocks`, {
          block_code: 'BRAND',
          block_loop: { over: 'listed', items },
          page_ids: draft.pageIds.slice(0, 1),
        })
        .expect(201);
      return { ...draft, ...(await publish(organization.admin, draft.surveyId)) };
    };
    const survey = await looped([
      [
        number('Q1', {
          question_text: '{{item.label}} was {{previous.Q1|unknown}}',
          question_required: false,
          question_settings: {
            logic: { display: { left: { type: 'previous', code: 'Q1' }, operator: 'not_equals', right: 9 } },
          },
        }),
      ],
      [text('Q2', { question_text: 'Oatly was {{previous.Q1[OAT]}}', question_required: false })],
    ]);
    const { body } = await visitor.get(`/api/public/s/${survey.linkToken}`).expect(200);
    const questions = body.data.pages.flatMap((page: { questions: object[] }) => page.questions);
    expect(questions.map((each: Record<string, string>) => each.question_text)).toEqual([
      'Oatly was {{previous.Q1[OAT]|unknown}}',
      'Alpro was {{previous.Q1[ALP]|unknown}}',
      'Oatly was {{previous.Q1[OAT]}}',
    ]);
    expect(questions[1].question_settings.logic.display.left).toEqual({ type: 'previous', code: 'Q1[ALP]' });
    expect(body.data.previous_questions.map((each: Record<string, string>) => each.question_code)).toEqual([
      'previous.Q1[OAT]',
      'previous.Q1[ALP]',
    ]);
  });

  it('come from a survey of the same workspace', async () => {
    const draft = await draftSurvey(organization.admin, [[choice('Q1')]]);
    await expectInvalidField(
      organization.admin.put(`/api/surveys/${draft.surveyId}`, {
        survey_settings: { previous_survey_id: 999_999 },
      }),
      'survey_settings.previous_survey_id',
    );
  });

  it('keep their columns when nothing refers to them any more', async () => {
    const source = await first();
    const survey = await second(source, [[WHY]]);
    const columns = async () =>
      (
        await organization.admin.get(`/api/responses/${survey.surveyId}/grid`).expect(200)
      ).body.data.columns.map((each: Record<string, string>) => each.column_code);
    expect(await columns()).toContain('previous.Q1');
    const { body } = await organization.admin.get(`/api/surveys/${survey.surveyId}`).expect(200);
    const question = body.data.pages[0].questions[0];
    await organization.admin
      .put(`/api/surveys/${survey.surveyId}/questions/${question.question_id}`, { question_text: 'Still?' })
      .expect(200);
    await publish(organization.admin, survey.surveyId);
    expect(await columns()).toContain('previous.Q1');
  });
});
