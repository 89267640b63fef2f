import type { WorkspaceScope } from '../../domain/access/scopes.ts';
import {
  type InvitationEmail,
  type LocalizedMessages,
  messagesFor,
  type MessageValues,
  renderMessage,
  renderSubject,
} from '../../domain/invitations/messages.ts';
import { buttonColors } from '../../domain/survey/look.ts';
import { respondentTitle, surveySettingsOf } from '../../domain/survey/survey-settings.ts';
import { invitationHtml, invitationText } from '../../providers/mail/mail-content.ts';
import type { Mail } from '../../providers/mail/mail-sender.ts';
import type { IdPage } from '../../repositories/list-queries.ts';
import type { OutboxMailRow } from '../../repositories/mails.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { InvitedRow } from '../../repositories/respondents.ts';
import type { Store } from '../../repositories/store.ts';

/**
 * The content of a campaign and its sender. An empty subject or message means the default in the recipient's
 * language.
 */
type EmailContent = Pick<
  OutboxMailRow,
  'subject' | 'message' | 'survey_name' | 'survey_settings' | 'organization_name'
>;

type Recipient = Pick<
  OutboxMailRow,
  'link_token' | 'opt_out_token' | 'respondent_email' | 'respondent_name' | 'language' | 'attributes'
>;

/**
 * Renders the email of one recipient. Its links use the configured URL of the installation, never a request's host.
 */
export class EmailRenderer {
  constructor(private readonly baseUrl: string) {}

  surveyUrl({ link_token: token, language }: Pick<Recipient, 'link_token' | 'language'>): string {
    return `${this.baseUrl}/s/${token}${language === null ? '' : `?lang=${encodeURIComponent(language)}`}`;
  }

  unsubscribeUrl({ opt_out_token: token }: Pick<Recipient, 'opt_out_token'>): string {
    return `${this.baseUrl}/u/${token}`;
  }

  render(content: EmailContent, to: Recipient): InvitationEmail {
    const settings = surveySettingsOf(content.survey_settings);
    const messages = messagesFor(to.language, settings.default_language);
    const surveyUrl = this.surveyUrl(to);
    const unsubscribeUrl = this.unsubscribeUrl(to);
    const values: MessageValues = {
      name: to.respondent_name,
      email: to.respondent_email,
      attributes: to.attributes,
      survey: respondentTitle(content.survey_name, settings),
      link: surveyUrl,
      unsubscribe: unsubscribeUrl,
      unsubscribeLabel: messages.messages.unsubscribe,
    };
    return {
      subject: renderSubject(content.subject || messages.messages.default_subject, values),
      blocks: renderMessage(content.message || messages.messages.default_message, values),
      surveyUrl,
      unsubscribeUrl,
      organization: content.organization_name,
      button: buttonColors(settings.color),
      localized: messages,
    };
  }

  /** `id`: the Message-ID, the same for every attempt. */
  renderMail(content: EmailContent, to: Recipient, id: string): Mail {
    const email = this.render(content, to);
    return {
      to: { name: to.respondent_name ?? '', address: to.respondent_email },
      subject: email.subject,
      text: invitationText(email),
      html: invitationHtml(email),
      senderName: surveySettingsOf(content.survey_settings).sender_name,
      id,
      unsubscribeUrl: email.unsubscribeUrl,
    };
  }
}

interface OutboxMail {
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
    page: IdPage,
  ): Promise<{ found: OutboxMailRow[]; total: number }> {
    return this.store.read.mails.listOutbox(scope, search, page);
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

export interface OptOutPage {
  localized: LocalizedMessages;
  /** null: the token is unknown. */
  person: {
    organization: string;
    /** The masked address, which its owner recognizes. */
    address: string;
    isOptedOut: boolean;
  } | null;
}

const TOKEN = /^[A-Za-z0-9]{8,64}$/;

/** Opts recipients out of emails, and in again. They are identified by their token. */
export class OptOutService {
  constructor(private readonly store: Store) {}

  async open(token: string): Promise<OptOutPage> {
    const person = await findPerson(this.store.read, token);
    return person === null
      ? { localized: messagesFor(), person: null }
      : optOutPageOf(person, person.opted_out);
  }

  /** Opts the respondent and their address in the whole organization out or in. Idempotent. */
  change(token: string, isOptedOut: boolean): Promise<OptOutPage> {
    return this.store.transaction(async (repositories) => {
      const person = await findPerson(repositories, token);
      if (person === null) return { localized: messagesFor(), person: null };
      if (person.opted_out === isOptedOut) return optOutPageOf(person, isOptedOut);
      if (isOptedOut) await repositories.respondents.optOut(person);
      else await repositories.respondents.optIn(person);
      await repositories.audit.record({
        by: { organizationId: person.organization_id, userId: null },
        action: isOptedOut ? 'respondent.opted_out' : 'respondent.opted_in',
        objectType: 'respondent',
        objectId: person.respondent_id,
        details: { by: 'themselves' },
      });
      return optOutPageOf(person, isOptedOut);
    });
  }
}

const findPerson = async ({ respondents }: Repositories, token: string): Promise<InvitedRow | null> =>
  TOKEN.test(token) ? respondents.findByOptOutToken(token) : null;

function optOutPageOf(person: InvitedRow, isOptedOut: boolean): OptOutPage {
  const messages = messagesFor(person.language, surveySettingsOf(person.survey_settings).default_language);
  const address = person.respondent_email === null ? '—' : maskEmail(person.respondent_email);
  return { localized: messages, person: { organization: person.organization_name, address, isOptedOut } };
}

/** `a…@example.org`: an email may have been forwarded. */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return `${first}…${email.slice(at)}`;
}
