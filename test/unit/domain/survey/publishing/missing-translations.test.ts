import { describe, expect, it } from 'vitest';
import type { SurveyDefinition } from '../../../../../src/domain/survey/definition.ts';
import { findMissingTranslations } from '../../../../../src/domain/survey/publishing/translation-check.ts';
import { surveySettingsOf } from '../../../../../src/domain/survey/survey-settings.ts';
import { page, pageWith, question, rows, survey } from '../../../../support/survey-builder.ts';

const missingIn = (definition: SurveyDefinition, settings: object) =>
  findMissingTranslations(definition, surveySettingsOf({ languages: ['de'], ...settings })).map(
    ({ language, textCount, missing }) => ({
      language,
      textCount,
      fields: missing.map(({ field }) => field),
    }),
  );
const NAMED = { de: { survey_name: 'Eine Umfrage' } };

describe('missing translations', () => {
  it('are listed for every text that respondents read, with its position and wording', () => {
    const definition = survey(
      pageWith(
        { title: 'Start', description: 'A few words' },
        question('scale', {
          text: 'How good?',
          settings: { description: 'In general', min_label: 'Bad', point_labels: { '3': 'Fair' } },
        }),
        question('matrix', { text: 'Agree?', options: ['1'], settings: { rows: rows('r1') } }),
      ),
    );
    const settings = { languages: ['de'], completion_message: 'Thanks', screened_out_message: 'Sorry' };
    const [german] = findMissingTranslations(definition, surveySettingsOf(settings));
    expect(german).toMatchObject({ language: 'de', textCount: 12 });
    expect(german!.missing).toEqual([
      { field: 'survey_name', text: 'A survey' },
      { field: 'survey_settings.completion_message', text: 'Thanks' },
      { field: 'survey_settings.screened_out_message', text: 'Sorry' },
      { field: 'pages[0].page_title', text: 'Start' },
      { field: 'pages[0].page_description', text: 'A few words' },
      { field: 'pages[0].questions[0].question_text', question_code: 'Q1', text: 'How good?' },
      {
        field: 'pages[0].questions[0].question_settings.description',
        question_code: 'Q1',
        text: 'In general',
      },
      { field: 'pages[0].questions[0].question_settings.min_label', question_code: 'Q1', text: 'Bad' },
      { field: 'pages[0].questions[0].question_settings.point_labels.3', question_code: 'Q1', text: 'Fair' },
      { field: 'pages[0].questions[1].question_text', question_code: 'Q2', text: 'Agree?' },
      { field: 'pages[0].questions[1].options[0].option_label', question_code: 'Q2', text: 'Option 1' },
      {
        field: 'pages[0].questions[1].question_settings.rows[0].row_label',
        question_code: 'Q2',
        text: 'Row r1',
      },
    ]);
  });

  it('are empty if every text is translated; an empty translation counts as missing', () => {
    const surveyWith = (text: string) =>
      survey(page(question('text', { settings: { translations: { de: { question_text: text } } } })));
    expect(missingIn(surveyWith('Frage'), { translations: NAMED })).toEqual([]);
    expect(missingIn(surveyWith(''), { translations: NAMED })).toEqual([
      { language: 'de', textCount: 2, fields: ['pages[0].questions[0].question_text'] },
    ]);
  });

  it('are not required in the default language, or where the base language has them', () => {
    const definition = survey(
      page(question('text', { settings: { translations: { de: { question_text: 'Frage' } } } })),
    );
    const settings = { default_language: 'en', languages: ['en', 'de-AT'], translations: NAMED };
    expect(missingIn(definition, settings)).toEqual([]);
  });

  it('exclude texts that respondents never read, and texts identical in every language', () => {
    const definition = survey(
      page(
        question('single_choice', {
          settings: { translations: { de: { question_text: 'Jahr' } } },
          options: [
            { value: '1', label: '2024' },
            { value: '2', label: '{{Q2}}' },
            { value: '3', label: 'Gone', retired: true },
          ],
        }),
        question('text', { settings: { hidden: true } }),
        question('text', { retired: true }),
      ),
    );
    expect(missingIn(definition, { translations: NAMED })).toEqual([]);
  });
});
