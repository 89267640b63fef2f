import { z } from 'zod';
import { questionsOf } from '../../domain/survey/definition.ts';
import { idNumber, idText } from '../../http/paging.ts';
import { documentedAs } from '../../http/openapi.ts';
import { data, empty, list } from '../../http/reply.ts';
import { onSurvey } from '../guards.ts';
import { questionInputUnion } from '../question-schemas.ts';
import { defineRoute } from '../define-route.ts';
import { includeRetired, narrowedQuery, readOnly } from '../in-workspace.ts';
import { presentQuestion, questionSchema, whole } from './question-reply.ts';
import { optionalQuestionFields, position, questionText, questionType } from './question-input.ts';
import { settingsText } from './settings-text.ts';

const ofSurvey = z.strictObject({ surveyId: idText });
const ofQuestion = z.strictObject({ surveyId: idText, questionId: idText });

const SETTINGS =
  `${settingsText()} Texts can hold \`{{Q1}}\` (the label of what was answered), \`{{Q1:code}}\`, \`{{hidden.name}}\`, ` +
  '`{{attribute.name}}` and `{{respondent.name}}`, each with a default for no value: `{{hidden.name|friend}}`. Outside the survey (grid, ' +
  'figures, charts, reports, files, chat) a question is called by its `report_label`, where it has one, else by its text, in which `{{Q1}}` ' +
  'is the label of that question in brackets, such as `[How do you travel?]`, and `{{hidden.name}}` is `[name]`.';

const LOGIC =
  'Conditions also take the short form `{"Q1":["1","2"]}`, question ids and labels of options; a skip can name its target as ' +
  '`target_question` (a code) or `target_page` (a number, from 1). What is stored and returned has codes, option_values and `target_id`.';

