import { z } from 'zod';
import { type Question, questionsOf } from '../../domain/survey/definition.ts';
import { dataReply, emptyReply, listReply, withReply } from '../../http/reply.ts';
import { pageLogicInput, questionInputUnion, questionSettingsChanges } from '../question-schemas.ts';
import { QUESTION_TYPES, questionSettingsSchemas, typeOf } from '../../domain/questions/registry.ts';
import { optionInputsSchema } from '../../domain/questions/option-input.ts';
import { questionTranslations } from '../../domain/questions/question-translations.ts';
import { confirmedTranslationsSchema } from '../../domain/survey/translations/translation-sources.ts';
import { withDocumentedSchema } from '../../http/openapi.ts';
import { etagHeaders, ifMatch } from '../../http/object-versions.ts';
import { idNumber, idParam } from '../../http/paging.ts';
import { findSimilar, mustBe, unknownValue } from '../../lib/error-messages.ts';
import { notFound } from '../../lib/errors.ts';
import { jsonObject } from '../../lib/json-value.ts';
import type { ContentQuestion } from '../../services/surveys/survey-content.ts';
import { defineRoute } from '../define-route.ts';
import { includeRetired, onSurvey, readOnly, surveyQuery } from '../guards.ts';
import { questionSchema, type Shown, presentQuestion, unpagedList } from './question-replies.ts';

const MAX_POSITION = 5_000;

/** `"single"` is part of `single_choice`, `"rankin"` is one letter away from `ranking`. */
function questionTypeError(input: unknown): string {
  const accepted = QUESTION_TYPES.join(', ');
  if (typeof input !== 'string' || input === '') return mustBe(`one of ${accepted}`, input);
  const partOf = QUESTION_TYPES.filter((type) => type.split('_').includes(input.toLowerCase()));
  const similar = [...findSimilar(input, QUESTION_TYPES), ...partOf].slice(0, 1);
  return unknownValue(input, 'a question type', { similar, accepted });
}

const questionType = z.enum(QUESTION_TYPES, { error: ({ input }) => questionTypeError(input) });
const questionText = z.string().min(1, 'is required').max(10_000);

/** The service validates the settings by question type; translations have the same shape for all types. */
const settingsInput = z.looseObject({ translations: questionTranslations.nullish() });

const optionalQuestionFields = {
  question_code: z
    .string()
    .min(1)
    .max(48)
    .optional()
    .describe(
      'Letters, digits and underscores; unique in the survey, ignoring case. Default: the next free Q<n>',
    ),
  question_required: z.boolean().optional(),
  question_settings: withDocumentedSchema(settingsInput, questionSettingsChanges)
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
  page_logic: withDocumentedSchema(jsonObject, pageLogicInput)
    .nullish()
    .describe(
      'When the page is shown, and which page follows it. The first matching rule applies; only later pages can follow',
    ),
};

const fields = { question_text: questionText, ...optionalQuestionFields };

/** A question in the body that creates its survey. */
export const contentQuestionSchema = withDocumentedSchema(
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

type Shape = Record<string, z.core.$ZodType>;

/** Set by data file imports for exports to write back; not documented as a setting. */
const UNDOCUMENTED_SETTING = 'variable';

/** A setting with its values and its default: `` `max` (default 5) ``, `` `shuffle` (none, random) ``. */
function describeSetting(name: string, schema: z.core.$ZodType, defaultValue?: unknown): string {
  if (schema instanceof z.ZodDefault)
    return describeSetting(name, schema.def.innerType, schema.def.defaultValue);
  if (schema instanceof z.ZodNullable) return describeSetting(name, schema.def.innerType, defaultValue);
  if (schema instanceof z.ZodEnum) return `\`${name}\` (${schema.options.join(', ')})`;
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject)
    return `\`${name}\` (list of {${Object.keys(schema.element.shape).join(', ')}})`;
  return typeof defaultValue === 'number' ? `\`${name}\` (default ${defaultValue})` : `\`${name}\``;
}

/** Markdown list of the settings of every question type, read from the schemas: common settings first, then a line per type. */
function describeQuestionSettings(): string {
  const shapes = QUESTION_TYPES.map((type) => ({
    type,
    shape: questionSettingsSchemas[type].shape,
  }));
  const isCommon = (name: string) => shapes.every(({ shape }) => name in shape);
  const list = (shape: Shape, wanted: (name: string) => boolean) =>
    Object.entries(shape)
      .filter(([name]) => wanted(name))
      .map(([name, schema]) => describeSetting(name, schema))
      .join(', ');
  const common = list(shapes[0]?.shape ?? {}, (name) => isCommon(name) && name !== UNDOCUMENTED_SETTING);
  const byType = shapes.map(({ type, shape }) => `- **${type}**: ${list(shape, (name) => !isCommon(name))}`);
  return [
    '**Settings by type**\n',
    `- **all types**: ${common}`,
    ...byType,
    '\nThe columns of a matrix are its options. `measure` defaults to nominal, for a matrix to ordinal (it then applies to the rows of ' +
      'matrix_type single), and can change at any time. Means, standard deviations, quantiles and tests of means are computed for ordinal ' +
      'and scale measures only.',
  ].join('\n');
}

