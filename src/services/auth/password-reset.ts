import type { Caller, Origin } from '../../domain/access/caller.ts';
import { ACTIVE, PENDING } from '../../domain/access/users.ts';
import type { Clock } from '../../lib/clock.ts';
import { conflict, gone, invalid, notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { requireValue } from '../../lib/require-value.ts';
import { mailHtml, mailText } from '../../providers/mail/mail-content.ts';
import type { MailSender } from '../../providers/mail/mail-sender.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { LoginRow } from '../../repositories/users.ts';
import { lockUser } from '../users/users.ts';
import type { AccountMails } from './account-mails.ts';
import { createOneTimeToken, useOneTimeToken } from './one-time-tokens.ts';
import { type PasswordConfirmation, type PasswordHasher, refuseCommonPassword } from './passwords.ts';
import { endEverySession } from './sessions.ts';

export const PASSWORD_RESET_JOB = 'password-reset';

const LIFETIME_SECONDS = 60 * 60;
/** Maximum number of valid links per user. */
const MAX_LIVE = 3;

/** Resets forgotten passwords through a link by email, valid once within an hour. */
export class PasswordResetService {
  private readonly store: Store;
  private readonly passwords: PasswordHasher;
  private readonly confirmation: PasswordConfirmation;
  /** null: email is not configured. */
  private readonly mail: MailSender | null;
  private readonly accountMails: AccountMails;
  private readonly baseUrl: string;
  private readonly clock: Clock;
  private readonly ids: Ids;

  constructor(dependencies: {
    store: Store;
    passwords: PasswordHasher;
    confirmation: PasswordConfirmation;
    mail: MailSender | null;
    accountMails: AccountMails;
    baseUrl: string;
    clock: Clock;
    ids: Ids;
  }) {
    this.store = dependencies.store;
    this.passwords = dependencies.passwords;
    this.confirmation = dependencies.confirmation;
    this.mail = dependencies.mail;
    this.accountMails = dependencies.accountMails;
    this.baseUrl = dependencies.baseUrl;
    this.clock = dependencies.clock;
    this.ids = dependencies.ids;
  }

  /**
   * Enqueues the email. A job looks up the account, so that neither the reply nor its time reveals whether it
   * exists.
   */
  async request(email: string, requestId: string): Promise<{ delivery: 'smtp' | 'none' }> {
    if (this.mail === null) return { delivery: 'none' };
    await this.enqueue(this.store.read, { email }, requestId);
    return { delivery: 'smtp' };
  }

  /**
   * Sends a link to another user, on behalf of an administrator who confirms it with their own password; the link sets nothing until its
   * owner uses it. Without a mail server the administrator gets the link and hands it over.
   */
  async requestFor(
    { by, userId }: { by: Caller; userId: number },
    currentPassword: string,
  ): Promise<{ delivery: 'smtp' | 'none'; resetUrl: string | null }> {
    if (userId === by.userId) throw invalid('id', 'is your own user; use PUT /api/users/:id/change-password');
    if ((await this.store.read.users.findById(by.organizationId, userId)) === null) throw notFound('user');
    const confirmed = await this.confirmation.confirm(by, currentPassword);
    return this.store.transaction(async (repositories) => {
      const user = await lockUser(repositories, by, userId);
      await this.confirmation.lockConfirmed(repositories, confirmed);
      if (user.user_status !== ACTIVE)
        throw conflict('illegal_transition', 'Only an active user can get a link to set a password');
      await repositories.audit.record({
        by,
        action: 'user.password_link_requested',
        objectType: 'user',
        objectId: userId,
        details: { delivery: this.mail === null ? 'none' : 'smtp' },
      });
      if (this.mail === null) {
        const token = await this.createToken(repositories, user, false);
        return { delivery: 'none', resetUrl: `${this.baseUrl}/reset#${token}` };
      }
      await this.enqueue(repositories, { user_id: userId }, by.origin.requestId);
      await this.accountMails.enqueue(repositories, by.origin.requestId, {
        mail: 'password_link_requested',
        user_id: userId,
        by: confirmed.user_name,
      });
      return { delivery: 'smtp', resetUrl: null };
    });
  }

  /**
   * Sends the email, called by the job. If the owner of the address is known, only their account gets a link, whichever other
   * organizations use the address; otherwise each account gets one. Sends nothing for an unknown address or a user with enough valid links.
   */
  async send(request: { email: string } | { user_id: number }): Promise<void> {
    if (this.mail === null) return;
    for (const user of await this.findRecipients(request)) await this.sendTo(this.mail, user);
  }

  private async findRecipients(request: { email: string } | { user_id: number }): Promise<LoginRow[]> {
    const { users } = this.store.read;
    if ('user_id' in request) {
      const user = await users.findByOneTimeLink(request);
      return user?.user_status === ACTIVE ? [user] : [];
    }
    const accounts = (await users.findForLogin(request.email)).filter(
      ({ user_status: status }) => status !== PENDING,
    );
    const [first] = accounts;
    const isProved = first?.email_confirmed_by === 'mail' || first?.email_confirmed_by === 'operator';
    return (isProved ? [first] : accounts).filter(({ user_status: status }) => status === ACTIVE);
  }

  private async sendTo(mail: MailSender, user: LoginRow): Promise<void> {
    const token = await this.store.transaction(async (repositories) => {
      const { users, audit } = repositories;
      // Locked, so that the limit holds and the link goes only to the user's current address.
      const now = await users.lock(user.organization_id, user.user_id);
      if (now?.user_status !== ACTIVE || now.user_email !== user.user_email) return null;
      await users.removeExpiredPasswordResets();
      if ((await users.countLivePasswordResets(user.user_id, 'reset')) >= MAX_LIVE) return null;
      const created = await this.createToken(repositories, now, true);
      await audit.record({
        by: { organizationId: user.organization_id, userId: null },
        action: 'user.password_reset_sent',
        objectType: 'user',
        objectId: user.user_id,
      });
      return created;
    });
    if (token === null) return;
    const content = {
      title: 'Set a new password',
      paragraphs: [
        `Hello ${user.user_name},`,
        `We received a request to set a new password for your account at ${user.organization_name}. The link works once and expires after one hour.`,
      ],
      button: { label: 'Set a new password', url: `${this.baseUrl}/reset#${token}` },
      footnote: 'If you did not request this, ignore this email. Your password stays the same.',
    };
    await mail.send({
      to: { name: user.user_name, address: user.user_email },
      subject: 'Set a new password',
      text: mailText(content),
      html: mailHtml(content),
    });
  }

  /**
   * Sets the new password, ends every session and other reset link of the user, and revokes their API keys unless
   * `revokeApiKeys` is false. A link that was mailed to the address confirms it, unless another organization's user has proved that it is
   * theirs. Throws 410 for an unknown, used or expired link, and 400 for a common password, which does not use the link up.
   */
  async reset(
    { token, newPassword, revokeApiKeys }: { token: string; newPassword: string; revokeApiKeys: boolean },
    from: Pick<Origin, 'requestId' | 'address'>,
  ): Promise<void> {
    const passwordHash = await this.passwords.hash(newPassword);
    await this.store.transaction(async (repositories) => {
      const { users, apiKeys, audit } = repositories;
      const used = await useOneTimeToken(repositories, 'reset', token);
      if (used === null)
        throw gone('reset_link_over', 'This link was used or has expired; request a new one');
      const { user_id: userId, organization_id: organizationId } = used;
      const user = requireValue(await users.findById(organizationId, userId), 'user of the link');
      refuseCommonPassword('new_password', newPassword, { name: user.user_name, email: user.user_email });
      await users.setPassword(userId, passwordHash);
      await endEverySession(repositories, userId);
      const revoked = revokeApiKeys ? await apiKeys.revokeAll(userId) : 0;
      if (used.is_mailed && !(await users.isAddressProvedElsewhere(organizationId, user.user_email)))
        await users.confirmEmail(userId, 'mail');
      await audit.record({
        by: { organizationId, userId, origin: { credential: null, credentialId: null, ...from } },
        action: 'user.password_reset',
        objectType: 'user',
        objectId: userId,
        details: { revoked_api_keys: revoked },
      });
      await this.accountMails.enqueue(repositories, from.requestId, {
        mail: 'password_changed',
        user_id: userId,
        at: this.clock.now().toISOString(),
      });
    });
  }

  private createToken(
    repositories: Pick<Repositories, 'users'>,
    user: { user_id: number; token_version: number },
    isMailed: boolean,
  ): Promise<string> {
    return createOneTimeToken(repositories, this.ids, {
      purpose: 'reset',
      isMailed,
      userId: user.user_id,
      tokenVersion: user.token_version,
      lifetimeSeconds: LIFETIME_SECONDS,
    });
  }

  private async enqueue(
    { jobs }: Pick<Repositories, 'jobs'>,
    payload: { email: string } | { user_id: number },
    requestId: string,
  ): Promise<void> {
    await jobs.enqueue({
      organizationId: null,
      userId: null,
      surveyId: null,
      kind: PASSWORD_RESET_JOB,
      payload,
      requestId,
    });
  }
}
