import { fromDatabaseError } from '../../db/errors.ts';
import type { UserRole } from '../../domain/access/caller.ts';
import { isCommonPassword } from '../../domain/access/common-passwords.ts';
import { notFound, StartError } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { Store } from '../../repositories/store.ts';
import type { UserRow } from '../../repositories/users.ts';
import type { ApiKeyService } from '../auth/api-keys.ts';
import { createOneTimeToken } from '../auth/one-time-tokens.ts';
import { type PasswordHasher, refuseCommonPassword } from '../auth/passwords.ts';

/** A new organization, its administrator and their credentials. */
export interface CreatedOrganization {
  organizationId: number;
  userId: number;
  workspaceId: number;
  email: string;
  password: string;
  /** null: none was requested. */
  apiKey: string | null;
}

/**
 * The administrator of the first start. Credentials supplied by settings are null, so that they are never printed.
 */
export interface FirstAdministrator extends Omit<CreatedOrganization, 'password' | 'apiKey'> {
  generatedPassword: string | null;
  /** Of a link that signs in once; only together with a generated password. */
  signInToken: string | null;
  generatedApiKey: string | null;
}

const GENERATED_PASSWORD_CHARACTERS = 20;
const SIGN_IN_LINK_SECONDS = 24 * 60 * 60;
const TEAM = 2;

/** Creates what an installation needs before anyone can sign in; used at the first start and by the command line. */
export class SetupService {
  constructor(
    private readonly store: Store,
    private readonly passwords: PasswordHasher,
    private readonly apiKeys: ApiKeyService,
    private readonly ids: Ids,
  ) {}

  /**
   * Creates the first organization, its administrator and a team workspace; null when an organization exists. An API key is
   * generated only together with a password: an installation that supplies the password prints no credential into its log.
   */
  async firstStart(given: {
    email: string;
    password: string | null;
    apiKey: string | null;
  }): Promise<FirstAdministrator | null> {
    if ((await this.store.read.organizations.findOldest()) !== null) return null;
    if (given.password !== null && isCommonPassword(given.password, [given.email]))
      throw new StartError(
        'ADMIN_PASSWORD is easy to guess: choose another one, or leave it out to have one generated',
      );
    const creating = this.createOrganization({
      name: 'My organization',
      slug: 'my-organization',
      userName: 'Administrator',
      email: given.email,
      password: given.password,
      apiKey: given.apiKey ?? (given.password === null ? 'generate' : 'none'),
    });
    const result = await creating.catch((error: unknown) => {
      // Another process that started at the same time created it first.
      if (fromDatabaseError(error)?.code === 'slug_taken') return null;
      throw error;
    });
    if (result === null) return null;
    const { password, apiKey, ...created } = result;
    return {
      ...created,
      generatedPassword: given.password === null ? password : null,
      signInToken: given.password === null ? await this.createSignInToken(created) : null,
      generatedApiKey: given.apiKey === null ? apiKey : null,
    };
  }

  private async createSignInToken({
    organizationId,
    userId,
  }: Pick<CreatedOrganization, 'organizationId' | 'userId'>): Promise<string> {
    const { users } = this.store.read;
    const { token_version: tokenVersion } = requireValue(
      await users.findAccount(organizationId, userId),
      'user',
    );
    return createOneTimeToken({ users }, this.ids, {
      purpose: 'sign-in',
      userId,
      tokenVersion,
      lifetimeSeconds: SIGN_IN_LINK_SECONDS,
      isMailed: false,
    });
  }

  async createOrganization(input: {
    name: string;
    slug: string;
    userName: string;
    email: string;
    /** null: a password is generated. */
    password: string | null;
    /** The key itself, `generate` or `none`. */
    apiKey: string;
  }): Promise<CreatedOrganization> {
    if (input.password !== null)
      refuseCommonPassword('password', input.password, { name: input.userName, email: input.email });
    const password = input.password ?? this.ids.token(GENERATED_PASSWORD_CHARACTERS);
    const passwordHash = await this.passwords.hash(password);
    const created = await this.store.transaction(async (repositories) => {
      const organization = await repositories.organizations.create(input.name, input.slug);
      const organizationId = organization.organization_id;
      const user = await repositories.users.create({
        organizationId,
        email: input.email,
        name: input.userName,
        passwordHash,
        role: 'admin',
        confirmedByOperator: true,
      });
      const workspace = await repositories.workspaces.create({
        organizationId,
        ownerId: user.user_id,
        name: 'Research',
        color: null,
        visibility: TEAM,
      });
      return { organizationId, userId: user.user_id, workspaceId: workspace.workspace_id };
    });
    const { email, apiKey } = input;
    if (apiKey === 'none') return { ...created, email, password, apiKey: null };
    const { key } = await this.apiKeys.create(
      created,
      'First key',
      apiKey === 'generate' ? undefined : apiKey,
    );
    return { ...created, email, password, apiKey: key };
  }

  /** Returns the organization with this slug; null: the oldest one. */
  async organizationId(slug: string | null): Promise<number> {
    const { organizations } = this.store.read;
    const found = slug === null ? await organizations.findOldest() : await organizations.findBySlug(slug);
    if (found === null)
      throw notFound(slug === null ? 'organization: create one first' : `organization: "${slug}"`);
    return found.organization_id;
  }

  async userByEmail(email: string): Promise<UserRow> {
    const [user] = await this.store.read.users.findForLogin(email);
    if (user === undefined) throw notFound(`user: "${email}"`);
    return user;
  }

  /** Creates a user; generates the password if none is given. */
  async createUser(input: {
    organizationId: number;
    email: string;
    userName: string;
    role: UserRole;
    password: string | null;
  }): Promise<{ userId: number; password: string }> {
    if (input.password !== null)
      refuseCommonPassword('password', input.password, { name: input.userName, email: input.email });
    const password = input.password ?? this.ids.token(GENERATED_PASSWORD_CHARACTERS);
    const user = await this.store.read.users.create({
      organizationId: input.organizationId,
      email: input.email,
      name: input.userName,
      passwordHash: await this.passwords.hash(password),
      role: input.role,
      confirmedByOperator: true,
    });
    return { userId: user.user_id, password };
  }
}