const ofSurvey = z.strictObject({ surveyId: idParam });
const ofQuestion = z.strictObject({ surveyId: idParam, questionId: idParam });

const SETTINGS =
  `${describeQuestionSettings()}\n\n` +
  '**Piped text**: texts can contain `{{Q1}}` (the label of the answer to Q1), `{{Q1:code}}`, `{{hidden.name}}`, `{{attribute.name}}` and ' +
  '`{{respondent.name}}`, each with an optional default: `{{hidden.name|friend}}`. In the grid, charts, reports, exports and chat a question ' +
  'is shown with its `report_label`, otherwise with its text, where `{{Q1}}` becomes the label of that question in brackets, such as ' +
  '`[How do you travel?]`, and `{{hidden.name}}` becomes `[name]`.';

const LOGIC =
  '**Logic**: a condition can use the short form `{"Q1":["1","2"]}`, question ids instead of codes, and option labels instead of values. A ' +
  'skip rule can name its target as `target_question` (a question code) or `target_page` (a page number, from 1). Logic is stored and ' +
  'returned with codes, option values and `target_id`.';

/** The examples of all question types, in the order of their codes. */
function listQuestionExamples() {
  const examples = QUESTION_TYPES.map((type) => {
    const { page_id, ...question } = typeOf({ type }).example;
    return { page_id, question_type: type, ...question };
  });
  return examples.sort((a, b) => exampleNumber(a) - exampleNumber(b));
}

const exampleNumber = ({ question_code: code }: { question_code: string }): number => Number(code.slice(1));

/** The ids of the examples in the order of their pages; created in the order of their codes, they have the ids 1, 2, 3 … */
const exampleIdsByPage = (): number[] =>
  listQuestionExamples()
    .sort((a, b) => a.page_id - b.page_id)
    .map(exampleNumber);

const newQuestionFields = {
  page_id: idNumber,
  position: positionSchema.describe(
    'Position on the page, from 1; later questions move back. Default: the end',
  ),
  question_text: questionText,
  ...optionalQuestionFields,
};

const replyQuestion = (question: Question, shown?: Shown) => {
  const reply = presentQuestion(question, shown);
  return withReply(reply, { headers: etagHeaders(reply) });
};

