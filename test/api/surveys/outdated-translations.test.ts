import { describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey, type TestSurvey } from '../../support/surveys.ts';

const test = useApp();
const admin = useOrganization(test).admin;

const at = ({ surveyId }: TestSurvey) => `/api/surveys/${surveyId}`;
const questionAt = (survey: TestSurvey) => `${at(survey)}/questions/${survey.questionIds.Q1}`;

const GERMAN = { question_text: 'Was trinken Sie?', options: { '1': 'Kaffee', '2': 'Tee' } };

async function translatedSurvey(): Promise<TestSurvey> {
  return draftSurvey(admin, {
    survey_name: 'Coffee',
    survey_description: 'A study',
    settings: {
      languages: ['de', 'fr'],
      completion_message: 'Thank you',
      translations: {
        de: {
          survey_name: 'Kaffee',
          completion_message: 'Danke',
          pages: { 1: { page_title: 'Erste' } },
        },
        fr: { survey_name: 'Café' },
      },
    },
    pages: [
      {
        page_id: 1,
        page_title: 'First',
        questions: [
          choice('Q1', {
            question_text: 'What do you drink?',
            question_settings: { translations: { de: GERMAN, fr: { question_text: 'Que buvez-vous ?' } } },
          }),
        ],
      },
    ],
  });
}

const readQuestion = async (survey: TestSurvey) =>
  (await admin.get(questionAt(survey)).expect(200)).body.data;
const outdated = async (survey: TestSurvey) => (await readQuestion(survey)).outdated_translations;
const readSurvey = async (surveyId: number) =>
  (await admin.get(`/api/surveys/${surveyId}`).expect(200)).body.data;
const reword = (survey: TestSurvey, text: string) =>
  admin.put(questionAt(survey), { question_text: text }).expect(200);

describe('translations of a question', () => {
  it('are outdated in every language when the text changes, until it changes back', async () => {
    const survey = await translatedSurvey();
    expect(await outdated(survey)).toEqual({});
    await reword(survey, 'What do you like to drink?');
    await reword(survey, 'What do you like to drink most?');
    expect(await outdated(survey)).toEqual({ de: ['question_text'], fr: ['question_text'] });
    await reword(survey, 'What do you drink?');
    expect(await outdated(survey)).toEqual({});
  });

  it('are current when they change, also together with the text', async () => {
    const survey = await translatedSurvey();
    await reword(survey, 'What do you like?');
    const translations = {
      de: { ...GERMAN, question_text: 'Was mögen Sie?' },
      fr: { question_text: 'Que buvez-vous ?' },
    };
    await admin.put(questionAt(survey), { question_settings: { translations } }).expect(200);
    expect(await outdated(survey)).toEqual({ fr: ['question_text'] });
    await admin
      .put(questionAt(survey), {
        question_text: 'And now?',
        question_settings: {
          translations: { de: { ...GERMAN, question_text: 'Und jetzt?' }, fr: { question_text: '' } },
        },
      })
      .expect(200);
    expect(await outdated(survey)).toEqual({});
  });

  it('of an option are outdated when its label changes, and stay so when other texts are saved', async () => {
    const survey = await translatedSurvey();
    const { options } = await readQuestion(survey);
    const reworded = options.map((option: { option_code: number }) => ({
      ...option,
      ...(option.option_code === 2 && { option_label: 'Green tea' }),
      retired: undefined,
    }));
    await admin.put(questionAt(survey), { options: reworded }).expect(200);
    await admin.put(questionAt(survey), { question_settings: { description: 'One answer' } }).expect(200);
    expect(await outdated(survey)).toEqual({ de: ['options.2'] });
  });

  it('are current when the author confirms them, which is no unpublished change', async () => {
    const survey = await translatedSurvey();
    await reword(survey, 'What do you drink? ');
    await admin.post(`${at(survey)}/publish`, {}).expect(200);
    const { etag } = await readQuestion(survey);
    const confirmed = { confirmed_translations: { de: ['question_text'] } };
    const { body } = await admin.put(questionAt(survey), confirmed).expect(200);
    expect(body.data.outdated_translations).toEqual({ fr: ['question_text'] });
    expect(body.data.etag).not.toBe(etag);
    expect((await readSurvey(survey.surveyId)).has_unpublished_changes).toBe(false);
    // Confirming again changes nothing.
    const again = await admin.put(questionAt(survey), confirmed).expect(200);
    expect(again.body.data.etag).toBe(body.data.etag);
  });

  it('are refused for confirmation where there is no translation', async () => {
    const survey = await translatedSurvey();
    const reply = admin.put(questionAt(survey), {
      confirmed_translations: { de: ['question_text', 'options.3'] },
    });
    await expectInvalidField(reply, 'confirmed_translations.de[1]');
    await expectInvalidField(
      admin.put(questionAt(survey), { confirmed_translations: { de: ['a b'] } }),
      'confirmed_translations.de[0]',
    );
  });

  it('are not counted while the text is empty', async () => {
    const survey = await translatedSurvey();
    const settings = (description: string | null) =>
      admin
        .put(questionAt(survey), {
          question_settings: { description, translations: { de: { description: 'Hinweis' } } },
        })
        .expect(200);
    await settings('A hint');
    await settings(null);
    expect(await outdated(survey)).toEqual({});
    await settings('Another hint');
    expect(await outdated(survey)).toEqual({ de: ['description'] });
  });
});

