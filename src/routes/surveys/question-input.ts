import { z } from 'zod';
import { pageLogicInput } from '../logic-schemas.ts';
import { findSimilar, mustBe, unknownValue } from '../../lib/error-messages.ts';
import { optionInputsSchema } from '../../domain/survey/questions/option-input.ts';
import { questionTranslations } from '../../domain/survey/questions/question-translations.ts';
import { QUESTION_TYPES } from '../../domain/questions/registry.ts';
import { documentAs } from '../../http/openapi.ts';
import { jsonObject } from '../../lib/json-value.ts';
import type { ContentQuestion } from '../../services/surveys/surveys.ts';
import { questionInputUnion, questionSettingsChanges } from '../question-schemas.ts';

const MAX_POSITION = 5_000;

/** `"single"` is part of `single_choice`, `"rankin"` is one letter away from `ranking`. */
function questionTypeError(input: unknown): string {
  const accepted = QUESTION_TYPES.join(', ');
  if (typeof input !== 'string' || input === '') return mustBe(`one of ${accepted}`, input);
  const partOf = QUESTION_TYPES.filter((type) => type.split('_').includes(input.toLowerCase()));
  const similar = [...findSimilar(input, QUESTION_TYPES), ...partOf].slice(0, 1);
  return unknownValue(input, 'a question type', { similar, accepted });
}

export const questionType = z.enum(QUESTION_TYPES, { error: ({ input }) => questionTypeError(input) });
export const questionText = z.string().min(1, 'is required').max(10_000);

/** The service validates the settings by question type; translations have the same shape for all types. */
const settingsInput = z.looseObject({ translations: questionTranslations.nullish() });

export const optionalQuestionFields = {
  question_code: z
    .string()
    .min(1)
    .max(48)
    .optional()
    .describe(
      'Letters, digits and underscores; unique in the survey, ignoring case. Default: the next free Q<n>',
    ),
  question_required: z.boolean().optional(),
  question_settings: documentAs(settingsInput, questionSettingsChanges)
    .nullish()
    .describe(
      'Depends on the question type; unknown keys are rejected. An omitted key keeps its value, null resets it to its default',
    ),
  options: optionInputsSchema.nullish(),
};

export const positionSchema = z.int().min(1).max(MAX_POSITION).optional();

/** Fields of a page in a request. The service validates the logic against the survey. */
export const pageFields = {
  page_title: z.string().max(500).nullish(),
  page_description: z.string().max(5_000).nullish(),
  page_logic: documentAs(jsonObject, pageLogicInput)
    .nullish()
    .describe(
      'When the page is shown, and which page follows it. The first matching rule applies; only later pages can follow',
    ),
};

const fields = { question_text: questionText, ...optionalQuestionFields };

/** A question in the body that creates its survey. */
export const contentQuestionSchema = documentAs(
  z.strictObject({ question_type: questionType, ...fields }),
  questionInputUnion('NewSurveyQuestion', fields),
);

export const contentQuestionOf = (body: z.output<typeof contentQuestionSchema>): ContentQuestion => ({
  type: body.question_type,
  text: body.question_text,
  code: body.question_code,
  required: body.question_required,
  settings: body.question_settings,
  options: body.options,
});
