import { z } from 'zod';
import type { UserRole } from '../domain/access/caller.ts';
import { EMAIL_ADDRESS_EXPECTED, MAX_EMAIL_CHARACTERS, roleFromType } from '../domain/access/users.ts';
import { QUESTION_TYPES, type QuestionType, typeOf } from '../domain/questions/registry.ts';
import { withDocumentedSchema } from '../http/openapi.ts';
import { contradictingFields } from '../lib/error-messages.ts';

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

/** Answers by question code; domain/questions validates each by its question. */
export const answersInput = withDocumentedSchema(
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

/** #rgb or #rrggbb; normalized to lower-case #rrggbb. */
export const hexColor = z
  .string()
  .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a hex color such as #6366f1')
  .transform((value) => {
    const digits = value.slice(1).toLowerCase();
    return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
  })
  .meta({ override: { type: 'string', pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' } });

const MAX_PASSWORD_BYTES = 1_024;
const MIN_CHARACTERS = 8;

/** A current password, compared with the stored hash; too short is reported as wrong. The maximum bounds the hashing work. */
export const passwordField = z
  .string()
  .min(1, 'is required')
  .refine(
    (value) => Buffer.byteLength(value) <= MAX_PASSWORD_BYTES,
    `must be at most ${MAX_PASSWORD_BYTES} bytes`,
  );

/** A new password. Characters are counted after NFKC normalization, as they are hashed. */
export const newPassword = passwordField
  .refine(
    (value) => Array.from(value.normalize('NFKC')).length >= MIN_CHARACTERS,
    `must be at least ${MIN_CHARACTERS} characters`,
  )
  .describe(`At least ${MIN_CHARACTERS} characters, at most ${MAX_PASSWORD_BYTES} bytes`)
  .meta({ override: { type: 'string', minLength: MIN_CHARACTERS } });

/** For clients in which a person chooses the password, such as the studio. */
export const refuseCommonField = z
  .boolean()
  .default(false)
  .describe(
    'Refuse a password that is easy to guess, as the studio asks for. With the setting `STRICT_PASSWORDS`, always',
  );

const MAX_KEPT_EMAIL_CHARACTERS = 320;

/** A login email address. Addresses that differ only in case are the same. */
export const emailField = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(MAX_EMAIL_CHARACTERS)
  .pipe(z.email(EMAIL_ADDRESS_EXPECTED));

/** An email address that may be the stored one, sent back; the service validates it only if it changed. */
export const storedEmailField = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(MAX_KEPT_EMAIL_CHARACTERS)
  .meta({ format: 'email' });

/** The name of a user. Control characters are rejected, because names appear in email headers. */
export const personName = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(200)
  .refine((name) => !/\p{Cc}/u.test(name), 'must not contain control characters such as line breaks');

/** The numbers of user types: in `user_type` and `invite_role`. */
export const typeNumber = z
  .union([z.literal(1), z.literal(2), z.literal(3), z.literal(6)], {
    error: 'must be 1 (Admin), 2 (Member) or 3 (Client)',
  })
  .describe('1 Admin, 2 Member, 3 Client; 6 is read as Client')
  .meta({ override: { type: 'integer', enum: [1, 2, 3, 6] } });

/** The role as a word. */
export const roleWord = z
  .enum(['superadmin', 'admin', 'member', 'client'], { error: 'must be admin, member or client' })
  .describe('The role as a word: admin, member or client');

/**
 * The role in a body, given as a number (the field `typeField`), as a word (`user_role`) or as both; undefined if neither is given. A
 * superadmin has the number 1, so both fields of a reply can be sent back.
 */
export function requestedRole(
  typeField: string,
  type: number | undefined,
  role: UserRole | undefined,
): UserRole | undefined {
  if (type === undefined) return role;
  const byType = roleFromType(type) ?? undefined;
  if (role === undefined || role === byType) return byType;
  if (role === 'superadmin' && byType === 'admin') return role;
  throw contradictingFields('user_role', role, `${typeField} ${type} means ${byType}`);
}
