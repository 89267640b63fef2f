/** A question as the API takes it. */
export interface QuestionInput {
  question_type: string;
  question_text?: string;
  question_code?: string;
  question_required?: boolean;
  question_settings?: Record<string, unknown>;
  options?: (string | Record<string, unknown>)[];
}

export const choice = (question_code: string, extra: object = {}): object => ({
  question_type: 'single_choice',
  question_code,
  question_text: `Which for ${question_code}?`,
  options: ['1', '2', '3'].map((option_value) => ({ option_label: `Option ${option_value}`, option_value })),
  ...extra,
});

export const number = (question_code: string, extra: object = {}): object => ({
  question_type: 'number',
  question_code,
  question_text: `How many for ${question_code}?`,
  ...extra,
});

export const text = (question_code: string, extra: object = {}): object => ({
  question_type: 'text',
  question_code,
  question_text: `Why ${question_code}?`,
  ...extra,
});

export const multiple = (question_code: string, extra: object = {}): object => ({
  ...choice(question_code, extra),
  question_type: 'multiple_choice',
});

export const fileQuestion = (question_code: string, question_settings: object = {}): object => ({
  question_type: 'file_upload',
  question_code,
  question_text: `A file for ${question_code}?`,
  question_settings,
});

/** One question of each type, each with special settings. */
export const EVERY_TYPE: readonly QuestionInput[] = [
  {
    question_type: 'single_choice',
    question_settings: { other_label: 'Which?', columns: 2 },
    options: ['Yes', 'No', { option_label: 'Other', option_other: true, option_anchor: true }],
  },
  {
    question_type: 'multiple_choice',
    question_settings: { min_selections: 1, max_selections: 2, shuffle: 'random' },
    options: [
      { option_label: 'Radio', option_value: 1 },
      { option_label: 'Television', option_value: 2 },
      { option_label: 'None of these', option_value: 9, option_exclusive: true },
    ],
  },
  { question_type: 'text', question_settings: { multiline: true, max_length: 500 } },
  { question_type: 'number', question_settings: { min: 0, max: 120, suffix: 'years' } },
  {
    question_type: 'scale',
    question_settings: { min: 1, max: 7, min_label: 'Never', point_labels: { '4': 'At times' } },
  },
  {
    question_type: 'matrix',
    question_settings: {
      rows: [
        { row_code: 'r1', row_label: 'Price' },
        { row_code: 'r2', row_label: 'Taste' },
      ],
    },
    options: ['Bad', 'Good'],
  },
  {
    question_type: 'ranking',
    question_settings: { max_ranked: 2 },
    options: ['Red', 'Green', 'Blue'],
  },
  { question_type: 'date', question_settings: { precision: 'month' } },
  { question_type: 'nps', question_settings: { min_label: 'Not at all' } },
  {
    question_type: 'dropdown',
    question_settings: { searchable: true, measure: 'ordinal' },
    options: ['North', 'South', { option_label: 'Refused', option_missing: true }],
  },
  { question_type: 'slider', question_settings: { step: 5, start: 50 } },
  {
    question_type: 'constant_sum',
    question_settings: { total: 10, decimals: 1, suffix: 'hours' },
    options: ['Work', 'Sleep', 'Leisure'],
  },
  { question_type: 'file_upload', question_settings: { allowed_extensions: ['pdf', 'png'] } },
  { question_type: 'calculated', question_settings: { expression: '1 + 1', suffix: 'points' } },
  { question_type: 'statement', question_settings: { min_seconds: 2 } },
  {
    question_type: 'side_by_side',
    question_settings: {
      rows: [{ row_code: 'tea', row_label: 'Tea' }],
      columns: [
        {
          column_code: 'use',
          column_label: 'Use',
          column_type: 'single_choice',
          options: [{ option_label: 'Often' }, { option_label: 'Never' }],
        },
        { column_code: 'cups', column_label: 'Cups', column_type: 'number', column_settings: { max: 20 } },
      ],
    },
  },
];
