import { createHash } from 'node:crypto';
import bcrypt from 'bcrypt';
import type { Caller } from '../../domain/access/caller.ts';
import { isCommonPassword } from '../../domain/access/common-passwords.ts';
import { ACTIVE, normalizeEmail } from '../../domain/access/users.ts';
import { invalid, unauthenticated } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccountRow } from '../../repositories/users.ts';
import type { GuessLimits } from './guess-limits.ts';

/** Hashes and checks passwords: NFKC, SHA-256 (so that bytes past bcrypt's 72 count), bcrypt. */
export class PasswordHasher {
  /** Compared with if the account does not exist, so that both cases take the same time. */
  private readonly dummyHash: string;

  constructor(private readonly cost: number) {
    this.dummyHash = bcrypt.hashSync('nobody has this password', cost);
  }

  hash(password: string): Promise<string> {
    return bcrypt.hash(digest(password), this.cost);
  }

  /** Returns whether the hash has another work factor than the current one. */
  isOutdated(hash: string): boolean {
    return bcrypt.getRounds(hash) !== this.cost;
  }

  async matches(password: string, hash: string | null): Promise<boolean> {
    const isMatch = await bcrypt.compare(digest(password), hash ?? this.dummyHash);
    return isMatch && hash !== null;
  }
}

const digest = (password: string): string =>
  createHash('sha256').update(password.normalize('NFKC')).digest('base64');

/** The key that counts guesses at an account's login. */
export const loginTarget = (email: string): string => `login ${normalizeEmail(email)}`;

/** Throws 400 for a password that is guessed first: a common one, or the name or address of the user. */
export function refuseCommonPassword(
  field: string,
  password: string,
  user: { name: string; email: string },
): void {
  if (isCommonPassword(password, [user.name, user.email]))
    throw invalid(
      field,
      'is easy to guess: it is a common password, a row of keys, or contains your name or address; choose another one',
    );
}

/** Asks signed-in callers for their password again before changes that a stolen session must not make. */
export class PasswordConfirmation {
  constructor(
    private readonly store: Store,
    private readonly passwords: PasswordHasher,
    private readonly guessLimits: GuessLimits,
  ) {}

  /**
   * Returns the caller's account if the password is right. Throws 400 for a wrong password, recorded in the audit
   * log, and 429 after too many for this session or key.
   */
  async confirm(caller: Caller, currentPassword: string): Promise<AccountRow> {
    const account = await this.store.read.users.findAccount(caller.homeOrganizationId, caller.userId);
    if (account === null) throw unauthenticated();
    const { credential, credentialId, address } = caller.origin;
    const attempt = {
      target: loginTarget(account.user_email),
      address,
      knownClient: `${credential} ${credentialId}`,
    };
    const confirmed = await this.guessLimits.attempt(attempt, async () =>
      (await this.passwords.matches(currentPassword, account.password_hash)) ? account : null,
    );
    if (confirmed !== null) return confirmed;
    // Written outside the request's transaction, so that a rollback keeps the entry.
    await this.store.detached(() =>
      this.store.read.audit.record({
        by: { ...caller, organizationId: caller.homeOrganizationId },
        action: 'user.password_confirmation_failed',
        objectType: 'user',
        objectId: caller.userId,
      }),
    );
    throw wrongPassword();
  }

  /**
   * Locks the confirmed account until the transaction ends. Throws 400 if its password has changed since, 401 if its
   * sessions were ended.
   */
  async lockConfirmed({ users }: Repositories, confirmed: AccountRow): Promise<void> {
    const now = await users.lock(confirmed.organization_id, confirmed.user_id);
    if (now === null) throw unauthenticated();
    if (now.password_hash !== confirmed.password_hash) throw wrongPassword();
    if (now.token_version !== confirmed.token_version || now.user_status !== ACTIVE) throw unauthenticated();
  }
}

const wrongPassword = () => invalid('current_password', 'is wrong');
