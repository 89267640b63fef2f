import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { EVERY_TYPE, type QuestionInput } from '../../support/questions.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { draftSurvey, type TestSurvey, publish } from '../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);
const admin = organization.admin;

const at = (surveyId: number) => `/api/surveys/${surveyId}`;

/** Two pages, every type, conditions on questions, pages and options, jumps both ways, settings and an attention check. */
async function richSurvey(): Promise<TestSurvey> {
  const survey = await draftSurvey(admin, {
    survey_name: 'Everything at once',
    survey_description: 'Ünïcode, "quotes" and\nlines',
    survey_type: 'mixed',
    settings: {
      anonymous: true,
      languages: ['de'],
      completion_message: 'Danke',
      screened_out_message: 'Schade',
      over_quota_message: 'Genug',
      allow_restart: true,
      translations: {
        de: { screened_out_message: 'Leider', over_quota_message: 'Voll', closed_message: 'Zu' },
      },
    },
    pages: [EVERY_TYPE.slice(0, 6), EVERY_TYPE.slice(6), []],
  });
  const question = (code: string) => survey.questionIds[code]!;
  const isYes = { left: { code: 'Q1' }, operator: 'equals', right: 'Yes' };
  const put = (code: string, logic: object) =>
    admin
      .put(`${at(survey.surveyId)}/questions/${question(code)}`, { question_settings: { logic } })
      .expect(200);
  await put('Q3', {
    display: { connector: 'or', conditions: [isYes, { left: { code: 'Q2' }, operator: 'answered' }] },
  });
  await put('Q5', { skip: [{ when: isYes, action: 'jump_to_question', target_id: question('Q9') }] });
  await put('Q10', { options: { '2': isYes } });
  await admin
    .put(`${at(survey.surveyId)}/pages/${survey.pageIds[0]}`, {
      page_description: 'First',
      page_logic: { skip: [{ when: isYes, action: 'jump_to_page', target_id: survey.pageIds[2] }] },
    })
    .expect(200);
  await admin
    .put(`${at(survey.surveyId)}/quality-settings`, {
      speeder: { ratio: 0.4 },
      attention_checks: [{ question_id: question('Q10'), expected: 'North' }],
    })
    .expect(200);
  return survey;
}

interface Reply {
  body: { data: { survey: { pages: { page_id: number; questions: { question_id: number }[] }[] } } };
}

/** A file with its ids replaced by places, wherever they stand: what two files must have in common. */
function withoutIds(reply: Reply): string {
  const { survey } = reply.body.data;
  const pages = survey.pages.map((page) => page.page_id);
  const questions = survey.pages.flatMap((page) => page.questions.map((question) => question.question_id));
  const placed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(placed);
    if (typeof value !== 'object' || value === null) return value;
    const toPage = (value as { action?: string }).action === 'jump_to_page';
    const entries = Object.entries(value).map(([key, inner]: [string, unknown]) => {
      if (key === 'page_id' || (key === 'target_id' && toPage)) return [key, pages.indexOf(inner as number)];
      if (key === 'question_id' || key === 'target_id') return [key, questions.indexOf(inner as number)];
      return [key, placed(inner)];
    });
    return Object.fromEntries(entries);
  };
  const text = JSON.stringify(placed(survey));
  return text;
}

const exported = (surveyId: number) => admin.get(`${at(surveyId)}/export`).expect(200);

