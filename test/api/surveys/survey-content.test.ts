import { describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, number, text } from '../../support/questions.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { draftSurvey, publish } from '../../support/surveys.ts';

const test = useApp();
const admin = useOrganization(test).admin;

interface Question {
  question_id: number;
  page_id: number;
  question_code: string;
  question_settings: Record<string, unknown> & { logic: Record<string, unknown> | null };
  options: { option_code: number; option_value: string; option_label: string }[];
}
interface Survey {
  survey_id: number;
  pages: { page_id: number; page_title: string | null; page_logic: unknown; questions: Question[] }[];
  questions: Question[];
}

const get = async (id: number): Promise<Survey> =>
  (await admin.get(`/api/surveys/${id}`).expect(200)).body.data;
const create = async (body: object): Promise<Survey> =>
  (await admin.post('/api/surveys', { survey_name: 'New', ...body }).expect(201)).body.data;
const codes = (questions: Question[]) => questions.map(({ question_code: code }) => code);
const byCode = ({ questions }: Survey, code: string) =>
  questions.find((question) => question.question_code === code)!;

describe('a survey', () => {
  it('is read with all questions in order beside its pages', async () => {
    const { surveyId } = await draftSurvey(admin, [[choice('Q1'), number('Q2')], [text('Q3')]]);
    const survey = await get(surveyId);
    expect(survey.questions).toEqual(survey.pages.flatMap((page) => page.questions));
    expect(codes(survey.questions)).toEqual(['Q1', 'Q2', 'Q3']);
    await admin.put(`/api/surveys/${surveyId}`, survey).expect(200);
  });
});

describe('creating a survey with its content', () => {
  it('accepts questions, pages with questions, and logic that refers to codes, numbers and labels', async () => {
    const survey = await create({
      questions: [choice('Q1', { options: ['Yes', 'No'] }), { question_type: 'text', question_text: 'Why?' }],
      pages: [
        {
          page_title: 'More',
          page_logic: { display: { Q1: 'Yes' } },
          questions: [
            number('Q7', {
              question_settings: {
                logic: {
                  skip: [
                    { when: { Q7: 1 }, action: 'jump_to_question', target_question: 'q9' },
                    { when: { Q1: ['No'] }, action: 'jump_to_page', target_page: 3 },
                  ],
                },
              },
            }),
          ],
        },
        { questions: [text('Q9')] },
      ],
    });
    expect(await get(survey.survey_id)).toEqual(survey);
    expect(codes(survey.questions)).toEqual(['Q1', 'Q10', 'Q7', 'Q9']);
    expect(survey.pages.map((page) => page.page_title)).toEqual([null, 'More', null]);
    const isYes = { left: { type: 'question', code: 'Q1' }, operator: 'in', right: ['Yes'] };
    expect(survey.pages[1]!.page_logic).toEqual({ display: { connector: 'and', conditions: [isYes] } });
    expect(byCode(survey, 'Q7').question_settings.logic).toMatchObject({
      skip: [
        { target_id: byCode(survey, 'Q9').question_id, action: 'jump_to_question' },
        { target_id: survey.pages[2]!.page_id, when: { conditions: [{ right: ['No'] }] } },
      ],
    });
    await publish(admin, survey.survey_id);
  });

  it('rejects everything with the path of each problem', async () => {
    const before = (await admin.get('/api/surveys').expect(200)).body.meta.total;
    const { details } = await expectRefused(
      admin.post('/api/surveys', {
        survey_name: 'Wrong',
        questions: [text('Q1', { options: ['a'] })],
        pages: [
          {
            questions: [
              number('Q2'),
              number('Q3', { question_settings: { min: 3, max: 1 } }),
              { question_type: 'matrix', question_text: 'Rate', options: [] },
            ],
          },
        ],
      }),
      400,
    );
    expect(details.map(({ field }) => field)).toEqual([
      'questions[0].options',
      'pages[0].questions[1].question_settings.min',
      'pages[0].questions[2].question_settings.rows',
    ]);
    await expectInvalidField(
      admin.post('/api/surveys', {
        survey_name: 'Wrong',
        pages: [
          { page_logic: { display: { Q1: 'Yes' }, skip: [{ action: 'jump_to_page', target_page: 9 }] } },
        ],
      }),
      'pages[0].page_logic.skip[0].target_page',
    );
    const twice = { survey_name: 'Wrong', questions: [text('Q1')], pages: [{ questions: [text('q1')] }] };
    const conflict = await expectRefused(admin.post('/api/surveys', twice), 409, 'question_code_taken');
    expect(conflict.message).toContain('pages[0].questions[0].question_code');
    expect((await admin.get('/api/surveys').expect(200)).body.meta.total).toBe(before);
  });
});

