import type { LocalizedMessages } from './invitation-messages.ts';

export type EmailPart =
  { kind: 'text'; text: string } | { kind: 'link'; text: string; url: string } | { kind: 'line_end' };

/** The way into the survey; where the author put it, or at the end. */
export type EmailBlock = { kind: 'paragraph'; parts: EmailPart[] } | { kind: 'button' };

/** What one person is written, before it is text or markup. Everything in it is plain text. */
export interface InvitationEmail {
  /** One line. */
  subject: string;
  blocks: EmailBlock[];
  surveyUrl: string;
  unsubscribeUrl: string;
  organization: string;
  localized: LocalizedMessages;
}
