import type { Clock } from '../../lib/clock.ts';
import { isValidSignature, sign } from '../../lib/signed-text.ts';

const PURPOSE = 'survey-opened';
const TOKEN_PATTERN = /^(\d{12,14})-([A-Za-z0-9_-]{22})$/;
/** A page that was left open for longer says nothing of how long answering took. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * When a survey was opened, in words that only this server can have said: a response begins with the first thing that is sent,
 * its time with the first question that is read. Nothing is stored.
 */
export class OpenedAtTokens {
  private readonly secret: string;
  private readonly clock: Clock;

  constructor(secret: string, clock: Clock) {
    this.secret = secret;
    this.clock = clock;
  }

  create(surveyId: number): string {
    const ms = this.clock.now().getTime();
    return `${ms}-${sign(this.secret, PURPOSE, `${surveyId} ${ms}`)}`;
  }

  /** At most a day ago. null: it is none of ours, or of another survey. */
  verify(surveyId: number, opened: string | null): Date | null {
    const [, ms, signature] = TOKEN_PATTERN.exec(opened ?? '') ?? [];
    if (ms === undefined || !isValidSignature(signature!, this.secret, PURPOSE, `${surveyId} ${ms}`))
      return null;
    const nowMs = this.clock.now().getTime();
    return new Date(Math.min(nowMs, Math.max(Number(ms), nowMs - MAX_AGE_MS)));
  }
}
