import { z } from 'zod';
import { idNumber } from '../../http/paging.ts';
import { eventsReply } from '../../http/reply.ts';
import { surveyQuery } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { onChatTurn } from './chat-guards.ts';
import { chatEventSchema } from './chat-reply.ts';

const MESSAGE_CHARACTERS = 8_000;

export const chatRoute = defineRoute({
  method: 'post',
  path: '/api/ai/chat',
  operationId: 'chat',
  summary: 'Ask a question',
  description:
    'Streams the answer as server-sent events: `start`, then `delta` (text) and `figures` (statistics that were looked up), ' +
    'and finally `done` (usage, credits and all statistics of the answer) or `error`. The data of each event is one line of ' +
    'JSON. A comment every 15 seconds keeps the connection open.\n\n' +
    '**Sessions**: without `session_id`, a session is created and returned in `start`. A session is about one survey, that of ' +
    'its first message with a survey; without a survey, the answer lists the available surveys. A session processes one ' +
    'message at a time (409 `answer_under_way`).\n\n' +
    '**Engine**: with a language model configured, it answers and looks up statistics through functions limited to this ' +
    'survey and to what the caller can view. Otherwise the built-in engine looks up statistics and describes them in English; ' +
    'it understands questions in English, German, Spanish, French, Portuguese and Russian. It answers only if it understands ' +
    'every content word; otherwise it says what it did not understand and suggests similar questions. `start` names the engine.\n\n' +
    '**Output**: answers are plain text. HTML, images and URLs from a model are removed; link texts remain. A number that is ' +
    'not in the statistics of the answer is followed by `[unsupported]` and listed in `unsupported_numbers`.\n\n' +
    '**Reconnecting**: closing the connection stops the answer; work done so far is charged. To resume an interrupted stream, ' +
    'send the same request with the header `Last-Event-ID` set to the last received id (`<message_id>-<n>`). An invalid id is ' +
    "400, an id of another user's answer 404. Events are stored for a day (then 410).",
  access: onChatTurn,
  query: surveyQuery,
  body: z.strictObject({
    message: z
      .string()
      .max(MESSAGE_CHARACTERS)
      .refine((text) => text.trim() !== '', 'must not be empty'),
    session_id: z
      .uuid('must be the session_id of a chat session')
      .transform((id) => id.toLowerCase())
      .meta({ override: { type: 'string', format: 'uuid' } })
      .optional(),
    survey_id: idNumber.optional(),
  }),
  example: {
    survey_id: 1,
    message: 'What is the mean of Q4?',
  },
  reply: eventsReply(chatEventSchema),
  replyExample: { text: 'The mean of Q4 is 3.4' },
  idempotent: false,
  errors: {
    402: 'Not enough credits; nothing was started',
    409: '`answer_under_way`: the session is processing a message; `session_full`: the session has too many messages',
    410: 'The events of the answer are no longer stored',
    502: 'The request to the language model failed',
    503: 'The language model cannot be reached',
  },
  async handler({ services, scope, body, request }) {
    const turn = { scope, message: body.message, signal: request.signal };
    const events =
      request.lastEventId === null
        ? await services.chat.ask(turn)
        : await services.chat.resume(turn, request.lastEventId);
    return { events: events as AsyncIterable<{ event: string; id: string; data: never }> };
  },
});