describe('a position', () => {
  it('inserts a question on its page, and moves it', async () => {
    const { surveyId, pageIds, questionIds } = await draftSurvey(admin, [
      [text('Q1'), text('Q2')],
      [text('Q3')],
    ]);
    const at = `/api/surveys/${surveyId}/questions`;
    const question = { page_id: pageIds[0], question_type: 'text', question_text: 'New' };
    await admin.post(at, { ...question, question_code: 'A', position: 1 }).expect(201);
    await admin.post(at, { ...question, question_code: 'B', position: 3 }).expect(201);
    await admin.post(at, { ...question, question_code: 'C', position: 5 }).expect(201);
    const order = async () => codes((await get(surveyId)).questions);
    expect(await order()).toEqual(['A', 'Q1', 'B', 'Q2', 'C', 'Q3']);
    await expectInvalidField(admin.post(at, { ...question, position: 7 }), 'position');
    await expectInvalidField(admin.post(at, { ...question, position: 0 }), 'position');
    await admin.put(`${at}/${questionIds.Q2}`, { position: 1 }).expect(200);
    expect(await order()).toEqual(['Q2', 'A', 'Q1', 'B', 'C', 'Q3']);
    await admin.put(`${at}/${questionIds.Q2}`, { page_id: pageIds[1], position: 1 }).expect(200);
    expect(await order()).toEqual(['A', 'Q1', 'B', 'C', 'Q2', 'Q3']);
    await expectInvalidField(admin.put(`${at}/${questionIds.Q2}`, { position: 3 }), 'position');
  });

  it('counts only active questions', async () => {
    const { surveyId, pageIds, questionIds } = await draftSurvey(admin, [[text('Q1'), text('Q2')]]);
    await insertResponse(test, surveyId);
    const at = `/api/surveys/${surveyId}/questions`;
    await admin.delete(`${at}/${questionIds.Q1}`).expect(204);
    const question = { page_id: pageIds[0], question_type: 'text', question_text: 'New', question_code: 'A' };
    await admin.post(at, { ...question, position: 2 }).expect(201);
    expect(codes((await get(surveyId)).questions)).toEqual(['Q2', 'A']);
  });

  it('inserts a page, and moves it', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin, [[], []]);
    const at = `/api/surveys/${surveyId}/pages`;
    const created = await admin.post(at, { position: 2 }).expect(201);
    const order = async () => (await get(surveyId)).pages.map((page) => page.page_id);
    expect(await order()).toEqual([pageIds[0], created.body.data.page_id, pageIds[1]]);
    await admin.put(`${at}/${pageIds[1]}`, { position: 1 }).expect(200);
    expect(await order()).toEqual([pageIds[1], pageIds[0], created.body.data.page_id]);
    await expectInvalidField(admin.post(at, { position: 5 }), 'position');
  });
});

