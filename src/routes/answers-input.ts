import { z } from 'zod';
import { documentedAs } from '../http/openapi.ts';

const ANSWERS =
  'By question code; options by `option_value`, not by label: single `"2"`, multiple `["1","3"]`, `{"value":"9","other":"text"}` where a text is asked, matrix `{"r1":"2"}`, ' +
  'ranking `["3","1"]` best first, a number, a date as text, files as a list of ids; null is no answer. `[]` of a multiple choice, or ' +
  'of a row of a matrix with several answers, is an answer: shown, and none ticked. A required question refuses it; where ' +
  '`min_selections` is 1 or more, or `require_all_rows` is set, it counts as no answer';

const answerChoice = z.union([
  z.string(),
  z.number(),
  z
    .strictObject({ value: z.string(), other: z.string() })
    .meta({ id: 'OtherChoice', description: 'An option that asks for a text, with the text' }),
]);

/** An answer as it is stored, and in the forms that clients may write. */
const answerSchema = z
  .union([
    answerChoice,
    z.array(answerChoice),
    z.record(z.string(), z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])),
  ])
  .meta({ id: 'Answer', description: 'The type of the question decides which form it has' });

export const answersSchema = z.record(z.string(), answerSchema.nullable()).meta({
  id: 'Answers',
  description: ANSWERS,
});

/** Answers by question code; what each may be, its question says (domain/answers). */
export const answersInput = documentedAs(
  z.custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object of answers by question code',
  ),
  answersSchema,
);

export const submissionId = z
  .string()
  .regex(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 visible ASCII characters')
  .describe('Your own name for it, unique within the survey; makes retries harmless');

export const languageTag = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en or pt-BR')
  .max(35);

export const externalId = z.string().min(1).max(200);
