import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { ChatFigure } from '../domain/chat/chat-figure.ts';
import type { ChatOwner } from './chat-sessions.ts';

export const CHAT_ROLES = ['user', 'assistant'] as const;
export const CHAT_STATES = ['answering', 'complete', 'stopped', 'failed'] as const;
type ChatState = (typeof CHAT_STATES)[number];

export interface ChatMessageRow {
  message_id: number;
  message_role: (typeof CHAT_ROLES)[number];
  /** Of an answer that is being made: as far as it was said. */
  content: string;
  figures: ChatFigure[];
  message_state: ChatState;
  created_at: Date;
}

/** An answer, with what it answers. */
export interface ChatAnswerRow {
  message_id: number;
  session_id: string;
  survey_id: number | null;
  message_state: ChatState;
  /** Somebody makes it, or made it a moment ago. */
  is_alive: boolean;
  is_last: boolean;
  question: string;
  said: string;
  figures: ChatFigure[];
  planned: string | null;
  last_event: number;
}

/** Something that was said of an answer. */
export interface ChatEvent {
  event_number: number;
  event_name: string;
  data: object;
}

/** Of messages m: credits are set aside for it, or were until a moment ago, in which its end is being written. */
const ALIVE = `EXISTS (
  SELECT 1 FROM credit_reservations r
  LEFT JOIN credit_ledger l ON l.reservation_id = r.reservation_id AND l.entry_kind IN ('settlement', 'release')
  WHERE r.reservation_id = m.reservation_id AND (
    (r.reservation_state = 'open' AND r.lease_until > clock_timestamp()) OR l.created_at > clock_timestamp() - interval '10 seconds'))`;
const SAID = `(SELECT coalesce(string_agg(e.data->>'text', '' ORDER BY e.event_number), '') FROM chat_events e
  WHERE e.message_id = m.message_id AND e.event_name = 'delta')`;
const FIGURES = `(SELECT coalesce(jsonb_agg(f.figure ORDER BY e.event_number, f.place), '[]') FROM chat_events e,
  jsonb_array_elements(e.data->'figures') WITH ORDINALITY AS f (figure, place)
  WHERE e.message_id = m.message_id AND e.event_name = 'figures')`;
/** An answer's content is what was said of it. */
const ENDED = `content = ${SAID}, figures = ${FIGURES}`;

const spent = (what: 'input_tokens' | 'output_tokens' | 'credits') =>
  `coalesce((SELECT u.${what} FROM credit_usage u WHERE u.reservation_id = m.reservation_id), 0)`;

