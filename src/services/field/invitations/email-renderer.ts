import {
  type InvitationEmail,
  messagesFor,
  type MessageValues,
  renderMessage,
  renderSubject,
} from '../../../domain/invitations/messages.ts';
import type { Attributes } from '../../../domain/respondents/attributes.ts';
import { surveySettingsOf } from '../../../domain/survey/settings/survey-settings.ts';
import { invitationHtml, invitationText } from '../../../providers/mail/mail-content.ts';
import type { Mail } from '../../../providers/mail/mail-sender.ts';

/**
 * The content of a campaign and its sender. An empty subject or message means the default in the recipient's
 * language.
 */
interface EmailContent {
  subject: string;
  message: string;
  survey_name: string;
  survey_settings: Record<string, unknown>;
  organization_name: string;
}

interface Recipient {
  link_token: string;
  opt_out_token: string;
  respondent_email: string;
  respondent_name: string | null;
  language: string | null;
  attributes: Attributes;
}

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
    const messages = messagesFor(to.language, surveySettingsOf(content.survey_settings).default_language);
    const surveyUrl = this.surveyUrl(to);
    const unsubscribeUrl = this.unsubscribeUrl(to);
    const values: MessageValues = {
      name: to.respondent_name,
      email: to.respondent_email,
      attributes: to.attributes,
      survey: content.survey_name,
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
      id,
      unsubscribeUrl: email.unsubscribeUrl,
    };
  }
}
