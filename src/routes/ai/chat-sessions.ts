import { z } from 'zod';
import { decodeCursor, encodeCursor, idNumber, pagingQuery } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import { invalidCursor, mutuallyExclusive } from '../../lib/error-messages.ts';
import type { ListedChatSessionRow } from '../../repositories/chat-sessions.ts';
import { surveyQuery } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { onChat, onChatSession, onChatTurn } from './chat-guards.ts';
import { listedSessionSchema, presentListedSession, presentSession, sessionSchema } from './chat-reply.ts';

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

const encodeSessionCursor = ({ sort_key, session_id }: ListedChatSessionRow): string =>
  encodeCursor(JSON.stringify([sort_key, session_id]));

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
      if (query.cursor !== undefined && query.page !== undefined) throw mutuallyExclusive('page', 'cursor');
      const limit = query.limit ?? DEFAULT_LIMIT;
      const { sessions, total, more } = await services.chatSessions.list(caller, {
        past: query.cursor === undefined ? null : decodeSessionCursor(query.cursor),
        skip: ((query.page ?? 1) - 1) * limit,
        limit,
      });
      const last = sessions.at(-1);
      const nextCursor = more && last !== undefined ? encodeSessionCursor(last) : null;
      return { items: sessions.map(presentListedSession), limit, total, nextCursor };
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
