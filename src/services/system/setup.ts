import type { UserRole } from '../../domain/access/caller.ts';
import { notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { Store } from '../../repositories/store.ts';
import type { UserRow } from '../../repositories/users.ts';
import type { ApiKeyService } from '../auth/api-keys.ts';
import type { Passwords } from '../auth/passwords.ts';

export interface FirstAdministrator {
  organizationId: number;
  userId: number;
  workspaceId: number;
  email: string;
  password: string;
  apiKey: string;
}

const GENERATED_PASSWORD_CHARACTERS = 20;
const TEAM = 2;

/** What an installation needs before anybody can sign in; used at first start and by the command line. */
export class SetupService {
  private readonly store: Store;
  private readonly passwords: Passwords;
  private readonly apiKeys: ApiKeyService;
  private readonly ids: Ids;

  constructor(store: Store, passwords: Passwords, apiKeys: ApiKeyService, ids: Ids) {
    this.store = store;
    this.passwords = passwords;
    this.apiKeys = apiKeys;
    this.ids = ids;
  }

  /** Makes the first organization, its administrator, a key and a team workspace; null when there is one already. */
  async firstStart(given: {
    email: string;
    password: string | null;
    apiKey: string | null;
  }): Promise<FirstAdministrator | null> {
    if ((await this.store.read.organizations.oldest()) !== null) return null;
    return this.createOrganization({
      name: 'My organization',
      slug: 'my-organization',
      userName: 'Administrator',
      ...given,
    });
  }

  async createOrganization(input: {
    name: string;
    slug: string;
    userName: string;
    email: string;
    password: string | null;
    apiKey: string | null;
  }): Promise<FirstAdministrator> {
    const password = input.password ?? this.ids.token(GENERATED_PASSWORD_CHARACTERS);
    const passwordHash = await this.passwords.hash(password);
    const made = await this.store.transaction(async (repositories) => {
      const organization = await repositories.organizations.create(input.name, input.slug);
      const organizationId = organization.organization_id;
      const user = await repositories.users.create({
        organizationId,
        email: input.email,
        name: input.userName,
        passwordHash,
        role: 'admin',
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
    const { key } = await this.apiKeys.create(made, 'First key', input.apiKey ?? undefined);
    return { ...made, email: input.email, password, apiKey: key };
  }

  /** By slug, or the first one. */
  async organizationId(slug: string | null): Promise<number> {
    const { organizations } = this.store.read;
    const found = slug === null ? await organizations.oldest() : await organizations.bySlug(slug);
    if (found === null)
      throw notFound(slug === null ? 'organization: create one first' : `organization: "${slug}"`);
    return found.organization_id;
  }

  async userByEmail(email: string): Promise<UserRow> {
    const user = await this.store.read.users.forLogin(email);
    if (user === null) throw notFound(`user: "${email}"`);
    return user;
  }

  /** Another user of an organization; the password is generated when none is given. */
  async createUser(input: {
    organizationId: number;
    email: string;
    userName: string;
    role: UserRole;
    password: string | null;
  }): Promise<{ userId: number; password: string }> {
    const password = input.password ?? this.ids.token(GENERATED_PASSWORD_CHARACTERS);
    const user = await this.store.read.users.create({
      organizationId: input.organizationId,
      email: input.email,
      name: input.userName,
      passwordHash: await this.passwords.hash(password),
      role: input.role,
    });
    return { userId: user.user_id, password };
  }
}
