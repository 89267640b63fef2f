import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, signIn, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { useWorkers } from '../../support/jobs.ts';
import { draftSurvey } from '../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);
const queue = useWorkers(test);
const server = createServer((request, response) => test.app(request, response));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const open: IncomingMessage[] = [];
afterEach(() => {
  for (const reply of open.splice(0)) reply.destroy();
});

type Session = Awaited<ReturnType<typeof signIn>>;

/** An editor of a shared workspace, with an API key, a session and a job about its survey. */
interface Caller {
  key: Actor;
  session: Session;
  owner: Actor;
  workspaceId: number;
  surveyId: number;
  jobId: number;
}

async function createCaller(role: 'member' | 'admin' | 'superadmin' = 'member'): Promise<Caller> {
  const [owner, key] = [await organization.addUser('member'), await organization.addUser(role)];
  const shared = { workspace_name: 'Shared', workspace_visibility: 3 };
  const created = await owner.post('/api/workspaces', shared).expect(201);
  const workspaceId: number = created.body.data.workspace_id;
  const invited = { user_id: key.userId, role: 'editor' };
  await owner.post(`/api/workspaces/${workspaceId}/members`, invited).expect(201);
  const { surveyId } = await draftSurvey(owner, [[]], { workspaceId });
  const jobId = await queue.enqueue(key, 'nobody-runs', {}, { surveyId });
  return { key, session: await signIn(test, key), owner, workspaceId, surveyId, jobId };
}

/** An open stream; `ended` resolves with everything that it sent. */
async function stream(headers: Record<string, string>, jobId: number): Promise<{ ended: Promise<string> }> {
  const { port } = server.address() as AddressInfo;
  const reply = await new Promise<IncomingMessage>((resolve) =>
    get({ port, path: `/api/jobs/${jobId}/events`, headers }, resolve),
  );
  expect(reply.statusCode).toBe(200);
  let text = '';
  await new Promise<void>((resolve) => {
    reply.on('data', (part: Buffer) => {
      text += part.toString();
      resolve();
    });
  });
  open.push(reply);
  return { ended: new Promise((resolve) => reply.on('end', () => resolve(text))) };
}

async function streams({ key, session, jobId }: Caller) {
  const byKey = await stream({ 'X-API-Key': key.apiKey! }, jobId);
  const bySession = await stream({ Authorization: `Bearer ${session.token}` }, jobId);
  return { byKey, bySession };
}

const admin = (path: string, method: 'post' | 'put' | 'delete' = 'post', body?: object) =>
  method === 'delete'
    ? organization.admin.delete(path).expect(204)
    : organization.admin[method](path, body).expect(200);

type Outcome = 401 | 403 | 404 | 'goes on';

/** What is done, and what the next request on the survey gets and the open stream says: with the key, and in the session. */
const REVOCATIONS: [string, (caller: Caller) => Promise<unknown>, key: Outcome, session: Outcome][] = [
  ['the user is suspended', ({ key }) => admin(`/api/users/${key.userId}/suspend`), 401, 401],
  ['the user is deleted', ({ key }) => admin(`/api/users/${key.userId}`, 'delete'), 401, 401],
  [
    'the user becomes a client',
    ({ key }) => admin(`/api/users/${key.userId}`, 'put', { user_type: 3 }),
    403,
    401,
  ],
  [
    'the user changes their password',
    async ({ key }) => {
      const other = await signIn(test, key);
      const passwords = { current_password: key.password, new_password: 'another one' };
      await other.put(`/api/users/${key.userId}/change-password`, passwords).expect(200);
    },
    'goes on',
    401,
  ],
  [
    'the user signs out',
    ({ session }) => session.post('/api/auth', { action: 'logout' }).expect(200).then(),
    'goes on',
    401,
  ],
  [
    'the user ends their other sessions',
    async ({ key }) => (await signIn(test, key)).delete('/api/sessions').expect(204),
    'goes on',
    401,
  ],
  [
    'the key is revoked',
    async ({ session }) => {
      const keys = await session.get('/api/api-keys').expect(200);
      await session.delete(`/api/api-keys/${keys.body.data[0].api_key_id}`).expect(204);
    },
    401,
    'goes on',
  ],
  [
    'the session expires',
    ({ key }) =>
      test.database.db.raw(`UPDATE sessions SET expires_at = now() WHERE user_id = ?`, [key.userId]).then(),
    'goes on',
    401,
  ],
  [
    'the user is removed from the workspace',
    ({ owner, workspaceId, key }) =>
      owner.delete(`/api/workspaces/${workspaceId}/members/${key.userId}`).expect(204).then(),
    404,
    404,
  ],
  [
    'the workspace becomes private',
    ({ owner, workspaceId }) =>
      owner.put(`/api/workspaces/${workspaceId}`, { workspace_visibility: 1 }).expect(200).then(),
    404,
    404,
  ],
  [
    'the workspace is deleted',
    ({ owner, workspaceId }) => owner.delete(`/api/workspaces/${workspaceId}`).expect(204).then(),
    404,
    404,
  ],
  [
    'the survey is deleted',
    ({ owner, surveyId }) => owner.delete(`/api/surveys/${surveyId}`).expect(204).then(),
    404,
    404,
  ],
  [
    'the survey moves to a workspace hidden from the user',
    async ({ owner, surveyId }) => {
      const created = await owner.post('/api/workspaces', { workspace_name: 'Elsewhere' }).expect(201);
      const body = { workspace_id: created.body.data.workspace_id as number };
      await owner.put(`/api/surveys/${surveyId}`, body).expect(200);
    },
    404,
    404,
  ],
];

