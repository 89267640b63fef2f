import type { Clock } from '../../lib/clock.ts';
import { isValidSignature, signText } from '../../lib/secrets.ts';

const PURPOSE = 'survey-preview';
const PREFIX = 'preview-';
const TTL_SECONDS = 24 * 60 * 60;
const FORM = /^preview-(([1-9]\d{0,15})-(\d{10,12}))-([A-Za-z0-9_-]{22})$/;

/** Tokens that open a draft for one day: `preview-<survey>-<until>-<signature>`. Nothing is stored. */
export class PreviewTokens {
  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
  ) {}

  make(surveyId: number): { token: string; expiresAt: Date } {
    const until = Math.floor(this.clock.now().getTime() / 1000) + TTL_SECONDS;
    const text = `${surveyId}-${until}`;
    return {
      token: `${PREFIX}${text}-${signText(this.secret, PURPOSE, text)}`,
      expiresAt: new Date(until * 1000),
    };
  }

  /** Returns null if the token is not a valid preview token. */
  read(token: string): { surveyId: number; expired: boolean } | null {
    const [, text, surveyId, until, signature] = FORM.exec(token) ?? [];
    if (
      text === undefined ||
      !isValidSignature(signature ?? '', { secret: this.secret, purpose: PURPOSE, text })
    )
      return null;
    return { surveyId: Number(surveyId), expired: this.clock.now().getTime() >= Number(until) * 1000 };
  }
}
