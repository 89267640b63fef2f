export const QUESTION_TYPES = [
  'single_choice',
  'multiple_choice',
  'text',
  'number',
  'scale',
  'matrix',
  'ranking',
  'date',
  'nps',
  'dropdown',
  'slider',
  'file_upload',
] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];
