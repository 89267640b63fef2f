import type { LocalizedMessages } from './invitation-messages.ts';

export type EmailPart =
  { kind: 'text'; text: string } | { kind: 'link'; text: string; url: string } | { kind: 'line_end' };

/** `button`: the link to the survey, where the author placed it, or at the end. */
export type EmailBlock = { kind: 'paragraph'; parts: EmailPart[] } | { kind: 'button' };

/** The content of an invitation for one person, before rendering as text or HTML. All values are plain text. */
export interface InvitationEmail {
  /** A single line. */
  subject: string;
  blocks: EmailBlock[];
  surveyUrl: string;
  unsubscribeUrl: string;
  organization: string;
  localized: LocalizedMessages;
}
