import { z } from 'zod';
import { ENGINES } from '../../domain/credits/credits.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { findUnsupportedNumbers } from '../../domain/chat/number-support.ts';
import { memberOn } from '../../http/access.ts';
import { decodeCursor, idNumber, pagingQuery, parsePage, toListPage } from '../../http/paging.ts';
import { dataReply, emptyReply, eventsReply, listReply } from '../../http/reply.ts';
import { invalidCursor } from '../../lib/error-messages.ts';
import { jsonObject } from '../../lib/json-value.ts';
import {
  CHAT_ROLES,
  CHAT_STATES,
  type ChatMessageRow,
  type ChatSessionRow,
  type ListedChatSessionRow,
} from '../../repositories/chat-sessions.ts';
import type { Services } from '../../services/services.ts';
import { defineRoute } from '../define-route.ts';
import { requireAiAccess, surveyQuery } from '../guards.ts';
import { inclusionCountsSchema } from '../selection-query.ts';

/** Requires AI access; sessions are private to the caller. */
const onChat = memberOn('AI access', ({ caller }: { caller: Caller }) => requireAiAccess(caller));

/** Access to the session in the path: it belongs to the caller, who can still view its survey. */
const onChatSession = memberOn(
  'chat session: own; its survey: view; AI access',
  ({ services, caller, params }: { services: Services; caller: Caller; params: { uuid: string } }) => {
    requireAiAccess(caller);
    return services.chatSessions.resolveScope(caller, params.uuid);
  },
);

interface ChatTurnContext {
  services: Services;
  caller: Caller;
  query: { workspace_id?: number | undefined };
  body: { session_id?: string | undefined; survey_id?: number | undefined };
}

/** Access to the session and the survey in the body, both optional. */
const onChatTurn = memberOn(
  'survey: view (if given); chat session: own (if given); AI access',
  ({ services, caller, query, body }: ChatTurnContext) => {
    requireAiAccess(caller);
    return services.chatSessions.resolveTurnScope(caller, { ...body, ...query });
  },
);

const figureSchema = z
  .strictObject({
    function: z.string().describe('Name of the function that looked up the statistic'),
    arguments: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    base: z
      .int()
      .nullable()
      .describe('Number of responses in the base; null: the function does not count responses'),
    counted: inclusionCountsSchema
      .nullable()
      .describe(
        'Counted and excluded responses; null: the function does not count responses, or the message was stored by an older ' +
          'version',
      ),
    result: jsonObject.describe('Result of the function, as the engine received it'),
  })
  .meta({ id: 'ChatFigure' });

const unsupportedSchema = z
  .array(z.string())
  .describe(
    'Numbers in the text that are not in the statistics of the answer; each is followed by `[unsupported]`',
  );

