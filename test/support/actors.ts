import { Agent } from 'node:http';
import supertest, { type Test } from 'supertest';
import { beforeAll } from 'vitest';
import type { UserRole } from '../../src/domain/access/caller.ts';
import { randomIds } from '../../src/lib/ids.ts';
import type { TestApp } from './app.ts';

/** A caller of the API with credentials. */
export interface Actor {
  readonly userId: number;
  readonly organizationId: number;
  readonly email: string;
  readonly password: string;
  /** null for an anonymous actor. */
  readonly apiKey: string | null;
  get(path: string): Test;
  post(path: string, body?: object): Test;
  put(path: string, body?: object): Test;
  patch(path: string, body?: object): Test;
  delete(path: string): Test;
}

export interface Organization {
  readonly organizationId: number;
  readonly slug: string;
  /** The team workspace that is created with every organization. */
  readonly workspaceId: number;
  readonly admin: Actor;
  /** Creates a user of this organization with an API key. */
  addUser(role: UserRole): Promise<Actor>;
}

/** Creates an organization with a unique slug and one admin. */
export async function newOrganization(test: TestApp): Promise<Organization> {
  const slug = `org-${randomIds.token(10).toLowerCase()}`;
  const email = `admin@${slug}.example`;
  const created = await test.container.services.setup.createOrganization({
    name: `Organization ${slug}`,
    slug,
    userName: 'Ada Admin',
    email,
    password: null,
    apiKey: 'generate',
  });
  return {
    organizationId: created.organizationId,
    slug,
    workspaceId: created.workspaceId,
    admin: actor(test, { ...created, email }),
    async addUser(role) {
      const userEmail = `${role}-${randomIds.token(8).toLowerCase()}@${slug}.example`;
      const user = await test.container.services.setup.createUser({
        organizationId: created.organizationId,
        email: userEmail,
        userName: `A ${role}`,
        role,
        password: null,
      });
      const owner = { organizationId: created.organizationId, userId: user.userId };
      const { key } = await test.container.services.apiKeys.create(owner, 'Test key');
      return actor(test, { ...owner, email: userEmail, password: user.password, apiKey: key });
    },
  };
}

/** Call at the top of a test file: creates an organization before the tests of the file run. */
export function useOrganization(test: TestApp): Organization {
  let created: Organization | null = null;
  const ready = () => {
    if (created === null) throw new Error('The organization exists only while tests run');
    return created;
  };
  beforeAll(async () => {
    created = await newOrganization(test);
  });
  const admin: Actor = {
    get userId() {
      return ready().admin.userId;
    },
    get organizationId() {
      return ready().admin.organizationId;
    },
    get email() {
      return ready().admin.email;
    },
    get password() {
      return ready().admin.password;
    },
    get apiKey() {
      return ready().admin.apiKey;
    },
    get: (path) => ready().admin.get(path),
    post: (path, body) => ready().admin.post(path, body),
    put: (path, body) => ready().admin.put(path, body),
    patch: (path, body) => ready().admin.patch(path, body),
    delete: (path) => ready().admin.delete(path),
  };
  return {
    admin,
    get organizationId() {
      return ready().organizationId;
    },
    get slug() {
      return ready().slug;
    },
    get workspaceId() {
      return ready().workspaceId;
    },
    addUser: (role) => ready().addUser(role),
  };
}

/** A caller without credentials. */
export function anonymous(test: TestApp): Actor {
  return actor(test, { userId: 0, organizationId: 0, email: '', password: '', apiKey: null });
}

/** Reuses connections, because opening one takes longer than many requests. */
const keepAliveAgent = new Agent({ keepAlive: true });

/** A request without credentials to the application. */
export function requestTo(
  test: TestApp,
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
): Test {
  const { server, origin } = test;
  const listening = origin ?? server;
  return listening === undefined
    ? supertest(test.app)[method](path)
    : supertest(listening)[method](path).agent(keepAliveAgent);
}

function actor(
  test: TestApp,
  identity: Pick<Actor, 'userId' | 'organizationId' | 'email' | 'password' | 'apiKey'>,
): Actor {
  const withCredential = (request: Test): Test =>
    identity.apiKey === null ? request : request.set('X-API-Key', identity.apiKey);
  const withBody = (request: Test, body: object | undefined): Test =>
    body === undefined ? withCredential(request) : withCredential(request).send(body);
  return {
    userId: identity.userId,
    organizationId: identity.organizationId,
    email: identity.email,
    password: identity.password,
    apiKey: identity.apiKey,
    get: (path) => withCredential(requestTo(test, 'get', path)),
    post: (path, body) => withBody(requestTo(test, 'post', path), body),
    put: (path, body) => withBody(requestTo(test, 'put', path), body),
    patch: (path, body) => withBody(requestTo(test, 'patch', path), body),
    delete: (path) => withCredential(requestTo(test, 'delete', path)),
  };
}

/** Signs the user in and returns an actor that uses the session instead of the API key. */
export async function signIn(test: TestApp, user: Actor): Promise<Actor & { token: string; cookie: string }> {
  const reply = await requestTo(test, 'post', '/api/auth')
    .send({ action: 'login', email: user.email, password: user.password, include_token: true })
    .expect(200);
  const token = (reply.body as { data: { access_token: string } }).data.access_token;
  const withCredential = (request: Test): Test => request.set('Authorization', `Bearer ${token}`);
  return {
    ...user,
    token,
    cookie: `auth_token=${token}`,
    get: (path) => withCredential(requestTo(test, 'get', path)),
    post: (path, body) => withCredential(requestTo(test, 'post', path)).send(body ?? {}),
    put: (path, body) => withCredential(requestTo(test, 'put', path)).send(body ?? {}),
    patch: (path, body) => withCredential(requestTo(test, 'patch', path)).send(body ?? {}),
    delete: (path) => withCredential(requestTo(test, 'delete', path)),
  };
}
