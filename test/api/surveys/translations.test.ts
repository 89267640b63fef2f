import { describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { draftSurvey, type TestSurvey } from '../../support/surveys.ts';

const test = useApp();
const admin = useOrganization(test).admin;

const at = (surveyId: number) => `/api/surveys/${surveyId}`;

const german = (pages: Record<string, object>) => ({
  de: { survey_name: 'Kaffee', survey_description: null, consent_text: 'Ich willige ein', pages },
});

async function translatedSurvey(): Promise<TestSurvey> {
  const survey = await draftSurvey(admin, { survey_name: 'Coffee', pages: [[], []] });
  const [first, second] = survey.pageIds as [number, number];
  const translations = german({
    [first]: { page_title: 'Erste', page_description: 'Seite eins' },
    [second]: { page_title: 'Zweite' },
  });
  await admin
    .put(at(survey.surveyId), {
      survey_settings: { consent_text: 'I agree', languages: ['de'], embed_origins: [], translations },
    })
    .expect(200);
  return survey;
}

async function shown(surveyId: number) {
  const survey = (await admin.get(at(surveyId)).expect(200)).body.data;
  return {
    translations: survey.survey_settings.translations as Record<string, { pages: Record<string, object> }>,
    consent: survey.survey_settings.consent_text as string | null,
    pages: (survey.pages as { page_id: number }[]).map((page) => page.page_id),
  };
}

describe('translations of a survey', () => {
  it('are returned as given', async () => {
    const survey = await translatedSurvey();
    const { translations, consent } = await shown(survey.surveyId);
    expect(consent).toBe('I agree');
    expect(translations).toEqual(
      german({
        [survey.pageIds[0]!]: { page_title: 'Erste', page_description: 'Seite eins' },
        [survey.pageIds[1]!]: { page_title: 'Zweite' },
      }),
    );
  });

  it.each(['import', 'duplicate'])('are kept for their pages through %s', async (way) => {
    const survey = await translatedSurvey();
    const file = (await admin.get(`${at(survey.surveyId)}/export`).expect(200)).body.data;
    const copy =
      way === 'import'
        ? await admin.post('/api/surveys/import', file).expect(201)
        : await admin.post(`${at(survey.surveyId)}/duplicate`).expect(201);
    const { translations, pages } = await shown(copy.body.data.survey_id);
    expect(pages).toHaveLength(2);
    expect(pages.some((page) => survey.pageIds.includes(page))).toBe(false);
    expect(translations).toEqual(
      german({
        [pages[0]!]: { page_title: 'Erste', page_description: 'Seite eins' },
        [pages[1]!]: { page_title: 'Zweite' },
      }),
    );
  });

  it('of a retired page are not exported', async () => {
    const survey = await translatedSurvey();
    await insertResponse(test, survey.surveyId);
    await admin.delete(`${at(survey.surveyId)}/pages/${survey.pageIds[0]}`).expect(204);
    const file = (await admin.get(`${at(survey.surveyId)}/export`).expect(200)).body.data;
    expect(Object.keys(file.survey.settings.translations.de.pages)).toEqual(['1']);
    await admin.post('/api/surveys/import', file).expect(201);
  });

  it('may be sent back after their page was deleted', async () => {
    const survey = await translatedSurvey();
    const { survey_settings: settings } = (await admin.get(at(survey.surveyId)).expect(200)).body.data;
    await admin.delete(`${at(survey.surveyId)}/pages/${survey.pageIds[0]}`).expect(204);
    await admin.put(at(survey.surveyId), { survey_settings: settings }).expect(200);
  });

  it.each<[string, string, object]>([
    [
      'an unknown page',
      'survey_settings.translations.de.pages.99999999',
      { de: { pages: { 99999999: {} } } },
    ],
    ['an invalid language', 'survey_settings.translations.german!', { 'german!': {} }],
    ['an invalid page id', 'survey_settings.translations.de.pages.first', { de: { pages: { first: {} } } }],
    ['an unknown text', 'survey_settings.translations.de.heading', { de: { heading: 'x' } }],
  ])('are rejected for %s', async (_, field, translations) => {
    const survey = await draftSurvey(admin);
    await expectInvalidField(admin.put(at(survey.surveyId), { survey_settings: { translations } }), field);
  });

  it('name the page_ids of the survey when a page does not exist', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin);
    const translations = { de: { pages: { 99999999: { page_title: 'Erste' } } } };
    const reply = await admin.put(at(surveyId), { survey_settings: { translations } }).expect(400);
    expect(reply.body.details[0].message).toBe(
      `page 99999999 does not exist in this survey; accepted: ${pageIds.join(', ')}`,
    );
  });

  it('explain how to translate page titles when the survey is created with its pages', async () => {
    const reply = await admin
      .post('/api/surveys', {
        survey_name: 'A',
        survey_settings: { translations: { de: { pages: { 1: { page_title: 'Erste' } } } } },
        pages: [{ page_title: 'First' }],
      })
      .expect(400);
    expect(reply.body.details[0].message).toContain(
      'translate page titles by page_id with PUT /api/surveys/:id',
    );
  });

  it('of a page missing in a file are rejected', async () => {
    await expectInvalidField(
      admin.post('/api/surveys/import', {
        survey_name: 'A',
        settings: { translations: { de: { pages: { 5: { page_title: 'x' } } } } },
        pages: [{ page_id: 4 }],
      }),
      'survey.settings.translations.de.pages.5',
    );
  });
});