describe('translations of a survey', () => {
  it('are outdated when a name, message or page title changes', async () => {
    const survey = await translatedSurvey();
    const [pageId] = survey.pageIds as [number];
    await admin.put(`${at(survey)}/pages/${pageId}`, { page_title: 'Start' }).expect(200);
    const { body } = await admin
      .put(at(survey), { survey_name: 'Tea', survey_settings: { completion_message: 'Thanks' } })
      .expect(200);
    const all = {
      de: ['survey_name', 'completion_message', `pages.${pageId}.page_title`],
      fr: ['survey_name'],
    };
    const sorted = (paths: Record<string, string[]>) =>
      Object.fromEntries(Object.entries(paths).map(([language, list]) => [language, list.toSorted()]));
    expect(sorted(body.data.outdated_translations)).toEqual(sorted(all));
    const confirmed = { de: ['survey_name', `pages.${pageId}.page_title`], fr: [] };
    const reply = await admin.put(at(survey), { confirmed_translations: confirmed }).expect(200);
    expect(reply.body.data.outdated_translations).toEqual({
      de: ['completion_message'],
      fr: ['survey_name'],
    });
    expect(reply.body.data.etag).not.toBe(body.data.etag);
    await admin.put(at(survey), { survey_name: 'Coffee' }).expect(200);
    // The German name was confirmed for the other one.
    expect((await readSurvey(survey.surveyId)).outdated_translations).toEqual({
      de: ['survey_name', 'completion_message'],
    });
    await expectInvalidField(
      admin.put(at(survey), { confirmed_translations: { fr: ['consent_text'] } }),
      'confirmed_translations.fr[0]',
    );
  });

  it('are listed by the publish check', async () => {
    const survey = await translatedSurvey();
    await reword(survey, 'What do you like?');
    await admin.put(at(survey), { survey_name: 'Tea' }).expect(200);
    const { warnings } = (await admin.get(`${at(survey)}/publish-check`).expect(200)).body.data;
    const found = warnings.filter(({ code }: { code: string }) => code === 'outdated_translations');
    expect(found).toMatchObject([
      {
        language: 'de',
        outdated: [
          { field: 'survey_name', text: 'Tea' },
          { field: 'pages[0].questions[0].question_text', text: 'What do you like?', question_code: 'Q1' },
        ],
      },
      { language: 'fr' },
    ]);
    expect(found[0].message).toContain('2 texts have changed after the translation into de');
  });
});

describe('outdated translations', () => {
  it.each(['import', 'duplicate'])('are kept through %s', async (way) => {
    const survey = await translatedSurvey();
    await reword(survey, 'What do you like?');
    await admin.put(`${at(survey)}/pages/${survey.pageIds[0]}`, { page_title: 'Start' }).expect(200);
    const file = (await admin.get(`${at(survey)}/export`).expect(200)).body.data;
    const { body } =
      way === 'import'
        ? await admin.post('/api/surveys/import', file).expect(201)
        : await admin.post(`${at(survey)}/duplicate`).expect(201);
    const copy = await readSurvey(body.data.survey_id);
    expect(copy.questions[0].outdated_translations).toEqual({
      de: ['question_text'],
      fr: ['question_text'],
    });
    expect(copy.outdated_translations).toEqual({ de: [`pages.${copy.pages[0].page_id}.page_title`] });
    // They are current again with the text that they were written for.
    await admin
      .put(`/api/surveys/${copy.survey_id}/questions/${copy.questions[0].question_id}`, {
        question_text: 'What do you drink?',
      })
      .expect(200);
    expect((await readSurvey(copy.survey_id)).questions[0].outdated_translations).toEqual({});
  });

  it('follow a restored version', async () => {
    const survey = await translatedSurvey();
    await admin.post(`${at(survey)}/publish`, {}).expect(200);
    await reword(survey, 'What do you like?');
    await admin.put(at(survey), { survey_name: 'Tea' }).expect(200);
    await admin.put(`${at(survey)}/pages/${survey.pageIds[0]}`, { page_title: 'Start' }).expect(200);
    await admin.post(`${at(survey)}/publish`, {}).expect(200);
    await admin.post(`${at(survey)}/versions/1/restore`).expect(200);
    const first = await readSurvey(survey.surveyId);
    expect([first.outdated_translations, first.questions[0].outdated_translations]).toEqual([{}, {}]);
    await admin.post(`${at(survey)}/versions/2/restore`).expect(200);
    const second = await readSurvey(survey.surveyId);
    expect(second.questions[0].outdated_translations).toEqual({
      de: ['question_text'],
      fr: ['question_text'],
    });
    expect(second.outdated_translations.fr).toEqual(['survey_name']);
    expect(second.outdated_translations.de).toHaveLength(2);
  });

  it('are not sent to respondents', async () => {
    const survey = await translatedSurvey();
    await reword(survey, 'What do you like?');
    const published = await admin.post(`${at(survey)}/publish`, {}).expect(200);
    const link = published.body.data.links[0];
    const token = new URL(link.link_url).pathname.split('/').at(-1);
    const { text } = await admin.get(`/api/public/s/${token}`).expect(200);
    expect(text).not.toMatch(/translation_?sources|outdated/i);
  });
});
