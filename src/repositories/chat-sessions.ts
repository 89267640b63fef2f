import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';

/** Whose conversations they are: nobody else sees them. */
export interface ChatOwner {
  organizationId: number;
  userId: number;
}

export interface ChatSessionRow {
  session_id: string;
  /** null: about no survey yet. */
  survey_id: number | null;
  created_at: Date;
  last_message_at: Date;
}

export interface ListedChatSessionRow extends ChatSessionRow {
  survey_name: string | null;
  message_count: number;
  /** How it began; null: nothing was said. */
  first_message: string | null;
  /** Of the last message, in microseconds: what the list is sorted by. */
  sort_key: number;
}

interface ListPart {
  /** Of the last one of the part before. */
  past: { sortKey: number; sessionId: string } | null;
  skip: number;
  limit: number;
}

/** Binds organization, user and workspaces. */
const OF_USER = `c.organization_id = ? AND c.user_id = ? AND (c.survey_id IS NULL OR EXISTS (
  SELECT 1 FROM surveys s WHERE s.survey_id = c.survey_id AND s.survey_status <> 0 AND s.workspace_id = ANY(?::bigint[])))`;
const COLUMNS = 'c.session_id, c.survey_id, c.created_at, c.last_message_at';
const SORT_KEY = '(extract(epoch FROM c.last_message_at) * 1000000)::bigint';

/** Conversations about surveys. */
export class ChatSessionRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async create(
    { organizationId, userId }: ChatOwner,
    sessionId: string,
    surveyId: number | null,
  ): Promise<ChatSessionRow> {
    const row = await rowOf<ChatSessionRow>(
      this.db,
      `INSERT INTO chat_sessions AS c (session_id, organization_id, user_id, survey_id) VALUES (?, ?, ?, ?) RETURNING ${COLUMNS}`,
      [sessionId, organizationId, userId, surveyId],
    );
    return row!;
  }

  one({ organizationId, userId }: ChatOwner, sessionId: string): Promise<ChatSessionRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS} FROM chat_sessions c WHERE c.organization_id = ? AND c.user_id = ? AND c.session_id = ?`,
      [organizationId, userId, sessionId],
    );
  }

  /** Nobody else adds to it until the transaction ends. */
  lock({ organizationId, userId }: ChatOwner, sessionId: string): Promise<ChatSessionRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS} FROM chat_sessions c WHERE c.organization_id = ? AND c.user_id = ? AND c.session_id = ? FOR UPDATE`,
      [organizationId, userId, sessionId],
    );
  }

  /** Something was said; a session about no survey becomes one about this. */
  async touch(sessionId: string, surveyId: number | null): Promise<void> {
    await countOf(
      this.db,
      'UPDATE chat_sessions SET last_message_at = clock_timestamp(), survey_id = coalesce(survey_id, ?) WHERE session_id = ?',
      [surveyId, sessionId],
    );
  }

  /** The one that was last spoken in comes first; about what lies in these workspaces, or about nothing. */
  ofUser(
    { organizationId, userId }: ChatOwner,
    workspaceIds: readonly number[],
    { past, skip, limit }: ListPart,
  ): Promise<ListedChatSessionRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${COLUMNS}, s.survey_name, ${SORT_KEY} AS sort_key,
         (SELECT count(*) FROM chat_messages m WHERE m.session_id = c.session_id) AS message_count,
         (SELECT left(m.content, 200) FROM chat_messages m WHERE m.session_id = c.session_id ORDER BY m.message_id LIMIT 1) AS first_message
       FROM chat_sessions c LEFT JOIN surveys s ON s.survey_id = c.survey_id
       WHERE ${OF_USER} AND (?::bigint IS NULL OR (${SORT_KEY}, c.session_id) < (?, ?::uuid))
       ORDER BY ${SORT_KEY} DESC, c.session_id DESC OFFSET ? LIMIT ?`,
      [
        ...[organizationId, userId, workspaceIds],
        ...[past?.sortKey ?? null, past?.sortKey ?? null, past?.sessionId ?? null],
        ...[skip, limit],
      ],
    );
  }

  async countOfUser({ organizationId, userId }: ChatOwner, workspaceIds: readonly number[]): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM chat_sessions c WHERE ${OF_USER}`,
      [organizationId, userId, workspaceIds],
    );
    return row!.count;
  }

  async remove({ organizationId, userId }: ChatOwner, sessionId: string): Promise<boolean> {
    const removed = await countOf(
      this.db,
      'DELETE FROM chat_sessions WHERE organization_id = ? AND user_id = ? AND session_id = ?',
      [organizationId, userId, sessionId],
    );
    return removed > 0;
  }
}
