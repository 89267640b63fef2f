import { z } from 'zod';
import { idNumber } from '../../http/paging.ts';
import { events } from '../../http/reply.ts';
import { narrowedQuery } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { onTalk } from './chat-guards.ts';
import { chatEventSchema } from './chat-reply.ts';

const MESSAGE_CHARACTERS = 8_000;

export const chatRoute = defineRoute({
  method: 'post',
  path: '/api/ai/chat',
  operationId: 'chat',
  summary: 'Ask a question',
  description: [
    'Server-sent events: `start`, then `delta` with the next words and `figures` with what was looked up, at the end `done` with usage, ' +
      'credits and all figures that the answer rests on, or `error`. The data of each is one line of JSON; a comment every 15 seconds keeps the ' +
      'connection alive.',
    'Without `session_id` a session is made, which `start` names. About no survey, the answer is which surveys there are. A session is about ' +
      'one survey: a session without one takes that of the message. One answer at a time is made in a session (409 `answer_under_way`).',
    'With a language model configured, it answers, and asks for figures through functions that are bound to this survey and to what the caller ' +
      'may see. Without one the built-in chat looks up figures and says them in words, in English; it reads questions in English, German, ' +
      'Spanish, French, Portuguese and Russian. It answers only where it uses every word of content: of "What share of women are under 30?" it says ' +
      'that it did not understand "under 30", what it understood, and the nearest questions that work. `start` names the engine.',
    'Answers are plain text: HTML, images and addresses in what a model says are removed, and of links their text stays. A number that no ' +
      'figure of the answer has is followed by `[unsupported]`, and listed in `unsupported_numbers`.',
    'A client that leaves stops the answer where it is; what it took until then is paid. To go on with a stream that broke, or ended without `done` or `error` (the server stops), send the same request ' +
      'with the header `Last-Event-ID`, the id of the last event that came (`<message_id>-<n>`): what came after it is sent, and the answer goes on. ' +
      'An id that is none is 400, one of another’s answer 404; events are kept for a day (410 then).',
  ].join('\n\n'),
  access: onTalk,
  query: narrowedQuery,
  body: z.strictObject({
    message: z
      .string()
      .max(MESSAGE_CHARACTERS)
      .refine((text) => text.trim() !== '', 'must say something'),
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
  reply: events(chatEventSchema),
  replyExample: { text: 'The mean of Q4 is 3.4' },
  idempotent: false,
  errors: {
    402: 'Too few credits: nothing was begun',
    409: 'An answer is being made in the session, or the session is full',
    410: 'The events of the answer are kept no more',
    502: 'The language model failed',
    503: 'The language model cannot be reached',
  },
  async handler({ services, scope, body, request }) {
    const talk = { scope, message: body.message, signal: request.signal };
    const said =
      request.lastEventId === null
        ? await services.chat.ask(talk)
        : await services.chat.resume(talk, request.lastEventId);
    return { events: said as AsyncIterable<{ event: string; id: string; data: never }> };
  },
});