describe('a matrix with options and without rows', () => {
  const matrix = { question_type: 'matrix', question_text: 'Rate them' };

  it('has the options as rows, and degrees of agreement as columns', async () => {
    const options = ['Price', { option_label: 'Taste', option_value: 'taste' }];
    const [question] = (await create({ questions: [{ ...matrix, options }] })).questions;
    expect(question!.question_settings.rows).toEqual([
      { row_code: 'r1', row_label: 'Price' },
      { row_code: 'taste', row_label: 'Taste' },
    ]);
    expect(question!.options.map(({ option_code: code, option_label: label }) => `${code} ${label}`)).toEqual(
      ['1 Strongly disagree', '2 Disagree', '3 Neither agree nor disagree', '4 Agree', '5 Strongly agree'],
    );
  });

  it('rejects options with column-only fields, and missing rows', async () => {
    const options = [{ option_label: 'Price', option_missing: true }];
    await expectInvalidField(
      admin.post('/api/surveys', { survey_name: 'x', questions: [{ ...matrix, options }] }),
      'questions[0].options[0].option_missing',
    );
    await expectInvalidField(
      admin.post('/api/surveys', { survey_name: 'x', questions: [matrix] }),
      'questions[0].question_settings.rows',
    );
  });
});

describe('logic conditions', () => {
  it('accept the short form, ids and labels, and are stored in one form', async () => {
    const { surveyId, questionIds, pageIds } = await draftSurvey(admin, [[choice('Q1')], [choice('Q2')]]);
    const at = `/api/surveys/${surveyId}/questions/${questionIds.Q2}`;
    const logic = {
      display: { [questionIds.Q1!]: ['Option 1', '2'] },
      skip: [
        {
          when: { question_id: questionIds.Q1, operator: 'equals', right: 'Option 3' },
          action: 'end_survey',
        },
      ],
      options: { '3': { q1: 'option 2' } },
    };
    const { body } = await admin.put(at, { question_settings: { logic } }).expect(200);
    const left = { type: 'question', code: 'Q1' };
    const values = (...right: string[]) => ({
      connector: 'and',
      conditions: [{ left, operator: 'in', right }],
    });
    expect(body.data.question_settings.logic).toEqual({
      display: values('1', '2'),
      skip: [{ when: { left, operator: 'equals', right: '3' }, action: 'end_survey' }],
      options: { '3': values('2') },
    });
    await admin.put(at, body.data).expect(200);
    await expectInvalidField(
      admin.put(at, { question_settings: { logic: { display: { 99999: '1' } } } }),
      'question_settings.logic.display.99999',
    );
    const page = `/api/surveys/${surveyId}/pages/${pageIds[1]}`;
    const paged = await admin.put(page, { page_logic: { display: { Q1: 'Option 1' } } }).expect(200);
    expect(paged.body.data.page_logic).toEqual({ display: values('1') });
    await publish(admin, surveyId);
  });

  it('of quota cells accept the same forms', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [[choice('Q1')]]);
    const created = await admin
      .post('/api/surveys/waves', { survey_id: surveyId, wave_name: 'W' })
      .expect(201);
    const at = `/api/surveys/waves/${created.body.data.wave_id}/quotas`;
    const cells = [
      { cell_label: 'One', target: 5, condition: { Q1: 'Option 1' } },
      { cell_label: 'Two', target: 5, condition: { [questionIds.Q1!]: ['2', 'Option 3'] } },
    ];
    const { body } = await admin.patch(at, { quotas: [{ quota_name: 'Q', cells }] }).expect(200);
    const rights = body.data.quotas[0].cells.map(
      (cell: { condition: { conditions: { right: string[] }[] } }) => cell.condition.conditions[0]!.right,
    );
    expect(rights).toEqual([['1'], ['2', '3']]);
    await admin.patch(at, { quotas: body.data.quotas }).expect(200);
    const wrong = [{ ...cells[0], condition: { 99999: '1' } }];
    await expectInvalidField(
      admin.patch(at, { quotas: [{ quota_name: 'Q', cells: wrong }] }),
      'quotas[0].cells[0].condition.99999',
    );
  });
});