/** What was asked and answered, and how answers were made, event by event. */
export class ChatMessageRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** In order, the last so many. */
  async last(sessionId: string, limit: number): Promise<ChatMessageRow[]> {
    const rows = await rowsOf<ChatMessageRow>(
      this.db,
      `SELECT m.message_id, m.message_role, m.message_state, m.created_at,
         CASE WHEN m.message_state = 'answering' THEN ${SAID} ELSE m.content END AS content,
         CASE WHEN m.message_state = 'answering' THEN ${FIGURES} ELSE m.figures END AS figures
       FROM chat_messages m WHERE m.session_id = ? ORDER BY m.message_id DESC LIMIT ?`,
      [sessionId, limit],
    );
    return rows.reverse();
  }

  async count(sessionId: string): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      'SELECT count(*) FROM chat_messages WHERE session_id = ?',
      [sessionId],
    );
    return row!.count;
  }

  async add(
    sessionId: string,
    message:
      | { role: 'user'; content: string }
      | { role: 'assistant'; engine: string; model: string; reservationId: number },
  ): Promise<number> {
    const answer = message.role === 'assistant' ? message : null;
    const row = await rowOf<{ message_id: number }>(
      this.db,
      `INSERT INTO chat_messages (session_id, message_role, content, message_state, engine, model, reservation_id)
       VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING message_id`,
      [
        sessionId,
        message.role,
        message.role === 'user' ? message.content : '',
        answer === null ? 'complete' : 'answering',
        answer?.engine ?? null,
        answer?.model ?? null,
        answer?.reservationId ?? null,
      ],
    );
    return row!.message_id;
  }

  /** Whether an answer is being made in the session. What was left behind by a process that died is put down as stopped. */
  async isAnswering(sessionId: string): Promise<boolean> {
    await countOf(
      this.db,
      `UPDATE chat_messages m SET message_state = 'stopped', ${ENDED}
       WHERE m.session_id = ? AND m.message_state = 'answering' AND NOT ${ALIVE}`,
      [sessionId],
    );
    const row = await rowOf<{ message_id: number }>(
      this.db,
      `SELECT message_id FROM chat_messages WHERE session_id = ? AND message_state = 'answering' LIMIT 1`,
      [sessionId],
    );
    return row !== null;
  }

  /** An answer in a session of this user. */
  answer({ organizationId, userId }: ChatOwner, messageId: number): Promise<ChatAnswerRow | null> {
    return rowOf(
      this.db,
      `SELECT m.message_id, m.session_id, c.survey_id, m.message_state, m.planned, ${ALIVE} AS is_alive, ${SAID} AS said,
         ${FIGURES} AS figures,
         NOT EXISTS (SELECT 1 FROM chat_messages n WHERE n.session_id = m.session_id AND n.message_id > m.message_id) AS is_last,
         (SELECT q.content FROM chat_messages q WHERE q.session_id = m.session_id AND q.message_id < m.message_id
          AND q.message_role = 'user' ORDER BY q.message_id DESC LIMIT 1) AS question,
         (SELECT coalesce(max(e.event_number), 0) FROM chat_events e WHERE e.message_id = m.message_id) AS last_event
       FROM chat_messages m JOIN chat_sessions c ON c.session_id = m.session_id
       WHERE c.organization_id = ? AND c.user_id = ? AND m.message_id = ? AND m.message_role = 'assistant'`,
      [organizationId, userId, messageId],
    );
  }

  /** Whoever goes on with it has set credits aside. False: somebody else makes it, or it has ended. */
  async takeOver(messageId: number, reservationId: number): Promise<boolean> {
    const taken = await countOf(
      this.db,
      `UPDATE chat_messages m SET message_state = 'answering', reservation_id = ?
       WHERE m.message_id = ? AND (m.message_state = 'stopped' OR (m.message_state = 'answering' AND NOT ${ALIVE}))`,
      [reservationId, messageId],
    );
    return taken > 0;
  }

  async plan(messageId: number, planned: string): Promise<void> {
    await countOf(this.db, 'UPDATE chat_messages SET planned = ? WHERE message_id = ?', [planned, messageId]);
  }

  /** Events with their numbers. False: it is no longer whose reservation this is, or it is gone. */
  async keep(messageId: number, reservationId: number, events: readonly ChatEvent[]): Promise<boolean> {
    const kept = await countOf(
      this.db,
      `INSERT INTO chat_events (message_id, event_number, event_name, data)
       SELECT m.message_id, number, name, data::jsonb
       FROM chat_messages m, unnest(?::int[], ?::text[], ?::text[]) AS e (number, name, data)
       WHERE m.message_id = ? AND m.reservation_id = ?`,
      [
        events.map(({ event_number: number }) => number),
        events.map(({ event_name: name }) => name),
        events.map(({ data }) => JSON.stringify(data)),
        messageId,
        reservationId,
      ],
    );
    return kept > 0;
  }

  /** How far it is. null: it is gone. */
  progress(messageId: number): Promise<Pick<ChatAnswerRow, 'message_state' | 'is_alive'> | null> {
    return rowOf(
      this.db,
      `SELECT m.message_state, ${ALIVE} AS is_alive FROM chat_messages m WHERE m.message_id = ?`,
      [messageId],
    );
  }

  eventsAfter(messageId: number, number: number, limit: number): Promise<ChatEvent[]> {
    return rowsOf(
      this.db,
      `SELECT event_number, event_name, data FROM chat_events WHERE message_id = ? AND event_number > ?
       ORDER BY event_number LIMIT ?`,
      [messageId, number, limit],
    );
  }

  /** Marks the message as no longer generated after its credits are settled, and returns its text and figures; null when the message has another reservation by now. */
  async end(
    messageId: number,
    reservationId: number,
    state: Exclude<ChatState, 'answering'>,
  ): Promise<{ content: string; figures: ChatFigure[] } | null> {
    return rowOf(
      this.db,
      `UPDATE chat_messages m SET message_state = ?, ${ENDED}, input_tokens = m.input_tokens + ${spent('input_tokens')},
         output_tokens = m.output_tokens + ${spent('output_tokens')}, credits_used = m.credits_used + ${spent('credits')}
       WHERE m.message_id = ? AND m.reservation_id = ? AND m.message_state = 'answering' RETURNING m.content, m.figures`,
      [state, messageId, reservationId],
    );
  }

  /** What processes that died left behind, wherever. */
  endAbandoned(atOnce: number): Promise<number> {
    return countOf(
      this.db,
      `UPDATE chat_messages m SET message_state = 'stopped', ${ENDED}
       WHERE m.message_id IN (SELECT message_id FROM chat_messages WHERE message_state = 'answering' ORDER BY message_id LIMIT ?)
       AND m.message_state = 'answering' AND NOT ${ALIVE}`,
      [atOnce],
    );
  }

  /** Events of answers that have ended long ago: nobody waits for the rest of those. */
  forgetEvents(olderThanHours: number, atOnce: number): Promise<number> {
    return countOf(
      this.db,
      `DELETE FROM chat_events WHERE (message_id, event_number) IN (
         SELECT e.message_id, e.event_number FROM chat_events e JOIN chat_messages m ON m.message_id = e.message_id
         WHERE e.said_at < now() - ? * interval '1 hour' AND m.message_state <> 'answering' ORDER BY e.said_at LIMIT ?)`,
      [olderThanHours, atOnce],
    );
  }
}
