import type { WorkspaceScope } from '../../../domain/access/scopes.ts';
import { invitationHtml, invitationText } from '../../../providers/mail/mail-content.ts';
import type { OutboxMailRow } from '../../../repositories/mails.ts';
import type { Store } from '../../../repositories/store.ts';
import type { EmailRenderer } from './email-renderer.ts';

export interface OutboxMail {
  row: OutboxMailRow;
  subject: string;
  text: string;
  html: string;
  surveyUrl: string;
  unsubscribeUrl: string;
}

/**
 * Emails that were not sent because no mail server is configured. Rendered when read, with the respondent's current
 * data.
 */
export class OutboxService {
  constructor(
    private readonly store: Store,
    private readonly emailRenderer: EmailRenderer,
  ) {}

  list(
    scope: WorkspaceScope,
    search: { surveyId: number | null; email: string | null },
    part: { beforeId: number | null; skip: number; limit: number },
  ): Promise<{ found: OutboxMailRow[]; total: number }> {
    return this.store.read.mails.listOutbox(scope, search, part);
  }

  render(row: OutboxMailRow): OutboxMail {
    const email = this.emailRenderer.render(row, row);
    const { subject, surveyUrl, unsubscribeUrl } = email;
    return {
      row,
      subject,
      text: invitationText(email),
      html: invitationHtml(email),
      surveyUrl,
      unsubscribeUrl,
    };
  }
}
