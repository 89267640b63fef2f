import { z } from 'zod';
import { QUESTION_TYPES, type QuestionType, typeOf } from '../domain/questions/registry.ts';
import { documentAs } from '../http/openapi.ts';

/** Describes the answers to each question type; types with the same form share a line. */
function describeAnswers(): string {
  const typesByFormat = new Map<string, QuestionType[]>();
  for (const type of QUESTION_TYPES) {
    const { answerFormat } = typeOf({ type });
    typesByFormat.set(answerFormat, [...(typesByFormat.get(answerFormat) ?? []), type]);
  }
  return [...typesByFormat].map(([format, types]) => `- ${types.join(', ')}: ${format}\n`).join('');
}

const ANSWERS =
  'Answers by question code; options are given by `option_value`, not by label:\n\n' +
  describeAnswers() +
  '- null: no answer\n\n' +
  'A required question rejects `[]`. With `min_selections` of 1 or more, or `require_all_rows`, `[]` counts as no answer';

const answerChoice = z.union([
  z.string(),
  z.number(),
  z
    .strictObject({ value: z.string(), other: z.string() })
    .meta({ id: 'OtherChoice', description: 'An option with a text field, and the text' }),
]);

/** An answer, as stored and in the forms that requests can use. */
const answerSchema = z
  .union([
    answerChoice,
    z.array(answerChoice),
    z.record(z.string(), z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])),
  ])
  .meta({ id: 'Answer', description: 'The form depends on the question type' });

export const answersSchema = z.record(z.string(), answerSchema.nullable()).meta({
  id: 'Answers',
  description: ANSWERS,
});

/** Answers by question code; domain/answers validates each by its question. */
export const answersInput = documentAs(
  z.custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object of answers by question code',
  ),
  answersSchema,
);

export const submissionId = z
  .string()
  .regex(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 visible ASCII characters')
  .describe('Your own id for the response, unique in the survey; makes retries safe');

export const languageTag = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en or pt-BR')
  .max(35);

export const externalId = z.string().min(1).max(200);
