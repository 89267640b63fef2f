import { z } from 'zod';
import { jsonValue } from '../../lib/json-value.ts';
import { duplicateOf } from '../../lib/error-messages.ts';
import { MEASURES } from '../columns/column-spec.ts';
import { NO_ANSWER_REASONS } from '../columns/no-answer.ts';
import { IMAGE_ADDRESS_RULE, isImageAddress } from './image-address.ts';
import { isMediaAddress, MEDIA_ADDRESS_RULES } from './media-address.ts';
import { questionLogicSchema } from './logic-schema.ts';
import { languageTagText } from './question-translations.ts';

/**
 * Creates the settings schema of a type. The respondent page, which needs only the answers of a type, is built without these calls
 * (vite.config.ts), and so without zod.
 */
export const defineSettings = <S extends z.ZodObject>(create: () => S): S => create();

/** A text of at most `max` characters. */
export const textSetting = (max = 500) => z.string().max(max);
export const finiteNumberSchema = z.number();

const variableName = z.string().min(1).max(64);
const variableFormat = z.strictObject({
  type: z.int().min(0).max(255),
  width: z.int().min(0).max(255),
  decimals: z.int().min(0).max(255),
});
export const measureSchema = z.enum(MEASURES);
const variableMissing = z.array(z.union([z.string(), finiteNumberSchema])).max(100);
const variableRange = z.strictObject({ low: finiteNumberSchema, high: finiteNumberSchema });
const variableLabels = z
  .array(z.strictObject({ value: z.union([z.string(), finiteNumberSchema]), label: textSetting(1_000) }))
  .max(1_000);

/** The original variable in the imported statistics file, which exports restore. */
const importedVariable = z
  .strictObject({
    name: variableName,
    label: textSetting(255).nullable(),
    kind: z.enum(['number', 'string', 'date', 'datetime', 'time']).optional(),
    format: variableFormat.optional(),
    measure: measureSchema.nullish(),
    missing: variableMissing.optional(),
    missing_range: variableRange.nullish(),
    /** Value labels that the options do not have. */
    value_labels: variableLabels.optional(),
    /** Texts whose option_value differs from the text in the file. */
    values: z
      .array(z.strictObject({ option_value: z.string().max(2_000), value: z.string().max(2_000) }))
      .max(1_000)
      .optional(),
    /** The weight variable of the file; not an answer of a respondent. */
    is_weight: z.boolean().optional(),
    /** Multiple choice: the value that means chosen, and the variables. */
    counted: textSetting().optional(),
    members: z
      .array(
        z.strictObject({
          option_code: z.int(),
          name: variableName,
          label: textSetting(255).nullable(),
          format: variableFormat,
          /** The value that means not chosen. */
          other: finiteNumberSchema,
          measure: measureSchema.optional(),
          value_labels: variableLabels.optional(),
          missing: variableMissing.optional(),
          missing_range: variableRange.optional(),
        }),
      )
      .max(1_000)
      .optional(),
  })
  .meta({
    id: 'ImportedVariable',
    description:
      'Properties of the variable in the statistics file that the question was imported from; exports write them again',
  });

const MAX_NO_ANSWER_CODE = 999_999;

const noAnswerSetting = z
  .array(
    z.strictObject({
      reason: z.enum(NO_ANSWER_REASONS),
      code: z
        .int()
        .min(-MAX_NO_ANSWER_CODE)
        .max(MAX_NO_ANSWER_CODE)
        .describe('What files hold for the reason, such as 97; no answer of the question can be this number'),
      label: textSetting(200)
        .trim()
        .min(1)
        .nullable()
        .default(null)
        .describe("Text of the button; null: a standard text in the respondent's language"),
    }),
  )
  .max(NO_ANSWER_REASONS.length)
  .superRefine((choices, context) => {
    for (const name of ['reason', 'code'] as const) {
      choices.forEach((choice, index) => {
        const first = choices.findIndex((other) => other[name] === choice[name]);
        if (first < index)
          context.addIssue({
            code: 'custom',
            path: [index, name],
            message: duplicateOf(`no_answers[${first}]`, choice[name]),
          });
      });
    }
  })
  .meta({
    id: 'NoAnswers',
    description:
      'Reasons that respondents can give instead of an answer: `{"no_answer": "refused"}`. They satisfy a required question, count as ' +
      'missing in figures, and are user-missing values in SPSS files',
  });

/** Settings of every question type. */
export const commonSettings = {
  variable: importedVariable.optional(),
  description: textSetting(5_000).nullable().default(null).describe('Shown below the question text'),
  image_url: z
    .string()
    .max(2_000)
    .refine(isImageAddress, IMAGE_ADDRESS_RULE)
    .nullable()
    .default(null)
    .describe(
      'Address of an image shown below the question text: an http or https address, or that of an uploaded image',
    ),
  image_alt: textSetting()
    .nullable()
    .default(null)
    .describe('What the image shows, for people who cannot see it; null: the image is decoration'),
  media_url: z
    .string()
    .max(200)
    .refine((address) => isMediaAddress(address, 'playable'), MEDIA_ADDRESS_RULES.playable)
    .nullable()
    .default(null)
    .describe('Address of uploaded sound or of an uploaded video, which is played below the question text'),
  media_alt: textSetting(5_000)
    .nullable()
    .default(null)
    .describe(
      'What is heard or seen, for people who cannot hear or see it; respondents can open it below the player',
    ),
  media_captions: z
    .record(
      languageTagText,
      z
        .string()
        .max(200)
        .refine((address) => isMediaAddress(address, 'captions'), MEDIA_ADDRESS_RULES.captions),
    )
    .nullable()
    .default(null)
    .describe('Addresses of uploaded captions by language'),
  placeholder: textSetting()
    .nullable()
    .default(null)
    .describe('Shown in an empty input; only for types with an input'),
  shuffle: z
    .enum(['none', 'random', 'rotate', 'reverse'])
    .default('none')
    .describe(
      'Order of the options for each respondent; anchored options keep their place. Only for types with options',
    ),
  hidden: z
    .boolean()
    .default(false)
    .describe('Respondents never see the question; clients of the API can answer it'),
  report_label: textSetting()
    .trim()
    .min(1)
    .nullable()
    .default(null)
    .describe('Name of the question in figures, charts, reports and files; null: its text'),
  no_answers: noAnswerSetting.default([]),
  logic: questionLogicSchema.nullable().default(null),
  /** By language, then by key: `{"de": {"question_text": "…", "options": {"1": "…"}}}`. */
  translations: z.record(languageTagText, jsonValue).nullable().default(null),
};

/** Checks min <= max if both are given; dates of the same precision sort as texts. */
export function withOrderedBounds<T extends z.ZodType<object>>(schema: T, low: string, high: string): T {
  return schema.superRefine((value, context) => {
    const bounds = value as Record<string, string | number | null>;
    const [min, max] = [bounds[low] ?? null, bounds[high] ?? null];
    if (min !== null && max !== null && min > max) {
      const message = `${low} (${min}) must not exceed ${high} (${max})`;
      context.addIssue({ code: 'custom', path: [low], message });
    }
  });
}

/** Optional bounds of the number of options in an answer, or of characters in a text. */
export const optionalMinimum = (max: number) => z.int().min(0).max(max).nullable().default(null);
export const optionalMaximum = (max: number) => z.int().min(1).max(max).nullable().default(null);

export type CommonSettings = z.infer<z.ZodObject<typeof commonSettings>>;
