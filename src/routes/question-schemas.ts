import { z } from 'zod';
import { QUESTION_TYPES, questionSettingsSchemas, type QuestionType } from '../domain/questions/registry.ts';
import { OPERATORS } from '../domain/questions/condition.ts';
import { questionTranslations } from '../domain/questions/question-translations.ts';

/**
 * Logic in requests, with all accepted forms. For the API document only: the domain parses it with `readCondition`,
 * `readQuestionLogic` and `readPageLogic`, and stores and returns one normalized form.
 */

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const right = z
  .union([scalar, z.array(scalar)])
  .optional()
  .describe('Option values or labels; omitted with answered and not_answered; reasons with gave_reason');
const operator = z.enum(OPERATORS);
const questionId = z.int().positive();

const comparisonInput = z
  .strictObject({
    left: z
      .strictObject({
        type: z.enum(['question', 'column', 'hidden', 'attribute', 'arm', 'previous']).optional(),
        code: z.string().optional().describe('A code. For a question, question_id can be used instead'),
        question_id: questionId.optional(),
        row_code: z
          .string()
          .optional()
          .describe('The part of a question with parts, such as the row of a matrix'),
      })
      .meta({ id: 'ComparisonLeftInput' }),
    operator,
    right,
  })
  .meta({ id: 'ComparisonInput' });

const questionComparisonInput = z
  .strictObject({ question_id: questionId, row_code: z.string().optional(), operator, right })
  .meta({ id: 'QuestionComparisonInput' });

const shortConditionInput = z.record(z.string(), z.union([scalar, z.array(scalar)])).meta({
  id: 'ShortCondition',
  description:
    'By question code or id: option values or labels, one of which must be selected. All keys must match',
});

export const conditionInput: z.ZodType = z
  .lazy(() => z.union([comparisonInput, questionComparisonInput, conditionGroupInput, shortConditionInput]))
  .meta({
    id: 'ConditionInput',
    description:
      'A comparison, a group, or the short form `{"Q1": ["1", "2"]}`. Questions are referenced by code or id, options by value or label',
  });

const conditionGroupInput = z
  .strictObject({
    connector: z.enum(['and', 'or']).optional().describe('Default: and'),
    conditions: z.array(conditionInput),
  })
  .meta({ id: 'ConditionGroupInput' });

const skipRuleInput = z
  .strictObject({
    when: conditionInput,
    action: z.enum(['jump_to_page', 'jump_to_question', 'end_survey', 'screen_out']),
    target_id: z
      .int()
      .positive()
      .optional()
      .describe('A page_id or question_id, for jump_to_page and jump_to_question'),
    target_page: z
      .int()
      .positive()
      .optional()
      .describe('Instead of target_id: the current number of a page, from 1'),
    target_question: z.string().optional().describe('Instead of target_id: a question code'),
    reason: z.string().max(200).optional(),
  })
  .meta({ id: 'SkipRuleInput' });

const steps = { display: conditionInput.optional(), skip: z.array(skipRuleInput).max(100).optional() };

export const pageLogicInput = z.strictObject(steps).meta({ id: 'PageLogicInput' });

const questionLogicInput = z
  .strictObject({
    ...steps,
    options: z.record(z.string(), conditionInput).optional().describe('By option_code'),
    carry_forward: z
      .strictObject({
        from: z.string().optional().describe('Code of an earlier question with options'),
        question_id: questionId.optional().describe('Instead of from'),
        mode: z.enum(['selected', 'not_selected', 'shown']).optional().describe('Default: selected'),
      })
      .meta({ id: 'CarryForwardInput' })
      .optional(),
  })
  .meta({ id: 'QuestionLogicInput' });

/** `single_choice` becomes `SingleChoice` in schema names. */
function pascalCase(type: QuestionType): string {
  return type.replace(/(^|_)([a-z])/g, (_match, _underscore, letter: string) => letter.toUpperCase());
}

type SettingsShape = Record<string, z.core.$ZodType>;

