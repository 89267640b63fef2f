import type { Database } from '../db/connect.ts';
import { queryCount, queryRow } from '../db/rows.ts';
import { requireRow } from '../lib/require-value.ts';
import { countRows } from './list-queries.ts';
import type { ChatEventTable, ChatMessageTable, ChatSessionTable } from './tables/results.ts';
import { qualifyColumns } from './tables/table.ts';

/** The user of a chat session. Other users never see it. */
export interface ChatOwner {
  organizationId: number;
  userId: number;
}

const COLUMNS = [
  'session_id',
  'survey_id',
  'created_at',
  'last_message_at',
] as const satisfies readonly (keyof ChatSessionTable)[];

/** survey_id is null until the first message that names a survey. */
export type ChatSessionRow = Pick<ChatSessionTable, (typeof COLUMNS)[number]>;

export interface ListedChatSessionRow extends ChatSessionRow {
  survey_name: string | null;
  message_count: number;
  /** The first 200 characters of the first message; null: the session has no messages. */
  first_message: string | null;
  /** Time of the last message in microseconds, by which the list is sorted. */
  sort_key: number;
}

interface ListPart {
  /** The last item of the previous page. */
  after: { sortKey: number; sessionId: string } | null;
  skip: number;
  limit: number;
}

const SORT_KEY = '(extract(epoch FROM chat_sessions.last_message_at) * 1000000)::bigint';

export const CHAT_ROLES = [
  'user',
  'assistant',
] as const satisfies readonly ChatMessageTable['message_role'][];

export const CHAT_STATES = [
  'answering',
  'complete',
  'stopped',
  'failed',
] as const satisfies readonly ChatMessageTable['message_state'][];

type ChatState = ChatMessageTable['message_state'];

/** Content and figures of an answer in progress: as far as it was generated. */
export type ChatMessageRow = Pick<
  ChatMessageTable,
  'message_id' | 'message_role' | 'content' | 'figures' | 'message_state' | 'created_at'
>;

/** An answer with its question. */
export type ChatAnswerRow = Pick<
  ChatMessageTable,
  'message_id' | 'session_id' | 'message_state' | 'figures' | 'planned_content'
> &
  Pick<ChatSessionTable, 'survey_id'> & {
    /** A worker generates it, or did until a moment ago. */
    is_alive: boolean;
    is_last: boolean;
    question: string;
    /** The text that was generated so far. */
    content: string;
    last_event: number;
  };

const EVENT_COLUMNS = ['event_number', 'event_name', 'data'] as const;

/** An event of the stream of an answer. */
export type ChatEvent = Pick<ChatEventTable, (typeof EVENT_COLUMNS)[number]>;

/** True for messages with an open credit reservation, or with one that ended a moment ago while the final state is being written. */
const ALIVE = `EXISTS (
  SELECT 1 FROM credit_reservations r
  LEFT JOIN credit_ledger l ON l.reservation_id = r.reservation_id AND l.entry_kind IN ('settlement', 'release')
  WHERE r.reservation_id = chat_messages.reservation_id AND (
    (r.reservation_state = 'open' AND r.lease_until > clock_timestamp()) OR l.created_at > clock_timestamp() - interval '10 seconds'))`;

const CONTENT = `(SELECT coalesce(string_agg(e.data->>'text', '' ORDER BY e.event_number), '') FROM chat_events e
  WHERE e.message_id = chat_messages.message_id AND e.event_name = 'delta')`;

const FIGURES = `(SELECT coalesce(jsonb_agg(f.figure ORDER BY e.event_number, f.index), '[]') FROM chat_events e,
  jsonb_array_elements(e.data->'figures') WITH ORDINALITY AS f (figure, index)
  WHERE e.message_id = chat_messages.message_id AND e.event_name = 'figures')`;

/** Chat sessions about surveys, their messages, and the events of their answers. */
export class ChatSessionRepository {
  constructor(private readonly db: Database) {}

