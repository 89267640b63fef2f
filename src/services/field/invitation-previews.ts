import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { Attributes } from '../../domain/respondents/attributes.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import type { MailSender } from '../../providers/mail/mail-sender.ts';
import type { Store } from '../../repositories/store.ts';
import type { PreviewTokens } from '../surveys/survey-definitions.ts';
import type { EmailRenderer } from './emails.ts';
import { checkTemplates } from './invitations.ts';

interface PreviewRequest {
  /** Empty subject or message: the default in the language of the recipient. */
  subject: string;
  message: string;
  /** Values for the variables; the name and address of the author by default. */
  recipient: {
    name: string | null | undefined;
    email: string | undefined;
    language: string | null;
    attributes: Attributes;
  };
  /** Sends the email to the author. */
  isSent: boolean;
}

interface PreviewedEmail {
  subject: string;
  text: string;
  html: string;
  /** The address that the email was sent to; null: it was not sent. */
  sentTo: string | null;
}

/** Shows authors the email of an invitation as recipients get it. Its link opens the preview of the draft. */
export class InvitationPreviewService {
  constructor(
    private readonly store: Store,
    /** null: email is not configured. */
    private readonly mail: MailSender | null,
    private readonly emailRenderer: EmailRenderer,
    private readonly previews: PreviewTokens,
  ) {}

  /** Throws 400 for invalid texts, 409 `mail_not_configured` where no email can be sent, and 502 if the mail server fails. */
  async preview(
    scope: SurveyScope,
    { subject, message, recipient, isSent }: PreviewRequest,
  ): Promise<PreviewedEmail> {
    checkTemplates([{ at: '', subject, message }]);
    const { surveys, organizations, users } = this.store.read;
    const key = `${scope.organizationId}:${scope.surveyId}`;
    const survey = (await surveys.findByKeys([key])).get(key);
    const organization = await organizations.findById(scope.organizationId);
    const author = await users.findActingUser(scope.organizationId, scope.userId);
    if (survey === undefined || organization === null || author === null) throw notFound('survey');
    if (isSent && this.mail === null)
      throw conflict('mail_not_configured', 'No mail server is configured, so no email can be sent');
    const mail = this.emailRenderer.renderMail(
      {
        subject,
        message,
        survey_name: survey.survey_name,
        survey_settings: (await surveys.findShownSettings(scope.surveyId)) ?? {},
        organization_name: organization.organization_name,
      },
      {
        link_token: `preview/${this.previews.create(scope.surveyId).token}`,
        // No respondent has this token, so the page says that the link is incomplete.
        opt_out_token: 'preview',
        respondent_email: recipient.email ?? author.user_email,
        respondent_name: recipient.name === undefined ? author.user_name : recipient.name,
        language: recipient.language,
        attributes: recipient.attributes,
      },
      '',
    );
    const { subject: title, text, html } = mail;
    const to = { name: author.user_name, address: author.user_email };
    // Without the headers of bulk email: it is one message to its author.
    if (isSent) await this.mail?.send({ to, subject: title, text, html });
    return { subject: title, text, html, sentTo: isSent ? author.user_email : null };
  }
}
