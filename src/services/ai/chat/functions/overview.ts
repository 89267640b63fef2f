import { z } from 'zod';
import { shortenText } from '../../../../domain/chat/reply-texts.ts';
import { questionsOf } from '../../../../domain/survey/definition.ts';
import { withDataLabels } from '../../../../domain/survey/logic/piping.ts';
import { chatFunction } from './chat-function.ts';

const MAX_QUESTIONS = 60;
const MAX_OPTIONS = 15;

export const listQuestions = chatFunction({
  name: 'list_questions',
  description: 'The questions of this survey with their codes, types, texts and options.',
  parameters: z.strictObject({}),
  async run({ datasets }, scope) {
    const { definition } = await datasets.open(scope.surveyId, () => []);
    const all = questionsOf(withDataLabels(definition));
    const questions = all.slice(0, MAX_QUESTIONS).map(({ code, type, text, options }) => ({
      question_code: code,
      question_type: type,
      question_text: shortenText(text, 140),
      options: options
        .filter(({ retired }) => !retired)
        .slice(0, MAX_OPTIONS)
        .map(({ label }) => shortenText(label, 60)),
    }));
    return {
      function: 'list_questions',
      arguments: {},
      base: null,
      counted: null,
      result: { questions, total: all.length },
    };
  },
});

export const getResponseCounts = chatFunction({
  name: 'get_response_counts',
  description:
    'How many responses there are: in all, complete, partial and screened out, without test responses, which are counted beside them, and how many were confirmed to be of low quality (figures leave those out).',
  parameters: z.strictObject({}),
  async run({ figures }, scope) {
    const { counted, ...result } = await figures.countResponses(scope, { filter: undefined });
    return { function: 'get_response_counts', arguments: {}, base: result.total, counted, result };
  },
});