const CODES = { 401: 'unauthenticated', 403: 'forbidden', 404: 'not_found' };

describe.each(REVOCATIONS)('access is revoked when %s', (_name, revoke, withKey, inSession) => {
  it('for the next request, and an open stream ends with the reason', async () => {
    const caller = await createCaller();
    const { byKey, bySession } = await streams(caller);
    await revoke(caller);
    const ways = [[caller.key, withKey, byKey] as const, [caller.session, inSession, bySession] as const];
    for (const [actor, outcome, { ended }] of ways) {
      const status = outcome === 'goes on' ? 200 : outcome;
      const paths = [`/api/surveys/${caller.surveyId}`, `/api/jobs/${caller.jobId}`];
      const replies = await Promise.all(paths.map((path) => actor.get(path)));
      expect(replies.map((reply) => reply.status)).toEqual([status, status]);
      const jobs = await actor.get('/api/jobs');
      if (outcome === 404) expect(jobs.body).toMatchObject({ data: [], meta: { total: 0 } });
      else expect(jobs.status).toBe(status);
      if (outcome === 'goes on') continue;
      const text = await ended;
      expect(text).toMatch(/^:\nretry: \d+\n\nid: \w+\ndata: /);
      expect(text).toMatch(new RegExp(`\n\nevent: error\ndata: \\{.*"code":"${CODES[outcome]}"\\}\n\n$`));
    }
    const survivors = ways.filter(([, outcome]) => outcome === 'goes on');
    const late = new Promise((resolve) => setTimeout(() => resolve('still open'), 300));
    for (const [, , { ended }] of survivors) expect(await Promise.race([ended, late])).toBe('still open');
  });
});

it('a former editor cannot change anything from the next request on', async () => {
  const { key, owner, workspaceId, surveyId } = await createCaller();
  await key.put(`/api/surveys/${surveyId}`, { survey_name: 'Mine' }).expect(200);
  const role = { user_id: key.userId, role: 'viewer' };
  await owner.post(`/api/workspaces/${workspaceId}/members`, role).expect(200);
  await key.put(`/api/surveys/${surveyId}`, { survey_name: 'Still mine' }).expect(403);
  await key.get(`/api/surveys/${surveyId}`).expect(200);
});

it('a demoted admin and a superadmin who switches organization lose what only they could see', async () => {
  const { key } = await createCaller('admin');
  await key.get('/api/audit').expect(200);
  await admin(`/api/users/${key.userId}`, 'put', { user_type: 2 });
  await key.get('/api/audit').expect(403);

  const roaming = await createCaller('superadmin');
  const { bySession } = await streams(roaming);
  const { rows } = await test.database.db.raw(
    `INSERT INTO organizations (organization_name, organization_slug) VALUES ('Elsewhere', 'elsewhere') RETURNING organization_id`,
  );
  await roaming.session.put(`/api/organizations/current/${rows[0].organization_id}`).expect(200);
  await roaming.session.get(`/api/surveys/${roaming.surveyId}`).expect(404);
  await roaming.key.get(`/api/surveys/${roaming.surveyId}`).expect(200);
  expect(await bySession.ended).toContain('"code":"not_found"');
});