export const questionRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/questions',
    operationId: 'listQuestions',
    summary: 'List questions',
    description: 'Returns all questions in order, without paging.',
    access: onSurvey('view'),
    params: ofSurvey,
    query: surveyQuery.extend({ include_retired: includeRetired }),
    reply: listReply(questionSchema),
    async handler({ services, scope, query }) {
      const { definition } = await services.surveys.getWithDefinition(scope);
      const shown = query.include_retired === true ? 'all' : 'live';
      return unpagedList(questionsOf(definition, shown).map((question) => presentQuestion(question, shown)));
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/previous-questions',
    operationId: 'listPreviousQuestions',
    summary: 'List questions with earlier answers',
    description:
      'Returns the questions of the survey of `survey_settings.previous_survey_id`, or of this survey if it is null, as logic and texts can use ' +
      'the answers that the respondent gave to them in an earlier response: with codes such as `previous.Q3`, and in loops for each item.',
    access: onSurvey('view'),
    params: ofSurvey,
    query: surveyQuery,
    reply: listReply(questionSchema),
    async handler({ services, scope }) {
      const questions = await services.surveys.listPreviousQuestions(scope);
      return unpagedList(questions.map((question) => presentQuestion(question)));
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/questions/:questionId',
    operationId: 'getQuestion',
    summary: 'Get a question',
    description: 'Returns the question of the draft, also a retired one.',
    access: onSurvey('view'),
    params: ofQuestion,
    query: surveyQuery.extend({ include_retired: includeRetired }),
    reply: dataReply(questionSchema),
    hasObjectVersion: true,
    async handler({ services, scope, params, query }) {
      const { definition } = await services.surveys.getWithDefinition(scope);
      const question = questionsOf(definition, 'all').find(({ id }) => id === params.questionId);
      if (question === undefined) throw notFound('question');
      return replyQuestion(question, query.include_retired === true ? 'all' : 'live');
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/questions',
    operationId: 'createQuestion',
    summary: 'Create a question',
    description:
      'Adds the question at the end of the page `page_id`, or at `position`.\n\n' +
      '**Options**\n\n' +
      '- An option is a string (its label) or an object. `option_value` defaults to the label. `option_code` defaults to the ' +
      'value if it is an integer that no option has as code, otherwise to the next free number. Figures use the value if it is a number ' +
      '("4", "0.5"), otherwise the code.\n' +
      '- A matrix without `question_settings.rows` takes its `options` as rows and gets five columns from 1 "Strongly disagree" ' +
      'to 5 "Strongly agree". `row_code` is the `option_value` if that is a valid code, otherwise r1, r2, …. With `rows`, the ' +
      'options are the columns.\n' +
      '- A question with `logic.carry_forward` and without `options` takes the codes, values, labels and translations of the ' +
      'options of the referenced question. They follow that question until this one gets its own options; a published version ' +
      'keeps them as they were.\n\n' +
      `${LOGIC}\n\n` +
      `${SETTINGS}`,
    access: onSurvey('edit'),
    params: ofSurvey,
    query: surveyQuery,
    body: withDocumentedSchema(
      z.strictObject({
        question_type: questionType,
        ...newQuestionFields,
      }),
      questionInputUnion('NewQuestion', newQuestionFields),
    ),
    examples: Object.fromEntries(listQuestionExamples().map((example) => [example.question_type, example])),
    reply: dataReply(questionSchema),
    status: 201,
    hasObjectVersion: true,
    errors: { 409: 'The `question_code` is already in use, or the survey has 2,000 questions' },
    handler: async ({ services, scope, body }) =>
      replyQuestion(
        await services.questions.create(scope, {
          pageId: body.page_id,
          position: body.position,
          type: body.question_type,
          text: body.question_text,
          code: body.question_code,
          required: body.question_required,
          settings: body.question_settings,
          options: body.options,
        }),
      ),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:surveyId/questions/reorder',
    operationId: 'reorderQuestions',
    summary: 'Reorder questions',
    description:
      'Requires the ids of all questions that are not retired. Every question stays on its page; the order applies within each page.',
    access: onSurvey('edit'),
    params: ofSurvey,
    query: surveyQuery,
    body: z.strictObject({ question_ids: z.array(idNumber).max(5_000) }),
    example: {
      question_ids: exampleIdsByPage(),
    },
    reply: listReply(questionSchema),
    handler: async ({ services, scope, body }) =>
      unpagedList(
        (await services.questions.reorder(scope, body.question_ids)).map((question) =>
          presentQuestion(question),
        ),
      ),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:surveyId/questions/:questionId',
    operationId: 'updateQuestion',
    summary: 'Update a question',
    description:
      'Omitted fields keep their values.\n\n' +
      '- `options` replaces the whole list. Existing options are matched by `option_code`, otherwise by `option_value`; options ' +
      'that are not in the list are deleted.\n' +
      '- `page_id` moves the question to another page, to its end or to `position`. `position` alone moves it within its page.\n' +
      '- Once the question was published or has responses, its code, type, option values and matrix rows cannot change (409), ' +
      'and removed options are retired.\n' +
      '- `retired: false` restores a retired question.\n\n' +
      `${LOGIC}\n\n` +
      `${SETTINGS}`,
    access: onSurvey('edit'),
    params: ofQuestion,
    query: surveyQuery,
    body: z.strictObject({
      page_id: idNumber.optional(),
      position: positionSchema.describe('Position on the page, from 1; later questions move back'),
      question_type: questionType.optional(),
      question_text: questionText.optional(),
      ...optionalQuestionFields,
      confirmed_translations: confirmedTranslationsSchema,
      question_id: readOnly,
      outdated_translations: readOnly,
      etag: readOnly,
      retired: z.boolean().optional(),
    }),
    example: {
      question_text: 'What is your gender?',
      question_settings: {
        description: 'Choose the answer that fits best.',
        translations: {
          de: {
            question_text: 'Was ist Ihr Geschlecht?',
            description: 'Wählen Sie die Antwort, die am besten passt.',
            options: { '1': 'Weiblich', '2': 'Männlich', '3': 'Nicht-binär' },
          },
        },
      },
    },
    reply: dataReply(questionSchema),
    hasObjectVersion: true,
    ifMatch: questionSchema,
    errors: {
      409: 'The `question_code` is already in use, collected data prevent the change, or the question is retired',
    },
    handler: async ({ services, scope, params, body, request }) =>
      replyQuestion(
        await services.questions.update(
          scope,
          params.questionId,
          {
            pageId: body.page_id,
            position: body.position,
            type: body.question_type,
            text: body.question_text,
            code: body.question_code,
            required: body.question_required,
            settings: body.question_settings,
            options: body.options,
            retired: body.retired,
            confirmedTranslations: body.confirmed_translations,
          },
          ifMatch(request, presentQuestion),
        ),
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/:surveyId/questions/:questionId',
    operationId: 'deleteQuestion',
    summary: 'Delete a question',
    description:
      'A question that was published or has responses is retired instead: respondents no longer see it, but its code and data ' +
      'column remain.',
    access: onSurvey('edit'),
    params: ofQuestion,
    query: surveyQuery,
    reply: emptyReply,
    ifMatch: questionSchema,
    handler: ({ services, scope, params, request }) =>
      services.questions.delete(scope, params.questionId, ifMatch(request, presentQuestion)),
  }),
];
