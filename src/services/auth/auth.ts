import { type Caller, inHomeOrganization } from '../../domain/access/caller.ts';
import { ACTIVE, normalizeEmail, PENDING } from '../../domain/access/users.ts';
import { addressNetwork } from '../../lib/address-network.ts';
import type { Clock } from '../../lib/clock.ts';
import { coalesceCalls } from '../../lib/concurrency.ts';
import { AppError, forbidden, gone } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { isValidSignature, signText } from '../../lib/secrets.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { CallerRow } from '../../repositories/sessions.ts';
import type { Store } from '../../repositories/store.ts';
import type { LoginRow, UserRow } from '../../repositories/users.ts';
import type { AccountMails } from './account-mails.ts';
import { API_KEY_PREFIX, apiKeyHash, type ApiKeyNetworks } from './api-keys.ts';
import type { GuessLimits } from './guess-limits.ts';
import { useOneTimeToken } from './one-time-tokens.ts';
import { loginTarget, type PasswordHasher } from './passwords.ts';
import type { SessionTokens } from './sessions.ts';

const DAY_SECONDS = 24 * 60 * 60;
const SESSION_SECONDS = 7 * DAY_SECONDS;
const REMEMBERED_SECONDS = 30 * DAY_SECONDS;
/** The largest prefix that one IPv6 customer usually gets. */
const IPV6_PREFIX_BITS = 56;
const MAX_DEVICE_CHARACTERS = 200;

interface Login {
  user: LoginRow;
  token: string;
  lifetimeSeconds: number;
  deviceCookie: DeviceCookie;
}

/** The request that signs in. */
interface LoginOrigin {
  userAgent: string | null;
  address: string;
  requestId: string;
  cookie(name: string): string | null;
}

const loginFailed = () =>
  new AppError('unauthenticated', 'login_failed', 'The email address or the password is wrong', [], {
    'WWW-Authenticate': 'Bearer',
  });

/** For callers who have proved with the password that they own the account. */
const inactiveAccount = (user: LoginRow) =>
  user.user_status === PENDING
    ? forbidden('Your account is waiting for approval by an administrator', 'account_pending')
    : forbidden('Your account is suspended; ask an administrator to reactivate it', 'account_suspended');

/** Logins, and the caller of a credential. */
export class AuthService {
  private readonly store: Store;
  private readonly passwords: PasswordHasher;
  private readonly tokens: SessionTokens;
  private readonly devices: KnownDevices;
  private readonly guessLimits: GuessLimits;
  private readonly failedLogins: FailedLogins;
  private readonly keyNetworks: ApiKeyNetworks;
  private readonly accountMails: AccountMails;
  private readonly clock: Clock;
  private readonly ids: Ids;
  private readonly sessionCaller: (
    sessionId: string,
  ) => Promise<(CallerRow & { use_unnoted: boolean }) | undefined>;
  private readonly keyCaller: (hash: string) => Promise<(CallerRow & { use_unnoted: boolean }) | undefined>;

  constructor(dependencies: {
    store: Store;
    passwords: PasswordHasher;
    tokens: SessionTokens;
    devices: KnownDevices;
    guessLimits: GuessLimits;
    failedLogins: FailedLogins;
    keyNetworks: ApiKeyNetworks;
    accountMails: AccountMails;
    clock: Clock;
    ids: Ids;
  }) {
    const { store } = dependencies;
    this.store = store;
    this.passwords = dependencies.passwords;
    this.tokens = dependencies.tokens;
    this.devices = dependencies.devices;
    this.guessLimits = dependencies.guessLimits;
    this.failedLogins = dependencies.failedLogins;
    this.keyNetworks = dependencies.keyNetworks;
    this.accountMails = dependencies.accountMails;
    this.clock = dependencies.clock;
    this.ids = dependencies.ids;
    this.sessionCaller = coalesceCalls((keys) => store.detached(() => store.read.sessions.findCallers(keys)));
    this.keyCaller = coalesceCalls((hashes) => store.detached(() => store.read.apiKeys.findCallers(hashes)));
  }