const newQuestionFields = {
  page_id: idNumber,
  position: position.describe(
    'Its place on the page, from 1; those after it move back by one. Default: the end',
  ),
  question_text: questionText,
  ...optionalQuestionFields,
};

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
      'On the page `page_id`, at its end or at `position`. An option is a label, or an object; its option_value defaults to the label, its ' +
      'option_code is the value where all values are integers, else its place. A matrix without `question_settings.rows` has its `options` as ' +
      'rows (row_code: the option_value, where that is a code, else r1, r2, …) and five degrees of agreement as columns (1 Strongly disagree ' +
      'to 5 Strongly agree); with rows, `options` are the columns. A question with `logic.carry_forward` and without `options` has the options ' +
      'of the question that it names, with their codes, values, labels and translations; they follow that question until it gets options of ' +
      `its own, and each published version keeps those of its day. ${LOGIC} ${SETTINGS}`,
    access: onSurvey('edit'),
    params: ofSurvey,
    query: narrowedQuery,
    body: documentedAs(
      z.strictObject({
        question_type: questionType,
        ...newQuestionFields,
      }),
      questionInputUnion('NewQuestion', newQuestionFields),
    ),
    examples: {
      single_choice: {
        page_id: 1,
        question_type: 'single_choice',
        question_code: 'Q1',
        question_text: 'What is your gender?',
        question_required: true,
        options: [
          { option_label: 'Female', option_value: 'female' },
          { option_label: 'Male', option_value: 'male' },
          { option_label: 'Non-binary', option_value: 'non_binary' },
        ],
      },
      number: {
        page_id: 1,
        question_type: 'number',
        question_code: 'Q2',
        question_text: 'How old are you?',
        question_required: true,
        question_settings: { min: 16, max: 99, suffix: 'years' },
      },
      multiple_choice: {
        page_id: 2,
        question_type: 'multiple_choice',
        question_code: 'Q3',
        question_text: 'Which of these did you drink at work in the last seven days?',
        question_settings: { shuffle: 'random' },
        options: [
          { option_label: 'Coffee', option_value: 'coffee' },
          { option_label: 'Tea', option_value: 'tea' },
          { option_label: 'Water', option_value: 'water' },
          {
            option_label: 'None of these',
            option_value: 'none',
            option_exclusive: true,
            option_anchor: true,
          },
        ],
      },
      scale: {
        page_id: 2,
        question_type: 'scale',
        question_code: 'Q4',
        question_text: 'How satisfied are you with the coffee at work?',
        question_settings: {
          min: 1,
          max: 5,
          min_label: 'Not at all satisfied',
          max_label: 'Very satisfied',
          logic: { display: { left: { code: 'Q3' }, operator: 'includes_any', right: ['coffee'] } },
        },
      },
      matrix: {
        page_id: 2,
        question_type: 'matrix',
        question_code: 'Q5',
        question_text: 'How do you rate the coffee at work?',
        question_settings: {
          rows: [
            { row_code: 'taste', row_label: 'Taste' },
            { row_code: 'price', row_label: 'Price' },
            { row_code: 'choice', row_label: 'Choice' },
          ],
        },
        options: [
          { option_label: 'Bad', option_value: 1 },
          { option_label: 'Fair', option_value: 2 },
          { option_label: 'Good', option_value: 3 },
        ],
      },
      nps: {
        page_id: 2,
        question_type: 'nps',
        question_code: 'Q6',
        question_text: 'How likely are you to recommend the coffee at work to a colleague?',
      },
      text: {
        page_id: 2,
        question_type: 'text',
        question_code: 'Q7',
        question_text: 'What would make the coffee better?',
        question_settings: { multiline: true, max_length: 1000 },
      },
      dropdown: {
        page_id: 1,
        question_type: 'dropdown',
        question_code: 'Q8',
        question_text: 'In which region do you work?',
        options: [
          { option_label: 'North', option_value: 'north' },
          { option_label: 'South', option_value: 'south' },
        ],
      },
      ranking: {
        page_id: 2,
        question_type: 'ranking',
        question_code: 'Q9',
        question_text: 'What matters most to you?',
        question_settings: { max_ranked: 3 },
        options: [
          { option_label: 'Taste', option_value: 'taste' },
          { option_label: 'Price', option_value: 'price' },
          { option_label: 'Speed', option_value: 'speed' },
        ],
      },
      date: {
        page_id: 2,
        question_type: 'date',
        question_code: 'Q10',
        question_text: 'When did you start in your job?',
        question_settings: { precision: 'month' },
      },
      slider: {
        page_id: 2,
        question_type: 'slider',
        question_code: 'Q11',
        question_text: 'What share of your coffee do you drink at work?',
        question_settings: { min: 0, max: 100, step: 5 },
      },
      file_upload: {
        page_id: 2,
        question_type: 'file_upload',
        question_code: 'Q12',
        question_text: 'A photo of your coffee machine',
        question_settings: { allowed_extensions: ['jpg', 'png'] },
      },
    },
    reply: data(questionSchema),
    status: 201,
    errors: { 409: 'The question_code is taken, or the survey is full (2,000 questions)' },
    handler: async ({ services, scope, body }) =>
      presentQuestion(
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
      'Takes exactly the ids of all questions of the survey (retired ones left out). Each stays on its page; within a page they follow this order.',
    access: onSurvey('edit'),
    params: ofSurvey,
    query: narrowedQuery,
    body: z.strictObject({ question_ids: z.array(idNumber).max(5_000) }),
    example: {
      question_ids: [1, 2, 8, 3, 4, 5, 6, 7, 9, 10, 11, 12],
    },
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
      '`page_id` moves the question to another page, to its end or to `position`; `position` alone moves it on its page. Once it was published or responses exist, its code, type, option values and ' +
      'matrix rows are fixed (409), and options that go are retired. `retired: false` asks a retired question again. ' +
      `${LOGIC} ${SETTINGS}`,
    access: onSurvey('edit'),
    params: ofQuestion,
    query: narrowedQuery,
    body: z.strictObject({
      page_id: idNumber.optional(),
      position: position.describe('Its place on the page, from 1; those after it move back by one'),
      question_type: questionType.optional(),
      question_text: questionText.optional(),
      ...optionalQuestionFields,
      question_id: readOnly,
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
    reply: data(questionSchema),
    errors: { 409: 'The question_code is taken, data fix what would change, or the question is retired' },
    handler: async ({ services, scope, params, body }) =>
      presentQuestion(
        await services.questions.update(scope, params.questionId, {
          pageId: body.page_id,
          position: body.position,
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
