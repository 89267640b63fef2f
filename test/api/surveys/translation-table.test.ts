import path from 'node:path';
import { expect, test } from 'vitest';
import { newOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { draftSurvey } from '../../support/surveys.ts';

// The page has another TypeScript configuration, so its types are not imported.
const { listTexts } = (await import(
  path.resolve('src/web/studio/client/translations/translation-table.ts')
)) as { listTexts: (survey: object) => { source: string }[] };

const app = useApp();

const IMAGE = { image_url: 'https://images.example/cup.png', image_alt: 'A cup' };
const option = (option_label: string, extra: object = {}) => ({ option_label, ...extra });

test('the studio lists the texts whose translations the server misses, and no others', async () => {
  const { admin } = await newOrganization(app);
  const { surveyId } = await draftSurvey(admin, {
    survey_name: 'Coffee',
    survey_description: 'About coffee',
    settings: {
      languages: ['de'],
      consent_text: 'May we store your answers?',
      completion_message: 'Thanks',
      screened_out_message: 'Not this time',
      over_quota_message: 'Enough answers',
      closed_message: 'The bar is shut',
    },
    pages: [
      [
        {
          question_type: 'single_choice',
          question_text: 'Where?',
          question_settings: { ...IMAGE, description: 'One place', other_label: 'Which other place?' },
          options: [option('At home'), option('Elsewhere', { option_other: true })],
        },
        {
          question_type: 'dropdown',
          question_text: 'Region?',
          question_settings: { placeholder: 'Choose a region' },
          options: [option('North')],
        },
        {
          question_type: 'scale',
          question_text: 'How strong?',
          question_settings: { min: 1, max: 3, min_label: 'Mild', mid_label: 'Medium', max_label: 'Strong' },
        },
        {
          question_type: 'scale',
          question_text: 'How good?',
          question_settings: { min: 1, max: 3, point_labels: { 1: 'Bad', 2: 'Fair', 3: 'Good' } },
        },
        {
          question_type: 'number',
          question_text: 'How much?',
          question_settings: { prefix: 'about', suffix: 'cups' },
        },
        { question_type: 'text', question_text: 'Why?', question_settings: { placeholder: 'Because' } },
        {
          question_type: 'matrix',
          question_text: 'Do you agree?',
          question_settings: { rows: [{ row_code: 'taste', row_label: 'It tastes' }] },
          options: [option('No'), option('Yes')],
        },
      ],
    ],
  });
  const { body: survey } = await admin.get(`/api/surveys/${surveyId}`).expect(200);
  const [page] = survey.data.pages;
  await admin
    .put(`/api/surveys/${surveyId}/pages/${page.page_id}`, {
      page_title: 'Page title',
      page_description: 'Introduction',
    })
    .expect(200);
  const { body } = await admin.get(`/api/surveys/${surveyId}`).expect(200);
  const { body: check } = await admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200);
  const missing = check.data.warnings.find(
    (warning: { code: string }) => warning.code === 'missing_translations',
  );
  const sources = listTexts(body.data).map(({ source }) => source);
  expect(sources.length).toBeGreaterThan(25);
  expect([...sources].sort()).toEqual(missing.missing.map(({ text }: { text: string }) => text).sort());
});
