import { createHash } from 'node:crypto';
import type { Origin } from '../../domain/access/caller.ts';
import { gone } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { mailHtml, mailText } from '../../providers/mail/mail-content.ts';
import type { MailSender } from '../../providers/mail/mail-sender.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { endEverySession } from './sessions.ts';
import type { PasswordHasher } from './passwords.ts';

export const PASSWORD_RESET_JOB = 'password-reset';

const TOKEN_CHARACTERS = 43;
const LIFETIME_SECONDS = 60 * 60;
/** Maximum number of valid links per user. */
const MAX_LIVE = 3;
const ACTIVE = 1;

/** What a link may be used for: a link of one kind does not work as the other. */
type LinkPurpose = 'reset' | 'sign-in';

const hashToken = (purpose: LinkPurpose, token: string): string =>
  createHash('sha256').update(`${purpose} ${token}`).digest('hex');

/** Creates a link for this user that works once, and returns its token; only a hash of it is stored. */
export async function createOneTimeToken(
  { users }: Pick<Repositories, 'users'>,
  ids: Ids,
  {
    purpose,
    ...link
  }: { purpose: LinkPurpose; userId: number; tokenVersion: number; lifetimeSeconds: number },
): Promise<string> {
  const token = ids.token(TOKEN_CHARACTERS);
  await users.createPasswordReset({ ...link, tokenHash: hashToken(purpose, token) });
  return token;
}

/**
 * Uses a one-time link up. Returns null if it does not work. Locks the user before the link, in the same order as changes to users, which
 * invalidate links.
 */
export async function useOneTimeToken(
  { users }: Pick<Repositories, 'users'>,
  purpose: LinkPurpose,
  token: string,
) {
  const tokenHash = hashToken(purpose, token);
  const owner = await users.findPasswordResetOwner(tokenHash);
  if (owner === null || (await users.lock(owner.organization_id, owner.user_id)) === null) return null;
  return users.usePasswordReset(tokenHash);
}

/** Resets forgotten passwords through a link by email, valid once within an hour. */
export class PasswordResetService {
  constructor(
    private readonly store: Store,
    private readonly passwords: PasswordHasher /** null: email is not configured. */,
    private readonly mail: MailSender | null,
    private readonly baseUrl: string,
    private readonly ids: Ids,
  ) {}

  /**
   * Enqueues the email. A job looks up the account, so that neither the reply nor its time reveals whether it
   * exists.
   */
  async request(email: string, requestId: string): Promise<{ delivery: 'smtp' | 'none' }> {
    if (this.mail === null) return { delivery: 'none' };
    await this.store.read.jobs.enqueue({
      organizationId: null,
      userId: null,
      surveyId: null,
      kind: PASSWORD_RESET_JOB,
      payload: { email },
      requestId,
    });
    return { delivery: 'smtp' };
  }

  /** Sends the email, called by the job. Sends nothing for an unknown address or a user with enough valid links. */
  async send(email: string): Promise<void> {
    const user = await this.store.read.users.findForLogin(email);
    if (this.mail === null || user?.user_status !== ACTIVE) return;
    const token = await this.store.transaction(async ({ users, audit }) => {
      // Locked, so that the limit holds and the link goes only to the user's current address.
      const now = await users.lock(user.organization_id, user.user_id);
      if (now?.user_status !== ACTIVE || now.user_email !== user.user_email) return null;
      await users.removeExpiredPasswordResets();
      if ((await users.countLivePasswordResets(user.user_id)) >= MAX_LIVE) return null;
      const created = await createOneTimeToken({ users }, this.ids, {
        purpose: 'reset',
        userId: user.user_id,
        tokenVersion: now.token_version,
        lifetimeSeconds: LIFETIME_SECONDS,
      });
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
    await this.mail.send({
      to: { name: user.user_name, address: user.user_email },
      subject: 'Set a new password',
      text: mailText(content),
      html: mailHtml(content),
    });
  }

  /**
   * Sets the new password, ends every session and other reset link of the user, and revokes their API keys unless
   * `revokeApiKeys` is false. Throws 410 for an unknown, used or expired link.
   */
  async reset(
    { token, newPassword, revokeApiKeys }: { token: string; newPassword: string; revokeApiKeys: boolean },
    from: Pick<Origin, 'requestId' | 'address'>,
  ): Promise<void> {
    const passwordHash = await this.passwords.hash(newPassword);
    await this.store.transaction(async (repositories) => {
      const used = await useOneTimeToken(repositories, 'reset', token);
      if (used === null)
        throw gone('reset_link_over', 'This link was used or has expired; request a new one');
      await repositories.users.setPassword(used.user_id, passwordHash);
      await endEverySession(repositories, used.user_id);
      const revoked = revokeApiKeys ? await repositories.apiKeys.revokeAll(used.user_id) : 0;
      await repositories.audit.record({
        by: {
          organizationId: used.organization_id,
          userId: used.user_id,
          origin: { credential: null, credentialId: null, ...from },
        },
        action: 'user.password_reset',
        objectType: 'user',
        objectId: used.user_id,
        details: { revoked_api_keys: revoked },
      });
    });
  }
}