describe('export and import', () => {
  it('recreate the survey as a new draft with new ids', async () => {
    const survey = await richSurvey();
    await publish(admin, survey.surveyId);
    const file = await exported(survey.surveyId);
    expect(file.body.data).toMatchObject({ format: 'canvass.survey', version: 1 });
    const imported = await admin.post('/api/surveys/import', file.body.data).expect(201);
    const copy = imported.body.data;
    expect(copy).toMatchObject({ survey_status: 1, published_version: null, response_count: 0 });
    expect(copy.survey_id).not.toBe(survey.surveyId);
    expect(withoutIds(await exported(copy.survey_id))).toBe(withoutIds(file));
    const old = new Set(Object.values(survey.questionIds));
    const questions = await admin.get(`${at(copy.survey_id)}/questions`).expect(200);
    expect(
      questions.body.data.some((question: { question_id: number }) => old.has(question.question_id)),
    ).toBe(false);
    // Its jumps and checks lead to its own pages and questions, so it can be published as it is.
    await publish(admin, copy.survey_id);
  });

  it('accept the complete export reply and the bare survey', async () => {
    const survey = await richSurvey();
    const file = await exported(survey.surveyId);
    for (const body of [file.body, file.body.data, file.body.data.survey]) {
      const imported = await admin.post('/api/surveys/import', body).expect(201);
      expect(withoutIds(await exported(imported.body.data.survey_id))).toBe(withoutIds(file));
    }
  });

  it('round-trip surveys of any shape', async () => {
    const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => {
      const trimmed = text.trim();
      return trimmed !== '' && trimmed === text && text.isWellFormed() && !text.includes('\0');
    });
    const question: fc.Arbitrary<QuestionInput> = fc.oneof(
      fc.record({
        question_type: fc.constantFrom('single_choice', 'multiple_choice', 'dropdown', 'ranking'),
        question_text: label,
        question_required: fc.boolean(),
        options: fc.uniqueArray(label, {
          minLength: 1,
          maxLength: 5,
          selector: (text) => text.normalize('NFC'),
        }),
      }),
      fc.record({
        question_type: fc.constant('text'),
        question_text: label,
        question_settings: fc.record({ max_length: fc.integer({ min: 1, max: 20_000 }), placeholder: label }),
      }),
      fc.record({
        question_type: fc.constant('number'),
        question_text: label,
        question_settings: fc.record({ min: fc.integer({ max: 0 }), max: fc.integer({ min: 1 }) }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(question, { maxLength: 4 }), { maxLength: 3 }), async (pages) => {
        const survey = {
          survey_name: 'Any shape',
          pages: pages.map((questions) => ({ questions })),
        };
        const first = await admin.post('/api/surveys/import', survey);
        expect(first.status, first.text).toBe(201);
        const file = await exported(first.body.data.survey_id);
        const second = await admin.post('/api/surveys/import', file.body).expect(201);
        expect(withoutIds(await exported(second.body.data.survey_id))).toBe(withoutIds(file));
        expect(file.body.data.survey.pages).toMatchObject(survey.pages.map(() => ({})));
        const texts = file.body.data.survey.pages.map((page: { questions: QuestionInput[] }) =>
          page.questions.map((question) => question.question_text),
        );
        expect(texts).toEqual(pages.map((questions) => questions.map((question) => question.question_text)));
      }),
      { numRuns: 25 },
    );
  });

  it('omit retired questions', async () => {
    const survey = await richSurvey();
    await insertResponse(test, survey.surveyId);
    await admin.delete(`${at(survey.surveyId)}/pages/${survey.pageIds[1]}`).expect(204);
    const file = await exported(survey.surveyId);
    expect(file.body.data.survey.pages).toHaveLength(2);
    expect(file.body.data.survey.quality_settings.attention_checks).toEqual([]);
    const imported = await admin.post('/api/surveys/import', file.body).expect(201);
    expect(withoutIds(await exported(imported.body.data.survey_id))).toBe(withoutIds(file));
  });

  it('import into the workspace of the query, but not of another organization', async () => {
    const other = await newOrganization(test);
    const created = await admin.post('/api/workspaces', { workspace_name: 'Imports' }).expect(201);
    const workspaceId = created.body.data.workspace_id as number;
    const body = { survey_name: 'Wanderer' };
    const imported = await admin.post(`/api/surveys/import?workspace_id=${workspaceId}`, body).expect(201);
    expect(imported.body.data.workspace_id).toBe(workspaceId);
    await expectRefused(admin.post(`/api/surveys/import?workspace_id=${other.workspaceId}`, body), 404);
  });
});

