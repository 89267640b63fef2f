import { z } from 'zod';
import { questionsOf } from '../../domain/survey/definition.ts';
import { optionInputsSchema } from '../../domain/survey/questions/option-input.ts';
import { QUESTION_TYPES } from '../../domain/survey/questions/question-types.ts';
import { idNumber, idText } from '../../http/paging.ts';
import { documentedAs } from '../../http/openapi.ts';
import { data, empty, list } from '../../http/reply.ts';
import { onSurvey } from '../guards.ts';
import { questionInputUnion, questionSettingsChanges } from '../question-schemas.ts';
import { defineRoute } from '../route.ts';
import { includeRetired, narrowedQuery, readOnly } from '../in-workspace.ts';
import { presentQuestion, questionSchema, whole } from './question-reply.ts';
import { settingsText } from './settings-text.ts';
import { jsonObject } from '../../lib/json-value.ts';

const ofSurvey = z.strictObject({ surveyId: idText });
const ofQuestion = z.strictObject({ surveyId: idText, questionId: idText });

const type = z.enum(QUESTION_TYPES, { error: `must be one of ${QUESTION_TYPES.join(', ')}` });
const text = z.string().min(1, 'is required').max(10_000);

const optional = {
  question_code: z
    .string()
    .min(1)
    .max(48)
    .optional()
    .describe('Letters, digits and _, unique in the survey ignoring case; default: the next Q<n>'),
  question_required: z.boolean().optional(),
  question_settings: documentedAs(jsonObject, questionSettingsChanges)
    .nullish()
    .describe(
      'By type; unknown keys are refused. An absent key keeps its value, null brings back the default',
    ),
  options: optionInputsSchema.nullish(),
};

const SETTINGS =
  `${settingsText()} Texts can hold \`{{Q1}}\` (the label of what was answered), \`{{Q1:code}}\`, \`{{hidden.name}}\`, ` +
  '`{{attribute.name}}` and `{{respondent.name}}`, each with a default for no value: `{{hidden.name|friend}}`. Outside the survey (grid, ' +
  'figures, charts, reports, files, chat) a question is called by its `report_label`, where it has one, else by its text, in which `{{Q1}}` ' +
  'is the label of that question in brackets, such as `[How do you travel?]`, and `{{hidden.name}}` is `[name]`.';

export const questionRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/questions',
    operationId: 'listQuestions',
    summary: 'List questions',
    description: 'Always whole.',
    access: onSurvey('view'),
    params: ofSurvey,
    query: narrowedQuery.extend({ include_retired: includeRetired }),
    reply: list(questionSchema),
    async handler({ services, scope, query }) {
      const { definition } = await services.surveys.getWithDefinition(scope);
      const shown = query.include_retired === true ? 'all' : 'live';
      return whole(questionsOf(definition, shown).map((question) => presentQuestion(question, shown)));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/questions',
    operationId: 'createQuestion',
    summary: 'Create a question',
    description:
      'Adds the question at the end of the page. An option is a label, or an object; its option_value defaults to the label, its option_code is the value where all values are ' +
      `integers, else its place. ${SETTINGS}`,
    access: onSurvey('edit'),
    params: ofSurvey,
    query: narrowedQuery,
    body: documentedAs(
      z.strictObject({
        page_id: idNumber,
        question_type: type,
        question_text: text,
        ...optional,
      }),
      questionInputUnion('NewQuestion', { page_id: idNumber, question_text: text, ...optional }),
    ),
    reply: data(questionSchema),
    status: 201,
    errors: { 409: 'The question_code is taken, or the survey is full (2,000 questions)' },
    handler: async ({ services, scope, body }) =>
      presentQuestion(
        await services.questions.create(scope, {
          pageId: body.page_id,
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
      'Takes exactly the ids of all questions of the survey (retired ones left out). Each stays on its page; within a page they follow this order.',
    access: onSurvey('edit'),
    params: ofSurvey,
    query: narrowedQuery,
    body: z.strictObject({ question_ids: z.array(idNumber).max(5_000) }),
    reply: list(questionSchema),
    handler: async ({ services, scope, body }) =>
      whole(
        (await services.questions.reorder(scope, body.question_ids)).map((question) =>
          presentQuestion(question),
        ),
      ),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:surveyId/questions/:questionId',
    operationId: 'updateQuestion',
    summary: 'Change a question',
    description:
      'Absent fields stay. `options` is the whole list: an option is recognised by its option_code, else by its option_value; absent ones go. ' +
      '`page_id` moves the question to the end of another page. Once it was published or responses exist, its code, type, option values and ' +
      'matrix rows are fixed (409), and options that go are retired. `retired: false` asks a retired question again. ' +
      SETTINGS,
    access: onSurvey('edit'),
    params: ofQuestion,
    query: narrowedQuery,
    body: z.strictObject({
      page_id: idNumber.optional(),
      question_type: type.optional(),
      question_text: text.optional(),
      ...optional,
      question_id: readOnly,
      retired: z.boolean().optional(),
    }),
    reply: data(questionSchema),
    errors: { 409: 'The question_code is taken, data fix what would change, or the question is retired' },
    handler: async ({ services, scope, params, body }) =>
      presentQuestion(
        await services.questions.update(scope, params.questionId, {
          pageId: body.page_id,
          type: body.question_type,
          text: body.question_text,
          code: body.question_code,
          required: body.question_required,
          settings: body.question_settings,
          options: body.options,
          retired: body.retired,
        }),
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/:surveyId/questions/:questionId',
    operationId: 'deleteQuestion',
    summary: 'Delete a question',
    description:
      'Once it was published or responses exist it is retired instead: no longer asked, its column and code stay.',
    access: onSurvey('edit'),
    params: ofQuestion,
    query: narrowedQuery,
    reply: empty,
    handler: ({ services, scope, params }) => services.questions.delete(scope, params.questionId),
  }),
];
