import type { WorkspaceScope } from '../../../domain/access/scopes.ts';
import { invitationHtml, invitationText } from '../../../providers/mail/invitation-email.ts';
import type { KeptMailRow } from '../../../repositories/outbox.ts';
import type { Store } from '../../../repositories/store.ts';
import type { Letters } from './letters.ts';

export interface KeptMail {
  row: KeptMailRow;
  subject: string;
  text: string;
  html: string;
  surveyUrl: string;
  unsubscribeUrl: string;
}

/** Mails that would have been sent, had there been a mail server: made when they are read, as their person is now. */
export class OutboxService {
  private readonly store: Store;
  private readonly letters: Letters;

  constructor(store: Store, letters: Letters) {
    this.store = store;
    this.letters = letters;
  }

  list(
    scope: WorkspaceScope,
    search: { surveyId: number | null; email: string | null },
    part: { beforeId: number | null; skip: number; limit: number },
  ): Promise<{ found: KeptMailRow[]; total: number }> {
    return this.store.read.outbox.list(scope, search, part);
  }

  written(row: KeptMailRow): KeptMail {
    const letter = this.letters.letter(row, row);
    const { subject, surveyUrl, unsubscribeUrl } = letter;
    return {
      row,
      subject,
      text: invitationText(letter),
      html: invitationHtml(letter),
      surveyUrl,
      unsubscribeUrl,
    };
  }
}