describe('an invalid survey file', () => {
  const question = { question_type: 'text', question_text: 'Why?' };
  const rowsOfEverything = async (): Promise<unknown> => {
    const { rows } = await test.database.db.raw(
      `SELECT (SELECT count(*) FROM surveys) AS surveys, (SELECT count(*) FROM survey_pages) AS pages,
              (SELECT count(*) FROM questions) AS questions, (SELECT count(*) FROM audit_log) AS audited`,
    );
    return rows;
  };

  it.each<[string, object, string]>([
    ['has no name', { pages: [] }, 'format'],
    ['is of another format', { format: 'other', version: 1, survey: { survey_name: 'A' } }, 'format'],
    [
      'is of a later version',
      { format: 'canvass.survey', version: 2, survey: { survey_name: 'A' } },
      'version',
    ],
    ['has an unknown field', { survey_name: 'A', owner: 1 }, 'survey.owner'],
    ['has an unknown setting', { survey_name: 'A', settings: { secret: 1 } }, 'survey.settings.secret'],
    [
      'has one invalid question',
      {
        survey_name: 'A',
        pages: [{ questions: [question, { ...question, question_settings: { max_length: 0 } }] }],
      },
      'survey.pages[0].questions[1].question_settings.max_length',
    ],
    [
      'has a repeated code',
      {
        survey_name: 'A',
        pages: [
          {
            questions: [
              { ...question, question_code: 'A' },
              { ...question, question_code: 'a' },
            ],
          },
        ],
      },
      'survey.pages[0].questions[1].question_code',
    ],
    [
      'jumps to an unknown page',
      {
        survey_name: 'A',
        pages: [
          {
            page_logic: {
              skip: [
                {
                  when: { left: { code: 'Q1' }, operator: 'answered' },
                  action: 'jump_to_page',
                  target_id: 1,
                },
              ],
            },
            page_id: 5,
            questions: [question],
          },
        ],
      },
      'survey.pages[0].page_logic.skip[0].target_id',
    ],
    [
      'checks an unknown question',
      {
        survey_name: 'A',
        quality_settings: { attention_checks: [{ question_id: 1, expected: 'x' }] },
      },
      'survey.quality_settings.attention_checks[0].question_id',
    ],
    ['has 501 pages', { survey_name: 'A', pages: Array.from({ length: 501 }, () => ({})) }, 'survey.pages'],
  ])('that %s is rejected as a whole', async (_, body, field) => {
    const before = await rowsOfEverything();
    await expectInvalidField(admin.post('/api/surveys/import', body), field);
    expect(await rowsOfEverything()).toEqual(before);
  });

  it('may be larger than other bodies, but not larger than 10 MB', async () => {
    const big = (bytes: number) => ({
      survey_name: 'Big',
      pages: Array.from({ length: 2 }, () => ({
        questions: Array.from({ length: Math.floor(bytes / 2 / 9_000) }, () => ({
          ...question,
          question_text: 'x'.repeat(8_950),
        })),
      })),
    });
    await admin.post('/api/surveys/import', big(5_000_000)).expect(201);
    await expectRefused(admin.post('/api/surveys/import', big(11_000_000)), 413);
  });
});

describe('duplicating', () => {
  it('copies all questions, with the same codes, as a new draft', async () => {
    const survey = await richSurvey();
    const { linkToken } = await publish(admin, survey.surveyId);
    await insertResponse(test, survey.surveyId);
    const before = await admin.get(at(survey.surveyId)).expect(200);
    const reply = await admin.post(`${at(survey.surveyId)}/duplicate`).expect(201);
    const copy = reply.body.data;
    expect(copy).toMatchObject({
      survey_name: 'Everything at once (copy)',
      survey_status: 1,
      survey_type: 'mixed',
      response_count: 0,
      published_version: null,
      workspace_id: organization.workspaceId,
    });
    const [original, copied] = await Promise.all([exported(survey.surveyId), exported(copy.survey_id)]);
    expect(withoutIds(copied)).toBe(
      withoutIds(original).replace('Everything at once', 'Everything at once (copy)'),
    );
    expect((await admin.get(`${at(copy.survey_id)}/links`).expect(200)).body.data).toEqual([]);
    expect((await admin.get(at(survey.surveyId)).expect(200)).body).toEqual(before.body);
    expect(linkToken).not.toBe((await publish(admin, copy.survey_id)).linkToken);
  });

  it('fits the longest name', async () => {
    const { surveyId } = await draftSurvey(admin, { survey_name: `${'x'.repeat(499)}y`, pages: [] });
    const copy = await admin.post(`${at(surveyId)}/duplicate`).expect(201);
    expect(copy.body.data.survey_name).toBe(`${'x'.repeat(493)} (copy)`);
  });
});

