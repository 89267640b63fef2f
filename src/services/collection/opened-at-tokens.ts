import type { Clock } from '../../lib/clock.ts';
import { isValidSignature, signText } from '../../lib/secrets.ts';

const PURPOSE = 'survey-opened';
const TOKEN_PATTERN = /^(\d{12,14})-([A-Za-z0-9_-]{22})$/;
/** An older page says nothing about how long answering took. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Signed times at which a survey was opened. A response is stored with the first request, but its duration starts
 * when the survey is opened. Nothing is stored.
 */
export class OpenedAtTokens {
  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
  ) {}

  create(surveyId: number): string {
    const ms = this.clock.now().getTime();
    return `${ms}-${signText(this.secret, PURPOSE, `${surveyId} ${ms}`)}`;
  }

  /** Returns the time, at most a day ago; null if the signature is invalid or of another survey. */
  verify(surveyId: number, opened: string | null): Date | null {
    const [, ms, signature] = TOKEN_PATTERN.exec(opened ?? '') ?? [];
    if (
      ms === undefined ||
      !isValidSignature(signature ?? '', { secret: this.secret, purpose: PURPOSE, text: `${surveyId} ${ms}` })
    )
      return null;
    const nowMs = this.clock.now().getTime();
    return new Date(Math.min(nowMs, Math.max(Number(ms), nowMs - MAX_AGE_MS)));
  }
}