  /**
   * Throws 401 with one text for an unknown address and a wrong password, which counts against the limits of guesses; 403 with the reason
   * after the right password of an account that is not active; 429 when the limits are used up. Where several organizations have an
   * account with the address, the password decides; if it fits several, the account whose owner has proved the address, then the oldest.
   */
  async login(
    input: { email: string; password: string; rememberMe: boolean; organizationSlug: string | null },
    from: LoginOrigin,
  ): Promise<Login> {
    const account = normalizeEmail(input.email);
    const accounts = (await this.store.read.users.findForLogin(input.email)).filter(
      ({ organization_slug: slug }) => input.organizationSlug === null || slug === input.organizationSlug,
    );
    const verified = await this.verifyAccounts(account, accounts, input.password, from);
    if (verified === null) throw loginFailed();
    const { user, device } = verified;
    if (user.user_status !== ACTIVE) {
      this.failedLogins.record(user, from);
      throw inactiveAccount(user);
    }
    // Renews hashes with an outdated work factor: their different verification time would reveal that the account
    // exists.
    const renewedHash = this.passwords.isOutdated(user.password_hash)
      ? await this.passwords.hash(input.password)
      : null;
    const lifetimeSeconds = input.rememberMe ? REMEMBERED_SECONDS : SESSION_SECONDS;
    const token = await this.store.transaction(async (repositories) => {
      if (renewedHash !== null)
        await repositories.users.renewHash(user.user_id, user.password_hash, renewedHash);
      return this.startSession(repositories, { user, lifetimeSeconds, from, by: 'password', device });
    });
    return { user, token, lifetimeSeconds, deviceCookie: this.devices.cookieFor(user.user_id, device) };
  }

  /** Signs in with the link of the first start. Throws 410 for an unknown, used or expired link. */
  async loginWithLink(signInToken: string, from: LoginOrigin): Promise<Login> {
    const lifetimeSeconds = SESSION_SECONDS;
    const { user, token, device } = await this.store.transaction(async (repositories) => {
      const used = await useOneTimeToken(repositories, 'sign-in', signInToken);
      const user = used && (await repositories.users.findByOneTimeLink(used));
      if (user === null)
        throw gone('sign_in_link_over', 'This link was used or has expired; sign in with your password');
      const device = this.devices.deviceOf(user.user_id, (name) => from.cookie(name));
      const token = await this.startSession(repositories, {
        user,
        lifetimeSeconds,
        from,
        by: 'link',
        device,
      });
      return { user, token, device };
    });
    return { user, token, lifetimeSeconds, deviceCookie: this.devices.cookieFor(user.user_id, device) };
  }

  /** Returns the token of a new session. */
  private async startSession(
    repositories: Repositories,
    {
      user,
      lifetimeSeconds,
      from,
      by,
      device,
    }: {
      user: LoginRow;
      lifetimeSeconds: number;
      from: LoginOrigin;
      by: 'password' | 'link';
      device: string | null;
    },
  ): Promise<string> {
    const sessionId = this.ids.uuid();
    const expiresAt = new Date(this.clock.now().getTime() + lifetimeSeconds * 1000);
    await repositories.sessions.removeExpired();
    if (device === null) await this.reportNewDevice(repositories, user, from);
    await repositories.sessions.create({
      sessionId,
      organizationId: user.organization_id,
      userId: user.user_id,
      tokenVersion: user.token_version,
      expiresAt,
      userAgent: from.userAgent,
      address: from.address,
    });
    await repositories.users.recordLogin(user.user_id);
    await repositories.audit.record({
      by: {
        organizationId: user.organization_id,
        userId: user.user_id,
        origin: {
          credential: 'session',
          credentialId: sessionId,
          requestId: from.requestId,
          address: from.address,
        },
      },
      action: 'user.logged_in',
      objectType: 'user',
      objectId: user.user_id,
      ...(by === 'link' ? { details: { by: 'sign_in_link' } } : {}),
    });
    return this.tokens.sign({
      sessionId,
      userId: user.user_id,
      tokenVersion: user.token_version,
      expiresAt,
    });
  }