describe('an export', () => {
  const choiceOf = (question_code: string, question_settings: object = {}, options?: object[]) => ({
    question_type: 'single_choice',
    question_code,
    question_text: `{{Q1|you}}: ${question_code}?`,
    question_settings,
    ...(options === undefined ? {} : { options }),
  });
  const carried = { logic: { carry_forward: { from: 'Q1', mode: 'not_selected' } } };
  const content = {
    survey_settings: {
      default_language: 'en',
      languages: ['en', 'de'],
      translations: { de: { survey_name: 'Umfrage' } },
    },
    pages: [
      {
        page_title: 'One',
        page_logic: { skip: [{ when: { Q1: 'No' }, action: 'jump_to_page', target_page: 3 }] },
        questions: [
          choiceOf('Q1', { translations: { de: { question_text: 'Ja?', options: { '1': 'Ja' } } } }, [
            { option_label: 'Yes', option_value: 'y' },
            { option_label: 'No', option_value: 'n', option_order: 5 },
          ]),
        ],
      },
      { page_title: 'Two', questions: [choiceOf('Q2', carried)] },
      {
        questions: [
          choiceOf(
            'Q3',
            {
              logic: {
                display: { Q1: ['Yes'] },
                skip: [{ when: { Q3: 'a' }, action: 'jump_to_question', target_question: 'Q4' }],
                options: { '2': { Q1: 'No' } },
              },
            },
            [{ option_label: 'a' }, { option_label: 'b' }],
          ),
        ],
      },
      { questions: [choiceOf('Q4', {}, [{ option_label: 'c' }])] },
    ],
  };

  it('is byte-identical after an import, with logic, translations, carried options and checks', async () => {
    const created = await admin.post('/api/surveys', { survey_name: 'Whole', ...content }).expect(201);
    const { survey_id: id, pages, questions } = created.body.data;
    await admin
      .put(`/api/surveys/${id}`, {
        survey_settings: {
          translations: { de: { survey_name: 'U', pages: { [pages[1].page_id]: { page_title: 'Zwei' } } } },
        },
        quality_settings: { attention_checks: [{ question_id: questions[2].question_id, expected: 'a' }] },
      })
      .expect(200);
    const bytes = async (surveyId: number) => JSON.stringify((await exported(surveyId)).body.data);
    const first = await bytes(id);
    expect(first).not.toMatch(/"(page|question|target)_id"/);
    expect(first).toContain('"pages":{"2":{"page_title":"Zwei"}}');
    const copy = await admin.post('/api/surveys/import', JSON.parse(first)).expect(201);
    const repeated = await bytes(copy.body.data.survey_id);
    expect(repeated).toBe(first);
    const third = await admin.post('/api/surveys/import', JSON.parse(repeated)).expect(201);
    expect(await bytes(third.body.data.survey_id)).toBe(first);
  });

  it('of an older version, with ids, can still be imported', async () => {
    const skip = (action: string, target_id: number) => ({ when: { conditions: [] }, action, target_id });
    const question = (question_id: number, logic: object | null = null) => ({
      question_id,
      question_type: 'text',
      question_text: 'Why?',
      question_settings: { logic },
    });
    const old = {
      survey_name: 'Old',
      settings: { translations: { de: { pages: { '70': { page_title: 'Eins' } } } } },
      quality_settings: { attention_checks: [{ question_id: 12, expected: 'x' }] },
      pages: [
        { page_id: 70, page_logic: { skip: [skip('jump_to_page', 60)] }, questions: [question(11)] },
        { page_id: 60, questions: [question(12, { skip: [skip('jump_to_question', 13)] })] },
        { page_id: 50, questions: [question(13)] },
      ],
    };
    const { body } = await admin.post('/api/surveys/import', old).expect(201);
    const { survey } = (await exported(body.data.survey_id)).body.data;
    expect(survey.pages[0].page_logic.skip[0]).toMatchObject({ target_page: 2 });
    expect(survey.pages[1].questions[0].question_settings.logic.skip[0]).toMatchObject({
      target_question: 'Q3',
    });
    expect(survey.quality_settings.attention_checks).toEqual([{ question_code: 'Q2', expected: 'x' }]);
    expect(survey.settings.translations.de.pages).toEqual({ '1': { page_title: 'Eins' } });
  });
});