  async create(
    { organizationId, userId }: ChatOwner,
    sessionId: string,
    surveyId: number | null,
  ): Promise<ChatSessionRow> {
    const rows = await this.db('chat_sessions')
      .insert({
        session_id: sessionId,
        organization_id: organizationId,
        user_id: userId,
        survey_id: surveyId,
      })
      .returning(COLUMNS);
    return requireRow(rows, 'chat_sessions');
  }

  async find(owner: ChatOwner, sessionId: string): Promise<ChatSessionRow | null> {
    const row = await this.queryOwnSession(owner, sessionId).first(...COLUMNS);
    return row ?? null;
  }

  /** As find; locks the session until the transaction ends, so that no other transaction adds messages. */
  async lock(owner: ChatOwner, sessionId: string): Promise<ChatSessionRow | null> {
    const row = await this.queryOwnSession(owner, sessionId)
      .first(...COLUMNS)
      .forUpdate();
    return row ?? null;
  }

  /** Records a new message. A session without survey gets this survey. */
  async recordMessage(sessionId: string, surveyId: number | null): Promise<void> {
    await this.db('chat_sessions')
      .where({ session_id: sessionId })
      .update({
        last_message_at: this.db.raw('clock_timestamp()'),
        survey_id: this.db.raw('coalesce(survey_id, ?)', [surveyId]),
      });
  }

  /** Last message first, one more than `limit` if there are more. Only sessions without survey and sessions about surveys of these workspaces. */
  async listByUser(
    owner: ChatOwner,
    workspaceIds: readonly number[],
    { after, skip, limit }: ListPart,
  ): Promise<ListedChatSessionRow[]> {
    const messages = 'FROM chat_messages WHERE chat_messages.session_id = chat_sessions.session_id';
    const query = this.queryReadableSessions(owner, workspaceIds)
      .leftJoin('surveys', 'surveys.survey_id', 'chat_sessions.survey_id')
      .select<ListedChatSessionRow[]>(
        ...qualifyColumns('chat_sessions', COLUMNS),
        ...qualifyColumns('surveys', ['survey_name']),
        this.db.raw(`${SORT_KEY} AS sort_key`),
        this.db.raw(`(SELECT count(*) ${messages}) AS message_count`),
        this.db.raw(`(SELECT left(content, 200) ${messages} ORDER BY message_id LIMIT 1) AS first_message`),
      )
      .orderByRaw(`${SORT_KEY} DESC, chat_sessions.session_id DESC`)
      .offset(skip)
      .limit(limit + 1);
    if (after !== null)
      void query.whereRaw(`(${SORT_KEY}, chat_sessions.session_id) < (?, ?::uuid)`, [
        after.sortKey,
        after.sessionId,
      ]);
    return query;
  }

  async countByUser(owner: ChatOwner, workspaceIds: readonly number[]): Promise<number> {
    return countRows(this.queryReadableSessions(owner, workspaceIds));
  }

  async remove(owner: ChatOwner, sessionId: string): Promise<boolean> {
    return (await this.queryOwnSession(owner, sessionId).delete()) > 0;
  }

  private queryOwnSession({ organizationId, userId }: ChatOwner, sessionId: string) {
    return this.db('chat_sessions').where({
      organization_id: organizationId,
      user_id: userId,
      session_id: sessionId,
    });
  }

  private queryReadableSessions({ organizationId, userId }: ChatOwner, workspaceIds: readonly number[]) {
    const readable = this.db('surveys as s')
      .where('s.survey_id', this.db.ref('chat_sessions.survey_id'))
      .whereNot('s.survey_status', 0)
      .whereRaw('s.workspace_id = ANY(?::bigint[])', [[...workspaceIds]]);
    return this.db('chat_sessions')
      .where('chat_sessions.organization_id', organizationId)
      .where('chat_sessions.user_id', userId)
      .where((aboutReadable) => {
        void aboutReadable.whereNull('chat_sessions.survey_id').orWhereExists(readable);
      });
  }

