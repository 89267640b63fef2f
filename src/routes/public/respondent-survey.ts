import { z } from 'zod';
import {
  type Option,
  type Page,
  type Question,
  respondentDefinition,
  type SurveyDefinition,
} from '../../domain/survey/definition.ts';
import { pageLogicSchema } from '../../domain/survey/logic/logic-schema.ts';
import { respondentSettings, respondentSettingsSchema } from '../../domain/survey/survey-settings.ts';
import {
  publicLinkType,
  type ResolvedLink,
  respondentFactsFor,
} from '../../services/collection/link-resolver.ts';
import { questionUnion } from '../question-schemas.ts';

const optionSchema = z.strictObject({
  option_code: z.int(),
  option_value: z.string(),
  option_label: z.string(),
  option_image: z.string().nullable(),
  option_exclusive: z.boolean(),
  option_other: z.boolean(),
  option_anchor: z.boolean(),
});

const questionSchema = questionUnion(
  'RespondentQuestion',
  {
    question_id: z.int(),
    question_code: z.string(),
    question_text: z.string(),
    question_required: z.boolean(),
    options: z.array(optionSchema),
  },
  { forRespondents: true },
);

/** A survey as respondents see it, without settings that concern only its authors. */
export const respondentSurveySchema = z
  .strictObject({
    survey_name: z.string(),
    survey_description: z.string().nullable(),
    survey_version: z.int(),
    link_type: z.enum(['open', 'unique', 'panel']),
    respondent: z
      .strictObject({
        name: z.string().nullable(),
        attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      })
      .nullable()
      .describe('Data of the invited respondent that conditions and texts use; null in an anonymous survey'),
    is_preview: z.boolean().describe('The survey is a preview of the draft; answers are not counted'),
    survey_settings: respondentSettingsSchema,
    pages: z.array(
      z.strictObject({
        page_id: z.int(),
        page_title: z.string().nullable(),
        page_description: z.string().nullable(),
        page_logic: pageLogicSchema.nullable(),
        questions: z.array(questionSchema),
      }),
    ),
  })
  .meta({ id: 'RespondentSurvey' });

type RespondentSurvey = z.input<typeof respondentSurveySchema>;

export function presentSurvey(definition: SurveyDefinition, link: ResolvedLink): RespondentSurvey {
  return {
    survey_name: definition.name,
    survey_description: definition.description,
    survey_version: definition.version,
    link_type: publicLinkType(link),
    respondent: respondentFactsFor(link, definition),
    is_preview: link.isPreview,
    survey_settings: respondentSettings(link.settings),
    pages: respondentDefinition(definition).pages.map(presentPage),
  };
}

function presentPage(page: Page): RespondentSurvey['pages'][number] {
  return {
    page_id: page.id,
    page_title: page.title,
    page_description: page.description,
    page_logic: page.logic,
    questions: page.questions.map(presentQuestion),
  };
}

/** Of a hidden question only the code and type are sent. */
type RespondentQuestion = z.input<typeof questionSchema>;

function presentQuestion(question: Question): RespondentQuestion {
  if (question.settings.hidden) {
    return {
      question_id: question.id,
      question_code: question.code,
      question_type: question.type,
      question_text: '',
      question_required: false,
      question_settings: { hidden: true },
      options: [],
    } as unknown as RespondentQuestion;
  }
  return {
    question_id: question.id,
    question_code: question.code,
    question_type: question.type,
    question_text: question.text,
    question_required: question.required,
    question_settings: question.settings,
    options: question.options.map(presentOption),
    // The compiler cannot relate the settings to the question type here.
  } as RespondentQuestion;
}

function presentOption(option: Option): z.input<typeof optionSchema> {
  return {
    option_code: option.code,
    option_value: option.value,
    option_label: option.label,
    option_image: option.image,
    option_exclusive: option.exclusive,
    option_other: option.other,
    option_anchor: option.anchor,
  };
}

const token = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, 'is not a link token');

export const linkParams = z.strictObject({ token });

export const responseParams = z.strictObject({
  token,
  responseToken: z.string().regex(/^[A-Za-z0-9]{16,64}$/, 'is not a response token'),
});
