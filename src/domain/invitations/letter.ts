import type { Spoken } from './invitation-words.ts';

export type LetterPart =
  { kind: 'text'; text: string } | { kind: 'link'; text: string; url: string } | { kind: 'line_end' };

/** The way into the survey; where the author put it, or at the end. */
export type LetterBlock = { kind: 'paragraph'; parts: LetterPart[] } | { kind: 'button' };

/** What one person is written, before it is text or markup. Everything in it is plain text. */
export interface Letter {
  /** One line. */
  subject: string;
  blocks: LetterBlock[];
  surveyUrl: string;
  unsubscribeUrl: string;
  organization: string;
  spoken: Spoken;
}
