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

const WITH_OPTIONS: ReadonlySet<QuestionType> = new Set([
  'single_choice',
  'multiple_choice',
  'matrix',
  'ranking',
  'dropdown',
]);

const WITH_OTHER_TEXT: ReadonlySet<QuestionType> = new Set(['single_choice', 'dropdown', 'multiple_choice']);

/** Whether an option can ask for a text beside it. */
export function takesOtherText(type: QuestionType): boolean {
  return WITH_OTHER_TEXT.has(type);
}

/** Whether questions of this type have options; those of a matrix are its columns. */
export function takesOptions(type: QuestionType): boolean {
  return WITH_OPTIONS.has(type);
}
