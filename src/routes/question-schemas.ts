import { z } from 'zod';
import { questionLogicInput } from './logic-schemas.ts';
import { QUESTION_TYPES, questionSettingsSchemas, type QuestionType } from '../domain/questions/registry.ts';
import { questionTranslations } from '../domain/survey/questions/question-translations.ts';

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
  { forRespondents = false } = {},
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
  return z
    .discriminatedUnion('question_type', members as [never])
    .meta({ id: name }) as unknown as z.ZodDiscriminatedUnion<
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