  /**
   * Mails the owner, unless a current session has the same software on the same network: a program without cookies signs in often.
   */
  private async reportNewDevice(
    repositories: Repositories,
    user: LoginRow,
    from: LoginOrigin,
  ): Promise<void> {
    if (!this.accountMails.isConfigured) return;
    const network = addressNetwork(from.address, IPV6_PREFIX_BITS);
    const isKnown = (await repositories.sessions.listForUser(user.user_id)).some(
      ({ user_agent: userAgent, address }) =>
        userAgent === from.userAgent &&
        address !== null &&
        addressNetwork(address, IPV6_PREFIX_BITS) === network,
    );
    if (isKnown) return;
    await this.accountMails.enqueue(repositories, from.requestId, {
      mail: 'new_device',
      user_id: user.user_id,
      at: this.clock.now().toISOString(),
      device: from.userAgent?.slice(0, MAX_DEVICE_CHARACTERS) ?? null,
      address: from.address,
    });
  }

  /**
   * Returns the account that the password opens, whatever its status, and the known device; else null. On a known device of one of the
   * accounts, that account has its own limit of guesses.
   */
  private async verifyAccounts(
    email: string,
    accounts: readonly LoginRow[],
    password: string,
    from: LoginOrigin,
  ): Promise<{ user: LoginRow; device: string | null } | null> {
    const guess = { target: loginTarget(email), address: from.address };
    const deviceOf = ({ user_id: userId }: LoginRow) =>
      this.devices.deviceOf(userId, (name) => from.cookie(name));
    const known = accounts.find((account) => deviceOf(account) !== null);
    if (known !== undefined) {
      const device = deviceOf(known);
      const user = await this.guessLimits.attempt({ ...guess, knownClient: `device ${device}` }, () =>
        this.verifyPassword([known], password, from),
      );
      if (user !== null) return { user, device };
      if (accounts.length === 1) return null;
    }
    const others = accounts.filter((account) => account !== known);
    const user = await this.guessLimits.attempt({ ...guess, knownClient: null }, () =>
      this.verifyPassword(others, password, from),
    );
    return user && { user, device: null };
  }

  /** Returns the first account with this password; else null. Takes the same time for an unknown address as for one account. */
  private async verifyPassword(
    accounts: readonly LoginRow[],
    password: string,
    from: { requestId: string; address: string },
  ): Promise<LoginRow | null> {
    if (accounts.length === 0) await this.passwords.matches(password, null);
    for (const account of accounts)
      if (await this.passwords.matches(password, account.password_hash)) return account;
    for (const account of accounts)
      this.failedLogins.record(account, { requestId: from.requestId, address: from.address });
    return null;
  }

  async logout(caller: Caller | null): Promise<void> {
    if (caller?.credential !== 'session') return;
    await this.store.transaction(async (repositories) => {
      if (!(await repositories.sessions.end(caller.userId, caller.credentialId))) return;
      await repositories.audit.record({
        by: inHomeOrganization(caller),
        action: 'user.logged_out',
        objectType: 'user',
        objectId: caller.userId,
      });
    });
  }

  /** Returns null if the credential is invalid, expired or revoked, or its user is not active. */
  async authenticate(
    credential: { value: string; viaCookie: boolean },
    from: { id: string; address: string },
  ): Promise<Caller | null> {
    const { value, viaCookie } = credential;
    if (value.startsWith(API_KEY_PREFIX)) {
      // The cookie carries a session token, never a key.
      if (viaCookie) return null;
      const row = await this.keyCaller(apiKeyHash(value));
      if (row === undefined) return null;
      await this.keyNetworks.recordUse(row, from);
      if (row.use_unnoted) await this.store.read.apiKeys.recordUse(row.credential_id);
      return callerOf({ row, credential: 'api_key', viaCookie: false, from });
    }
    const sessionId = this.tokens.sessionIdOf(value);
    const row = sessionId === null ? undefined : await this.sessionCaller(sessionId);
    if (row === undefined) return null;
    if (row.use_unnoted) await this.store.read.sessions.recordUse(row.credential_id);
    return callerOf({ row, credential: 'session', viaCookie, from });
  }
}