  /** Returns the last messages, oldest first. */
  async findLastMessage(sessionId: string, limit: number): Promise<ChatMessageRow[]> {
    const rows = await this.db('chat_messages')
      .select<ChatMessageRow[]>(
        'message_id',
        'message_role',
        'message_state',
        'created_at',
        this.db.raw(`CASE WHEN message_state = 'answering' THEN ${CONTENT} ELSE content END AS content`),
        this.db.raw(`CASE WHEN message_state = 'answering' THEN ${FIGURES} ELSE figures END AS figures`),
      )
      .where({ session_id: sessionId })
      .orderBy('message_id', 'desc')
      .limit(limit);
    return rows.reverse();
  }

  async countMessages(sessionId: string): Promise<number> {
    return countRows(this.db('chat_messages').where({ session_id: sessionId }));
  }

  async createMessages(
    sessionId: string,
    message:
      | { role: 'user'; content: string }
      | { role: 'assistant'; engine: string; model: string; reservationId: number },
  ): Promise<number> {
    const rows = await this.db('chat_messages')
      .insert(
        message.role === 'user'
          ? {
              session_id: sessionId,
              message_role: 'user',
              content: message.content,
              message_state: 'complete',
            }
          : {
              session_id: sessionId,
              message_role: 'assistant',
              content: '',
              message_state: 'answering',
              engine: message.engine,
              model: message.model,
              reservation_id: message.reservationId,
            },
      )
      .returning('message_id');
    return requireRow(rows, 'chat_messages').message_id;
  }

  /** Whether an answer is being generated in the session. Marks answers of crashed processes as stopped first. */
  async isAnswering(sessionId: string): Promise<boolean> {
    await this.queryAbandonedReplies()
      .where({ session_id: sessionId })
      .update({ message_state: 'stopped', ...this.selectGeneratedContent() });
    const row = await this.db('chat_messages')
      .where({ session_id: sessionId, message_state: 'answering' })
      .first('message_id');
    return row !== undefined;
  }

  /** Finds an answer in a session of this user. */
  findAnswer({ organizationId, userId }: ChatOwner, messageId: number): Promise<ChatAnswerRow | null> {
    // Raw SQL: most columns are correlated subqueries.
    return queryRow(
      this.db,
      `SELECT chat_messages.message_id, chat_messages.session_id, c.survey_id, chat_messages.message_state, chat_messages.planned_content,
         ${ALIVE} AS is_alive, ${CONTENT} AS content, ${FIGURES} AS figures,
         NOT EXISTS (SELECT 1 FROM chat_messages n WHERE n.session_id = chat_messages.session_id
           AND n.message_id > chat_messages.message_id) AS is_last,
         (SELECT q.content FROM chat_messages q WHERE q.session_id = chat_messages.session_id
           AND q.message_id < chat_messages.message_id AND q.message_role = 'user' ORDER BY q.message_id DESC LIMIT 1) AS question,
         (SELECT coalesce(max(e.event_number), 0) FROM chat_events e WHERE e.message_id = chat_messages.message_id) AS last_event
       FROM chat_messages JOIN chat_sessions c ON c.session_id = chat_messages.session_id
       WHERE c.organization_id = ? AND c.user_id = ? AND chat_messages.message_id = ? AND chat_messages.message_role = 'assistant'`,
      [organizationId, userId, messageId],
    );
  }

  /** Resumes a stopped answer with a new credit reservation. Returns false if another worker generates it or it has ended. */
  async takeOver(messageId: number, reservationId: number): Promise<boolean> {
    const updated = await this.db('chat_messages')
      .where({ message_id: messageId })
      .whereRaw(`(message_state = 'stopped' OR (message_state = 'answering' AND NOT ${ALIVE}))`)
      .update({ message_state: 'answering', reservation_id: reservationId });
    return updated > 0;
  }

  /** Does nothing if the answer has ended or was erased. */
  async savePlannedContent(messageId: number, content: string): Promise<void> {
    await this.db('chat_messages')
      .where({ message_id: messageId, message_state: 'answering' })
      .update({ planned_content: content });
  }

