import type { Actor } from './actors.ts';
import { type PublishedSurvey, publishedSurvey } from './surveys.ts';

const options = (...labels: string[]) =>
  labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) }));
const question = (
  question_type: string,
  question_code: string,
  question_text: string,
  extra: object = {},
) => ({
  question_type,
  question_code,
  question_text,
  ...extra,
});
const dateQuestion = (code: string, precision: string) =>
  question('date', code, `When (${precision})?`, { question_settings: { precision } });

/** Creates a survey with questions of all types in several scripts, for exports to statistics programs. */
const PAGES = [
  [
    question('single_choice', 'drink', 'Что вы пьёте утром? 何を飲む？ ☕', {
      options: [
        ...options('Espresso', 'Фильтр-кофе', 'お茶 🍵'),
        { option_label: 'Something else', option_value: '4', option_other: true },
        ...['96', '97', '98', '99'].map((value) => {
          return { option_label: `No answer ${value}`, option_value: value, option_missing: true };
        }),
      ],
    }),
    question('dropdown', 'region', 'Where do you live?', {
      options: [
        { option_label: 'North', option_value: 'n' },
        { option_label: 'South', option_value: 's' },
        { option_label: 'Refused', option_value: 'r', option_missing: true },
      ],
    }),
    question('multiple_choice', 'places', 'And where?', {
      options: [
        ...options('At home', 'At work'),
        { option_label: 'Elsewhere', option_value: '3', option_other: true },
      ],
    }),
    question('number', 'cups', 'How many cups?', { question_settings: { decimals: 2 } }),
    question('number', 'w', 'A weight', { question_settings: { decimals: 3 } }),
    question('scale', 'strength', 'How strong?', {
      question_settings: { min: 1, max: 5, min_label: 'Mild', max_label: 'Strong' },
    }),
    question('nps', 'nps', 'Recommend?'),
    question('slider', 'milk', 'How much milk?', { question_settings: { min: 0, max: 1, step: 0.25 } }),
  ],
  [
    question('matrix', 'agree', 'Do you agree?', {
      question_settings: { rows: [{ row_code: 'taste', row_label: 'Taste' }] },
      options: options('No', 'Yes'),
    }),
    question('matrix', 'when', 'What, when?', {
      question_settings: {
        matrix_type: 'multiple',
        rows: [
          { row_code: 'am', row_label: 'Morning' },
          { row_code: 'pm', row_label: 'Evening' },
        ],
      },
      options: options('Tea', 'Coffee'),
    }),
    question('ranking', 'order', 'What matters most?', { options: options('Aroma', 'Price') }),
    question('constant_sum', 'budget', 'How do you divide 10 €?', {
      question_settings: { total: 10, decimals: 2, prefix: '€' },
      options: options('Coffee', 'Чай 🍵', 'Milk'),
    }),
    question('text', 'why', 'Why?', { question_settings: { multiline: true, max_length: 20_000 } }),
    dateQuestion('day', 'date'),
    dateQuestion('moment', 'datetime'),
    dateQuestion('clock', 'time'),
    dateQuestion('month', 'month'),
    dateQuestion('year', 'year'),
    question('file_upload', 'photo', 'A photo'),
    question('calculated', 'spend', 'What your cups cost', {
      question_settings: { expression: 'cups * 2.5', decimals: 2, prefix: '€' },
    }),
    question('statement', 'thanks', 'Thank you so far.'),
    question('side_by_side', 'drinks', 'How do you use these drinks?', {
      question_settings: {
        rows: [{ row_code: 'mate', row_label: 'Mate' }],
        columns: [
          {
            column_code: 'use',
            column_label: 'Use',
            column_type: 'single_choice',
            options: options('Often', 'Never'),
          },
          { column_code: 'cups', column_label: 'Cups', column_type: 'number' },
        ],
      },
    }),
  ],
];

export const LONG_TEXT = 'ж漢☕'.repeat(500);

/** Answers by respondent: all questions answered, few answered, and all skipped. */
const ROWS = [
  {
    submission_id: 'all',
    started_at: '2026-01-15T22:58:00Z',
    completed_at: '2026-01-15T23:30:15Z',
    language: 'pt-BR',
    answers: {
      drink: { value: '4', other: 'Мате 🧉' },
      region: 'n',
      places: ['1', { value: '3', other: 'На улице' }],
      cups: 2.25,
      w: 0.5,
      strength: 5,
      nps: 9,
      milk: 0.25,
      agree: { taste: '2' },
      when: { am: ['1', '2'], pm: ['2'] },
      order: ['2', '1'],
      budget: { '1': 3.33, '2': 3.33, '3': 3.34 },
      why: LONG_TEXT,
      day: '2026-02-28',
      moment: '2026-02-28T23:59',
      clock: '07:05',
      month: '2025-12',
      year: '1999',
      drinks_use_mate: '2',
      drinks_cups_mate: 3,
    },
  },
  {
    submission_id: 'some',
    started_at: '2026-07-15T22:58:00Z',
    completed_at: '2026-07-15T23:30:15Z',
    answers: { drink: '2', region: 's', places: ['2'], w: 2.5, strength: 2, why: '=1+1', day: '1890-05-06' },
  },
  {
    submission_id: 'none',
    started_at: '2026-07-15T22:58:00Z',
    completed_at: '2026-07-15T23:30:15Z',
    answers: { drink: '99', region: 'r', w: 4 },
  },
];

export const FULL_SURVEY_NAME = 'Кофе, честно & 正直';

export async function createFullSurvey(author: Actor): Promise<PublishedSurvey> {
  const survey = await publishedSurvey(author, { survey_name: FULL_SURVEY_NAME, pages: PAGES });
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows: ROWS }).expect(201);
  return survey;
}