const messageSchema = z
  .strictObject({
    message_id: z.int(),
    role: z.enum(CHAT_ROLES),
    content: z.string().describe('Text of the message; for an unfinished or stopped answer, the text so far'),
    figures: z.array(figureSchema).describe('For an answer: the statistics that it is based on'),
    unsupported_numbers: unsupportedSchema,
    state: z.enum(CHAT_STATES),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ChatMessage' });

const session = {
  session_id: z.uuid(),
  survey_id: z.int().nullable().describe('null: no survey has been chosen yet'),
  created_at: z.iso.datetime(),
  last_message_at: z.iso.datetime(),
};

const sessionSchema = z
  .strictObject({ ...session, messages: z.array(messageSchema) })
  .meta({ id: 'ChatSession' });

const listedSessionSchema = z
  .strictObject({
    ...session,
    survey_name: z.string().nullable(),
    message_count: z.int().nonnegative(),
    first_message: z.string().nullable().describe('Beginning of the first message, at most 200 characters'),
  })
  .meta({ id: 'ListedChatSession' });

const count = z.int().nonnegative();

/** The data of each event, one form per event name. */
const chatEventSchema = z.union([
  z
    .strictObject({
      session_id: z.uuid(),
      message_id: z.int(),
      engine: z.enum(ENGINES),
      model: z.string(),
    })
    .meta({ id: 'ChatStartEvent', description: 'Event `start`' }),
  z
    .strictObject({ text: z.string() })
    .meta({ id: 'ChatDeltaEvent', description: 'Event `delta`: the next part of the text' }),
  z
    .strictObject({ figures: z.array(figureSchema) })
    .meta({ id: 'ChatFiguresEvent', description: 'Event `figures`: statistics that were looked up' }),
  z
    .strictObject({
      session_id: z.uuid(),
      message_id: z.int(),
      usage: z.strictObject({ input_tokens: count, output_tokens: count }),
      credits_used: count,
      credits_remaining: count,
      figures: z.array(figureSchema).describe('All statistics that the answer is based on'),
      unsupported_numbers: unsupportedSchema,
    })
    .meta({ id: 'ChatDoneEvent', description: 'Event `done`: the last event of a complete answer' }),
  z
    .strictObject({ message: z.string(), code: z.string() })
    .meta({ id: 'ChatErrorEvent', description: 'Event `error`: the last event of a failed answer' }),
]);

const presentCommon = ({ session_id, survey_id, created_at, last_message_at }: ChatSessionRow) => ({
  session_id,
  survey_id,
  created_at: created_at.toISOString(),
  last_message_at: last_message_at.toISOString(),
});

const presentSession = (
  row: ChatSessionRow,
  messages: readonly ChatMessageRow[],
): z.input<typeof sessionSchema> => ({
  ...presentCommon(row),
  messages: messages.map((message) => ({
    message_id: message.message_id,
    role: message.message_role,
    content: message.content,
    figures: message.figures.map(({ function: name, arguments: given, base, counted, result }) => {
      return { function: name, arguments: given, base, counted: counted ?? null, result: { ...result } };
    }),
    unsupported_numbers: message.message_role === 'assistant' ? findUnsupportedNumbers(message.content) : [],
    state: message.message_state,
    created_at: message.created_at.toISOString(),
  })),
});

const presentListedSession = (row: ListedChatSessionRow): z.input<typeof listedSessionSchema> => ({
  ...presentCommon(row),
  survey_name: row.survey_name,
  message_count: row.message_count,
  first_message: row.first_message,
});

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

const DEFAULT_LIMIT = 100;
const params = z.strictObject({
  uuid: z
    .uuid('must be the session_id of a chat session')
    .transform((id) => id.toLowerCase())
    .meta({ override: { type: 'string', format: 'uuid' } }),
});

const cursorSchema = z.tuple([z.int(), z.uuid()]);

function decodeSessionCursor(cursor: string) {
  let read: unknown = null;
  try {
    read = JSON.parse(decodeCursor(cursor));
  } catch {
    // Rejected below.
  }
  const position = cursorSchema.safeParse(read);
  if (!position.success) throw invalidCursor();
  const [sortKey, sessionId] = position.data;
  return { sortKey, sessionId };
}

const sessionPosition = ({ sort_key, session_id }: ListedChatSessionRow): string =>
  JSON.stringify([sort_key, session_id]);

export const chatSessionRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/ai/sessions',
    operationId: 'createChatSession',
    summary: 'Create a chat session',
    description:
      'Creates a private session of the caller. Without a survey, the session uses the survey of the first message that has one.',
    access: onChatTurn,
    query: surveyQuery,
    body: z.strictObject({ survey_id: idNumber.optional() }),
    example: {
      survey_id: 1,
    },
    reply: dataReply(sessionSchema),
    status: 201,
    async handler({ services, caller, scope }) {
      const { organizationId, userId } = caller;
      const surveyId = scope.survey?.surveyId ?? null;
      return presentSession(await services.chatSessions.create({ organizationId, userId }, surveyId), []);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/ai/sessions',
    operationId: 'listChatSessions',
    summary: 'List your chat sessions',
    description:
      'Returns the last used session first, without sessions about surveys that you can no longer view.',
    access: onChat,
    query: z.strictObject({
      ...pagingQuery,
      limit: pagingQuery.limit.describe(`Maximum number of items, at most 1000. Default: ${DEFAULT_LIMIT}`),
    }),
    reply: listReply(listedSessionSchema),
    async handler({ services, caller, query }) {
      const part = parsePage(query, decodeSessionCursor, DEFAULT_LIMIT);
      const { found, total } = await services.chatSessions.list(caller, part);
      return toListPage({
        found,
        limit: part.limit,
        total,
        positionOf: sessionPosition,
        present: presentListedSession,
      });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/ai/sessions/:uuid',
    operationId: 'getChatSession',
    summary: 'Get a chat session',
    description:
      'Returns the session with its messages. Every answer includes the statistics that it is based on.',
    access: onChatSession,
    params,
    reply: dataReply(sessionSchema),
    async handler({ services, scope }) {
      return presentSession(scope.session, await services.chatSessions.listMessages(scope));
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/ai/sessions/:uuid',
    operationId: 'deleteChatSession',
    summary: 'Delete a chat session',
    description: 'Deletes the session with its messages. Its credits remain in the usage report.',
    access: onChatSession,
    params,
    reply: emptyReply,
    handler: ({ services, scope }) => services.chatSessions.remove(scope),
  }),
];