  /** Stores events. Returns false if the message is deleted or has another reservation by now. */
  async insertEvents(
    messageId: number,
    reservationId: number,
    events: readonly ChatEvent[],
  ): Promise<boolean> {
    // Raw SQL: inserts from a query. The lock waits for a deletion or an erasure in progress, after which there is no such message.
    const inserted = await queryCount(
      this.db,
      `INSERT INTO chat_events (message_id, event_number, event_name, data)
       SELECT m.message_id, number, name, data::jsonb
       FROM chat_messages m, unnest(?::int[], ?::text[], ?::text[]) AS e (number, name, data)
       WHERE m.message_id = ? AND m.reservation_id = ?
       FOR SHARE OF m`,
      [
        events.map(({ event_number: number }) => number),
        events.map(({ event_name: name }) => name),
        events.map(({ data }) => JSON.stringify(data)),
        messageId,
        reservationId,
      ],
    );
    return inserted > 0;
  }

  /** Returns the state of an answer; null: it is deleted. */
  async findProgress(messageId: number): Promise<Pick<ChatAnswerRow, 'message_state' | 'is_alive'> | null> {
    const row = await this.db('chat_messages')
      .where({ message_id: messageId })
      .first<Pick<ChatAnswerRow, 'message_state' | 'is_alive'> | undefined>(
        'message_state',
        this.db.raw(`${ALIVE} AS is_alive`),
      );
    return row ?? null;
  }

  listEventsAfter(messageId: number, number: number, limit: number): Promise<ChatEvent[]> {
    return this.db('chat_events')
      .select(...EVENT_COLUMNS)
      .where({ message_id: messageId })
      .where('event_number', '>', number)
      .orderBy('event_number')
      .limit(limit);
  }

  /** Marks the message as no longer generated after its credits are settled, and returns its text and figures; null when the message has another reservation by now. */
  async endAnswer(
    messageId: number,
    reservationId: number,
    state: Exclude<ChatState, 'answering'>,
  ): Promise<Pick<ChatMessageTable, 'content' | 'figures'> | null> {
    const used = (column: 'input_tokens' | 'output_tokens' | 'credits') =>
      `coalesce((SELECT u.${column} FROM credit_usage u WHERE u.reservation_id = chat_messages.reservation_id), 0)`;
    const [row] = await this.db('chat_messages')
      .where({ message_id: messageId, reservation_id: reservationId, message_state: 'answering' })
      .update({
        message_state: state,
        ...this.selectGeneratedContent(),
        input_tokens: this.db.raw(`input_tokens + ${used('input_tokens')}`),
        output_tokens: this.db.raw(`output_tokens + ${used('output_tokens')}`),
        credits_used: this.db.raw(`credits_used + ${used('credits')}`),
      })
      .returning(['content', 'figures']);
    return row ?? null;
  }

  /** Marks answers of crashed processes as stopped, in all sessions. Examines at most `limit` answers; returns how many it marked. */
  endAbandonedAnswers(limit: number): Promise<number> {
    return this.queryAbandonedReplies()
      .whereIn(
        'message_id',
        this.db('chat_messages')
          .select('message_id')
          .where({ message_state: 'answering' })
          .orderBy('message_id')
          .limit(limit),
      )
      .update({ message_state: 'stopped', ...this.selectGeneratedContent() });
  }

  /** Deletes old events of answers that have ended, at most `limit`: no client resumes those streams. Returns how many. */
  deleteOldEvents(olderThanHours: number, limit: number): Promise<number> {
    return this.db('chat_events')
      .whereIn(
        ['message_id', 'event_number'],
        this.db('chat_events')
          .join('chat_messages', 'chat_messages.message_id', 'chat_events.message_id')
          .select('chat_events.message_id', 'chat_events.event_number')
          .whereRaw(`chat_events.created_at < now() - ? * interval '1 hour'`, [olderThanHours])
          .whereNot('chat_messages.message_state', 'answering')
          .orderBy('chat_events.created_at')
          .limit(limit),
      )
      .delete();
  }

  private queryAbandonedReplies() {
    return this.db('chat_messages').where({ message_state: 'answering' }).whereRaw(`NOT ${ALIVE}`);
  }

  /** Content and figures as its events have them. */
  private selectGeneratedContent() {
    return { content: this.db.raw(CONTENT), figures: this.db.raw(FIGURES) };
  }
}
