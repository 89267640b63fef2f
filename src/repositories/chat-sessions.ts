import type { Database } from '../db/connect.ts';
import { qualifyColumns } from './tables/columns.ts';
import type { ChatSessionTable } from './tables/ai.ts';

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
  past: { sortKey: number; sessionId: string } | null;
  skip: number;
  limit: number;
}

const SORT_KEY = '(extract(epoch FROM chat_sessions.last_message_at) * 1000000)::bigint';

/** Chat sessions about surveys. */
export class ChatSessionRepository {
  constructor(private readonly db: Database) {}

  async create(
    { organizationId, userId }: ChatOwner,
    sessionId: string,
    surveyId: number | null,
  ): Promise<ChatSessionRow> {
    const [row] = await this.db('chat_sessions')
      .insert({
        session_id: sessionId,
        organization_id: organizationId,
        user_id: userId,
        survey_id: surveyId,
      })
      .returning(COLUMNS);
    return row!;
  }

  async find(owner: ChatOwner, sessionId: string): Promise<ChatSessionRow | null> {
    const row = await this.one(owner, sessionId).first(...COLUMNS);
    return row ?? null;
  }

  /** As find; locks the session until the transaction ends, so that no other transaction adds messages. */
  async lock(owner: ChatOwner, sessionId: string): Promise<ChatSessionRow | null> {
    const row = await this.one(owner, sessionId)
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

  /** Last message first. Only sessions without survey and sessions about surveys of these workspaces. */
  async listByUser(
    owner: ChatOwner,
    workspaceIds: readonly number[],
    { past, skip, limit }: ListPart,
  ): Promise<ListedChatSessionRow[]> {
    const messages = 'FROM chat_messages WHERE chat_messages.session_id = chat_sessions.session_id';
    const query = this.ofUser(owner, workspaceIds)
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
      .limit(limit);
    if (past !== null)
      void query.whereRaw(`(${SORT_KEY}, chat_sessions.session_id) < (?, ?::uuid)`, [
        past.sortKey,
        past.sessionId,
      ]);
    return query;
  }

  async countByUser(owner: ChatOwner, workspaceIds: readonly number[]): Promise<number> {
    const [row] = await this.ofUser(owner, workspaceIds).count<{ count: number }[]>();
    return row!.count;
  }

  async remove(owner: ChatOwner, sessionId: string): Promise<boolean> {
    return (await this.one(owner, sessionId).delete()) > 0;
  }

  private one({ organizationId, userId }: ChatOwner, sessionId: string) {
    return this.db('chat_sessions').where({
      organization_id: organizationId,
      user_id: userId,
      session_id: sessionId,
    });
  }

  private ofUser({ organizationId, userId }: ChatOwner, workspaceIds: readonly number[]) {
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
}