function callerOf({
  row,
  credential,
  viaCookie,
  from,
}: {
  row: CallerRow;
  credential: Caller['credential'];
  viaCookie: boolean;
  from: { id: string; address: string };
}): Caller {
  return {
    credential,
    credentialId: row.credential_id,
    viaCookie,
    userId: row.user_id,
    organizationId: row.organization_id,
    homeOrganizationId: row.home_organization_id,
    role: row.user_role,
    aiAccess: row.ai_access,
    currentWorkspaceId: row.current_workspace_id,
    origin: { credential, credentialId: row.credential_id, requestId: from.id, address: from.address },
  };
}

/**
 * Writes the audit entries of failed logins after the reply, so that its time does not reveal whether the account
 * exists.
 */
export class FailedLogins {
  private readonly pending = new Set<Promise<void>>();

  /** `reportFailure`: called when an entry could not be written. */
  constructor(
    private readonly store: Store,
    private readonly reportFailure: (action: string, error: unknown) => void,
  ) {}

  record(
    user: Pick<UserRow, 'user_id' | 'organization_id'>,
    from: { requestId: string; address: string },
  ): void {
    const write = new Promise((resolve) => setImmediate(resolve))
      .then(() =>
        this.store.read.audit.record({
          by: {
            organizationId: user.organization_id,
            userId: null,
            origin: { credential: null, credentialId: null, ...from },
          },
          action: 'user.login_failed',
          objectType: 'user',
          objectId: user.user_id,
        }),
      )
      .catch((error: unknown) => this.reportFailure('a failed login could not be recorded', error))
      .finally(() => this.pending.delete(write));
    this.pending.add(write);
  }

  /** Resolves when every entry is written. */
  async drain(): Promise<void> {
    await Promise.all(this.pending);
  }
}

const PURPOSE = 'known-device';
const NAME_PURPOSE = 'known-device-name';
const TTL_SECONDS = 180 * 24 * 60 * 60;
const ID_CHARACTERS = 22;
const NAME_CHARACTERS = 10;
const COOKIE_PATTERN = /^(([A-Za-z0-9]{22})-(\d{10,12}))-([A-Za-z0-9_-]{22})$/;

/** A cookie that identifies a browser that signed in to an account before. */
interface DeviceCookie {
  name: string;
  value: string;
  maxAgeSeconds: number;
}

/**
 * Cookies `<device>-<until>-<signature>` of browsers that signed in to an account. Nothing is stored. The signature
 * covers the account, so a cookie is worthless for other accounts; its name contains a digest of the account, so that
 * several accounts of one browser can have one each. It is no credential: failed logins with it are only counted
 * apart from those of unknown clients.
 */
export class KnownDevices {
  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /**
   * Returns the device that the cookie names; null if it is not a known device of the account. `cookie` returns a
   * cookie's value by its name.
   */
  deviceOf(userId: number, cookie: (name: string) => string | null): string | null {
    const [, text, device, until, signature] = COOKIE_PATTERN.exec(cookie(this.nameOf(userId)) ?? '') ?? [];
    if (text === undefined || device === undefined) return null;
    if (this.clock.now().getTime() >= Number(until) * 1000) return null;
    return isValidSignature(signature ?? '', {
      secret: this.secret,
      purpose: PURPOSE,
      text: `${text} user ${userId}`,
    })
      ? device
      : null;
  }

  /** Returns the cookie to set after a login. `device`: the known device, if any. */
  cookieFor(userId: number, device: string | null): DeviceCookie {
    const until = Math.floor(this.clock.now().getTime() / 1000) + TTL_SECONDS;
    const text = `${device ?? this.ids.token(ID_CHARACTERS)}-${until}`;
    const signature = signText(this.secret, PURPOSE, `${text} user ${userId}`);
    return { name: this.nameOf(userId), value: `${text}-${signature}`, maxAgeSeconds: TTL_SECONDS };
  }

  private nameOf(userId: number): string {
    return `known_device_${signText(this.secret, NAME_PURPOSE, `user ${userId}`).slice(0, NAME_CHARACTERS)}`;
  }
}
