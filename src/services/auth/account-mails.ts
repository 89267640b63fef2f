import { z } from 'zod';
import { ACTIVE } from '../../domain/access/users.ts';
import type { Ids } from '../../lib/ids.ts';
import { type MailContent, mailHtml, mailText } from '../../providers/mail/mail-content.ts';
import type { MailSender } from '../../providers/mail/mail-sender.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { UserRow } from '../../repositories/users.ts';
import { createOneTimeToken } from './one-time-tokens.ts';

export const ACCOUNT_MAIL_JOB = 'account-mail';

const CONFIRMATION_SECONDS = 3 * 24 * 60 * 60;
/** Maximum number of valid confirmation links per user. */
const MAX_LIVE_CONFIRMATIONS = 3;

/** The payload of the job: what happened to which account. */
export const accountMailSchema = z.discriminatedUnion('mail', [
  z.object({ mail: z.literal('confirm_address'), user_id: z.int() }),
  z.object({
    mail: z.literal('new_device'),
    user_id: z.int(),
    at: z.string(),
    device: z.string().nullable(),
    address: z.string(),
  }),
  z.object({ mail: z.literal('password_changed'), user_id: z.int(), at: z.string() }),
  z.object({ mail: z.literal('password_link_requested'), user_id: z.int(), by: z.string() }),
  z.object({
    mail: z.literal('address_changed'),
    user_id: z.int(),
    former: z.string(),
    changed_to: z.string(),
    /** Which of the two addresses gets this email. */
    to: z.string(),
  }),
  z.object({ mail: z.literal('api_key_created'), user_id: z.int(), name: z.string(), start: z.string() }),
]);
type AccountMail = z.output<typeof accountMailSchema>;

/** Emails to the owner of an account: what happened to it, and links that confirm its address. */
export class AccountMails {
  constructor(
    private readonly store: Store,
    /** null: email is not configured; nothing is sent. */
    private readonly mail: MailSender | null,
    private readonly baseUrl: string,
    private readonly ids: Ids,
  ) {}

  get isConfigured(): boolean {
    return this.mail !== null;
  }

  /** Enqueues emails with the transaction of what they report. */
  async enqueue(
    { jobs }: Pick<Repositories, 'jobs'>,
    requestId: string,
    ...mails: AccountMail[]
  ): Promise<void> {
    if (this.mail === null) return;
    for (const payload of mails)
      await jobs.enqueue({
        organizationId: null,
        userId: null,
        surveyId: null,
        kind: ACCOUNT_MAIL_JOB,
        payload,
        requestId,
      });
  }

  /** Sends an email; called by the job. Sends nothing if the user was deleted, or an address to confirm is confirmed by mail already. */
  async send(notice: AccountMail): Promise<void> {
    const user = await this.store.read.users.findByOneTimeLink(notice);
    if (this.mail === null || user === null || user.user_status === 0) return;
    const content =
      notice.mail === 'confirm_address'
        ? await this.confirmationContent(user)
        : this.noticeContent(user, notice);
    if (content === null) return;
    await this.mail.send({
      to: { name: user.user_name, address: notice.mail === 'address_changed' ? notice.to : user.user_email },
      subject: content.title,
      text: mailText(content),
      html: mailHtml(content),
    });
  }

  private async confirmationContent(
    user: UserRow & { organization_name: string },
  ): Promise<MailContent | null> {
    const token = await this.store.transaction(async ({ users, audit }) => {
      const now = await users.lock(user.organization_id, user.user_id);
      if (now?.user_status !== ACTIVE || now.user_email !== user.user_email) return null;
      if (now.email_confirmed_by === 'mail') return null;
      await users.removeExpiredPasswordResets();
      if ((await users.countLivePasswordResets(user.user_id, 'confirm')) >= MAX_LIVE_CONFIRMATIONS)
        return null;
      await audit.record({
        by: { organizationId: user.organization_id, userId: null },
        action: 'user.address_confirmation_sent',
        objectType: 'user',
        objectId: user.user_id,
      });
      return createOneTimeToken({ users }, this.ids, {
        purpose: 'confirm',
        isMailed: true,
        userId: user.user_id,
        tokenVersion: now.token_version,
        lifetimeSeconds: CONFIRMATION_SECONDS,
      });
    });
    if (token === null) return null;
    return {
      title: 'Confirm your email address',
      paragraphs: [
        `Hello ${user.user_name},`,
        `You have an account at ${user.organization_name} with this email address. Confirm that the address is yours. The link works once and expires after three days.`,
      ],
      button: { label: 'Confirm address', url: `${this.baseUrl}/confirm#${token}` },
      footnote: `If you do not know ${user.organization_name}, ignore this email.`,
    };
  }

  private noticeContent(
    user: UserRow & { organization_name: string },
    notice: Exclude<AccountMail, { mail: 'confirm_address' }>,
  ): MailContent {
    const { title, what } = describeNotice(notice, user.organization_name);
    return {
      title,
      paragraphs: [`Hello ${user.user_name},`, ...what],
      button: { label: 'Check your account', url: `${this.baseUrl}/settings/security` },
      footnote:
        'If this was you, you need not do anything. If not, set a new password and tell an administrator of your organization.',
    };
  }
}

function describeNotice(
  notice: Exclude<AccountMail, { mail: 'confirm_address' }>,
  organization: string,
): { title: string; what: string[] } {
  switch (notice.mail) {
    case 'new_device':
      return {
        title: 'New sign-in to your account',
        what: [
          `Someone signed in to your account at ${organization} on a device that you have not used before.`,
          `Time: ${notice.at}. Network address: ${notice.address}. Device: ${notice.device ?? 'unknown'}.`,
        ],
      };
    case 'password_changed':
      return {
        title: 'Your password was changed',
        what: [
          `The password of your account at ${organization} was changed at ${notice.at}. All other sessions have ended.`,
        ],
      };
    case 'password_link_requested':
      return {
        title: 'An administrator sent you a password link',
        what: [
          `${notice.by} requested a link to set a new password for your account at ${organization}. Your password stays the same until you use the link.`,
        ],
      };
    case 'address_changed':
      return {
        title: 'Your email address was changed',
        what: [
          `The email address of your account at ${organization} was changed from ${notice.former} to ${notice.changed_to}. You sign in with the new address.`,
        ],
      };
    case 'api_key_created':
      return {
        title: 'An API key was created for your account',
        what: [
          `The API key “${notice.name}” (${notice.start}…) was created for your account at ${organization}. It has all your permissions.`,
        ],
      };
  }
}
