import { z } from 'zod';
import { idParam } from '../../http/paging.ts';
import { data } from '../../http/reply.ts';
import { onSurveyWithAi } from '../guards.ts';
import { surveyQuery } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { textOperation, categoriesInput, languageInput, saveAsColumn, textBody } from './text-input.ts';
import {
  classifyReply,
  sentimentReply,
  suggestionReply,
  summaryReply,
  themesReply,
  translationReply,
} from './text-replies.ts';

const COMMON =
  'Uses credits: they are reserved first and settled afterwards; texts that were already analyzed and repeated requests are free. With more than ' +
  '2,000 new texts (20,000 with the built-in engine), or with `Prefer: respond-async`, the request becomes a job: its `result` has everything ' +
  'except single responses, its file the whole reply. If it is cancelled or the client disconnects, finished work is kept.';

const common = {
  method: 'post' as const,
  access: onSurveyWithAi('view'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  idempotent: false,
};
const errors = {
  402: 'Not enough credits left for the largest possible cost',
  422: 'Too many texts for one request',
  502: 'The reply of the language model cannot be used',
  503: 'The language model does not respond, or none is configured for this operation',
};
const savingErrors = { ...errors, 409: 'Another column has this code' };

export const textRoutes = [
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/sentiment',
    operationId: 'analyseSentiment',
    summary: 'Analyze sentiment',
    description: COMMON,
    body: z.strictObject({ ...textBody, save_as_column: saveAsColumn }),
    example: {
      question_id: 7,
      save_as_column: 'Q7_sentiment',
    },
    reply: data(sentimentReply),
    errors: savingErrors,
    ...textOperation('sentiment'),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/themes',
    operationId: 'findThemes',
    summary: 'Find themes',
    description: `Returns themes with the responses that support them. Saved as a column, each response has its best matching theme. ${COMMON}`,
    body: z.strictObject({ ...textBody, save_as_column: saveAsColumn }),
    example: {
      question_id: 7,
    },
    reply: data(themesReply),
    errors: savingErrors,
    ...textOperation('themes'),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/classify',
    operationId: 'classifyTexts',
    summary: 'Classify texts',
    description: COMMON,
    body: z.strictObject({ ...textBody, categories: categoriesInput, save_as_column: saveAsColumn }),
    example: {
      question_id: 7,
      categories: ['Taste', 'Temperature', 'Choice', 'Nothing'],
    },
    reply: data(classifyReply),
    errors: savingErrors,
    ...textOperation('classify'),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/suggest-categories',
    operationId: 'suggestCategories',
    summary: 'Suggest categories',
    description: COMMON,
    body: z.strictObject(textBody),
    example: {
      question_id: 7,
    },
    reply: data(suggestionReply),
    errors,
    ...textOperation('suggest-categories'),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/summarize',
    operationId: 'summarizeTexts',
    summary: 'Summarize texts',
    description: `Returns summary points with the responses that support them. ${COMMON}`,
    body: z.strictObject(textBody),
    example: {
      question_id: 7,
    },
    reply: data(summaryReply),
    errors,
    ...textOperation('summarize'),
  }),
  defineRoute({
    ...common,
    path: '/api/responses/:surveyId/ai/translate',
    operationId: 'translateTexts',
    summary: 'Translate texts',
    description: `Requires a language model, otherwise 503 \`ai_provider_required\`. ${COMMON}`,
    body: z.strictObject({ ...textBody, target_language: languageInput }),
    example: {
      question_id: 7,
      target_language: 'de',
    },
    reply: data(translationReply),
    errors,
    ...textOperation('translate'),
  }),
];