describe('translations of a question', () => {
  const question = { question_type: 'single_choice', question_text: 'Coffee?', options: ['Yes', 'No'] };
  const created = async (translations: object) => {
    const { surveyId, pageIds } = await draftSurvey(admin);
    const body = { page_id: pageIds[0], ...question, question_settings: { translations } };
    return admin.post(`${at(surveyId)}/questions`, body);
  };

  it('are stored by language, with labels by option_code', async () => {
    const translations = { de: { question_text: 'Kaffee?', options: { 1: 'Ja', 2: null } } };
    const reply = await created(translations);
    expect(reply.status).toBe(201);
    expect(reply.body.data.question_settings.translations).toEqual(translations);
  });

  it.each<[string, string, object]>([
    ['an unknown text', 'de.questiontext', { de: { questiontext: 'Kaffee?' } }],
    ['a value that is not a text', 'de.question_text', { de: { question_text: 5 } }],
    ['options keyed by label', 'de.options.Yes', { de: { options: { Yes: 'Ja' } } }],
    ['an invalid language', 'german!', { 'german!': {} }],
  ])('are rejected for %s', async (_, field, translations) => {
    const reply = await created(translations);
    expect(reply.status).toBe(400);
    expect(reply.body.details).toMatchObject([{ field: `question_settings.translations.${field}` }]);
  });
});

describe('the origins that may embed a survey', () => {
  it('are stored in canonical form', async () => {
    const given = ['https://WWW.Example.org/', 'http://localhost:8080', ' https://bücher.example '];
    const created = await admin
      .post('/api/surveys', { survey_name: 'Embedded', survey_settings: { embed_origins: given } })
      .expect(201);
    const survey = await admin.get(at(created.body.data.survey_id)).expect(200);
    expect(survey.body.data.survey_settings.embed_origins).toEqual([
      'https://www.example.org',
      'http://localhost:8080',
      'https://xn--bcher-kva.example',
    ]);
  });

  it.each([
    'example.org',
    'https://example.org/page',
    'https://a.example; script-src *',
    'https://a.example;b',
    "'none'",
    '*',
    'https://*',
    'ftp://example.org',
    'javascript:alert(1)',
    'https://user@example.org',
    'https://a.example https://b.example',
    'https://a.example,b',
    '',
  ])('reject %j', async (origin) => {
    await expectInvalidField(
      admin.post('/api/surveys', { survey_name: 'A', survey_settings: { embed_origins: [origin] } }),
      'survey_settings.embed_origins[0]',
    );
  });
});