/** The settings of each question type in replies: all keys are present. */
const settingsOf = Object.fromEntries(
  QUESTION_TYPES.map((type) => [
    type,
    z
      .strictObject({
        ...questionSettingsSchemas[type].shape,
        translations: questionTranslations.nullable().default(null),
      })
      .meta({ id: `${pascalCase(type)}Settings` }),
  ]),
) as unknown as typeof questionSettingsSchemas;

/**
 * The settings of each question type in requests: a setting with a default can be omitted, and null means its default.
 * For the API document only: the domain parses settings with `questionSettingsSchemas`.
 */
const settingsInputOf = Object.fromEntries(
  QUESTION_TYPES.map((type) => [
    type,
    z
      .strictObject({
        ...optionalWhereDefault(questionSettingsSchemas[type].shape),
        translations: questionTranslations.nullish(),
        logic: questionLogicInput.nullish(),
      })
      .meta({ id: `${pascalCase(type)}SettingsInput` }),
  ]),
) as unknown as Record<QuestionType, z.ZodObject>;

function optionalWhereDefault(shape: SettingsShape): SettingsShape {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const inner = schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : (schema as z.ZodType);
      const isOptional = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional;
      if (!isOptional) return [name, inner];
      const { description } = schema as z.ZodType;
      return [name, description === undefined ? inner.nullish() : inner.nullish().describe(description)];
    }),
  );
}

type QuestionUnion<Shape extends z.core.$ZodLooseShape, Settings extends Record<QuestionType, z.ZodType>> = {
  [T in QuestionType]: z.ZodObject<
    Shape & { question_type: z.ZodLiteral<T>; question_settings: Settings[T] },
    z.core.$strict
  >;
}[QuestionType];

const hiddenSettings = z
  .strictObject({ hidden: z.literal(true) })
  .meta({ id: 'HiddenSettings', description: 'A hidden question, which respondents never see' });

/**
 * A question in a reply, discriminated by `question_type`. `name` is the suffix of each schema name: `MatrixQuestion`. `forRespondents`:
 * a hidden question has no other settings.
 */
export function questionUnion<Shape extends z.core.$ZodLooseShape>(
  name: string,
  shape: Shape,
  { forRespondents = false, example }: { forRespondents?: boolean; example?: unknown } = {},
) {
  const members = QUESTION_TYPES.map((type) =>
    z
      .strictObject({
        ...shape,
        question_type: z.literal(type),
        question_settings: forRespondents ? z.union([settingsOf[type], hiddenSettings]) : settingsOf[type],
      })
      .meta({ id: `${pascalCase(type)}${name}` }),
  );
  return z.discriminatedUnion('question_type', members as [never]).meta({
    id: name,
    ...(example !== undefined && { examples: [example] }),
  }) as unknown as z.ZodDiscriminatedUnion<
    [QuestionUnion<Shape, typeof questionSettingsSchemas>],
    'question_type'
  >;
}

/** A question in a request that creates it, for the API document; the settings depend on the type. */
export function questionInputUnion(name: string, shape: z.core.$ZodLooseShape) {
  const members = QUESTION_TYPES.map((type) => {
    const settings = settingsInputOf[type];
    const isRequired = Object.values(settings.shape).some((field) => !(field instanceof z.ZodOptional));
    return z
      .strictObject({
        ...shape,
        question_type: z.literal(type),
        question_settings: isRequired ? settings : settings.nullish(),
      })
      .meta({ id: `${name}Of${pascalCase(type)}` });
  });
  return z.discriminatedUnion('question_type', members as [never]).meta({ id: name });
}

/** Settings in an update, where the question type may be omitted. */
export const questionSettingsChanges = z
  .union(
    QUESTION_TYPES.map((type) =>
      settingsInputOf[type].partial().meta({ id: `${pascalCase(type)}SettingsChanges` }),
    ),
  )
  .meta({ id: 'QuestionSettingsChanges' });
