import type { Database } from '../db/connect.ts';
import type { Notifications } from '../db/notifications.ts';
import { queryRow } from '../db/rows.ts';

export const SURVEYS_CHANNEL = 'surveys';

/** A change of a survey, as it is sent to all processes: ids and names of fields, never content. */
export interface SurveyChange {
  surveyId: number;
  /** The action of the audit log, without `survey.`. */
  kind: string;
  pageId: number | null;
  questionId: number | null;
  /** The changed fields of the survey itself. */
  fields: string[];
  /** The revision of the questionnaire after the change. */
  revision: number;
  userId: number;
  requestId: string | null;
}

export interface SignaledChange extends SurveyChange {
  userName: string;
}

/** Sends changes of surveys to all processes when the transaction commits. */
export class SurveySignalRepository {
  constructor(private readonly db: Database) {}

  async send(change: SurveyChange): Promise<void> {
    // Raw SQL: calls a function with a value of another table.
    await queryRow(
      this.db,
      `SELECT pg_notify('${SURVEYS_CHANNEL}',
         (?::jsonb || jsonb_build_object('userName', (SELECT user_name FROM users WHERE user_id = ?)))::text)`,
      [JSON.stringify(change), change.userId],
    );
  }
}

/** Receives changes of surveys from all processes. */
export class SurveySignals {
  constructor(
    private readonly notifications: Notifications,
    /** Aborts when the process stops, which ends all streams. */
    readonly closed: AbortSignal,
  ) {}

  /** Whether changes are received now. Listeners get null when this becomes true. */
  get isListening(): boolean {
    return this.notifications.isListening;
  }

  /** The listener gets null when changes may have been missed. Returns a function that removes it. */
  onChange(surveyId: number, listener: (change: SignaledChange | null) => void): () => void {
    return this.notifications.listen((text) => {
      if (text === null) return listener(null);
      const change = JSON.parse(text) as SignaledChange;
      if (change.surveyId === surveyId) listener(change);
    });
  }
}
