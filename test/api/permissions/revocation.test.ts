import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, signIn, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { useWorkers } from '../../support/jobs.ts';
import { draftSurvey } from '../../support/surveys.ts';

const test = useApp();
const home = useOrganization(test);
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

/** A user with an API key and a session, who edits a shared workspace and has a job for its survey. */
interface Editor {
  key: Actor;
  session: Session;
  owner: Actor;
  workspaceId: number;
  surveyId: number;
  jobId: number;
}

async function createEditor(role: 'member' | 'admin' | 'superadmin' = 'member'): Promise<Editor> {
  const [owner, key] = [await home.person('member'), await home.person(role)];
  const shared = { workspace_name: 'Shared', workspace_visibility: 3 };
  const created = await owner.post('/api/workspaces', shared).expect(201);
  const workspaceId: number = created.body.data.workspace_id;
  const invited = { user_id: key.userId, role: 'editor' };
  await owner.post(`/api/workspaces/${workspaceId}/members`, invited).expect(201);
  const { surveyId } = await draftSurvey(owner, [[]], { workspaceId });
  const jobId = await queue.enqueue(key, 'never-run', {}, { surveyId });
  return { key, session: await signIn(test, key), owner, workspaceId, surveyId, jobId };
}

/** Opens an event stream and waits for its first event; `ended` resolves to its complete text. */
async function openStream(
  headers: Record<string, string>,
  jobId: number,
): Promise<{ ended: Promise<string> }> {
  const { port } = server.address() as AddressInfo;
  const reply = await new Promise<IncomingMessage>((resolve) =>
    get({ port, path: `/api/jobs/${jobId}/events`, headers }, resolve),
  );
  expect(reply.statusCode).toBe(200);
  let text = '';
  await new Promise<void>((resolve) => {
    reply.on('data', (part: Buffer) => {
      text += part.toString();
      if (text.includes('\ndata: ')) resolve();
    });
  });
  open.push(reply);
  return { ended: new Promise((resolve) => reply.on('end', () => resolve(text))) };
}

async function openStreams({ key, session, jobId }: Editor) {
  const byKey = await openStream({ 'X-API-Key': key.apiKey! }, jobId);
  const bySession = await openStream({ Authorization: `Bearer ${session.token}` }, jobId);
  return { byKey, bySession };
}

const admin = (path: string, method: 'post' | 'put' | 'delete' = 'post', body?: object) =>
  method === 'delete' ? home.admin.delete(path).expect(204) : home.admin[method](path, body).expect(200);

type Outcome = 401 | 403 | 404 | 'unaffected';

/** A loss of access, and its outcome for the next requests and the open stream: with the API key, and in the session. */
const ACCESS_LOSSES: [string, (editor: Editor) => Promise<unknown>, key: Outcome, session: Outcome][] = [
  ['the user is suspended', ({ key }) => admin(`/api/users/${key.userId}/suspend`), 401, 401],
  ['the user is deleted', ({ key }) => admin(`/api/users/${key.userId}`, 'delete'), 401, 401],
  [
    'the user becomes a client',
    ({ key }) => admin(`/api/users/${key.userId}`, 'put', { user_type: 3 }),
    403,
    401,
  ],
  [
    'an admin sets the password',
    ({ key }) => admin(`/api/users/${key.userId}`, 'put', { user_password: 'another password' }),
    401,
    401,
  ],
  [
    'an admin sets the password and keeps the API keys',
    ({ key }) =>
      admin(`/api/users/${key.userId}`, 'put', { user_password: 'another password', revoke_api_keys: false }),
    'unaffected',
    401,
  ],
  [
    'the user changes the password',
    async ({ key }) => {
      const other = await signIn(test, key);
      const passwords = { current_password: key.password, new_password: 'another password' };
      await other.put(`/api/users/${key.userId}/change-password`, passwords).expect(200);
    },
    'unaffected',
    401,
  ],
  [
    'the user signs out',
    ({ session }) => session.post('/api/auth', { action: 'logout' }).expect(200).then(),
    'unaffected',
    401,
  ],
  [
    'the user ends all other sessions',
    async ({ key }) => (await signIn(test, key)).delete('/api/sessions').expect(204),
    'unaffected',
    401,
  ],
  [
    'the API key is revoked',
    async ({ session }) => {
      const keys = await session.get('/api/api-keys').expect(200);
      await session.delete(`/api/api-keys/${keys.body.data[0].api_key_id}`).expect(204);
    },
    401,
    'unaffected',
  ],
  [
    'the session expires',
    ({ key }) =>
      test.database.db.raw(`UPDATE sessions SET expires_at = now() WHERE user_id = ?`, [key.userId]).then(),
    'unaffected',
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
    'the survey is moved to another workspace',
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

describe.each(ACCESS_LOSSES)('when %s', (_name, removeAccess, withKey, inSession) => {
  it('the next request is affected, and an open stream ends with the reason', async () => {
    const editor = await createEditor();
    const { byKey, bySession } = await openStreams(editor);
    await removeAccess(editor);
    const credentials = [
      [editor.key, withKey, byKey] as const,
      [editor.session, inSession, bySession] as const,
    ];
    for (const [actor, outcome, { ended }] of credentials) {
      const status = outcome === 'unaffected' ? 200 : outcome;
      const paths = [`/api/surveys/${editor.surveyId}`, `/api/jobs/${editor.jobId}`];
      const replies = await Promise.all(paths.map((path) => actor.get(path)));
      expect(replies.map((reply) => reply.status)).toEqual([status, status]);
      const jobs = await actor.get('/api/jobs');
      if (outcome === 404) expect(jobs.body).toMatchObject({ data: [], meta: { total: 0 } });
      else expect(jobs.status).toBe(status);
      if (outcome === 'unaffected') continue;
      const text = await ended;
      expect(text).toMatch(/^:\nretry: \d+\n\nid: \w+\ndata: /);
      expect(text).toMatch(new RegExp(`\n\nevent: error\ndata: \\{.*"code":"${CODES[outcome]}"\\}\n\n$`));
    }
    const survivors = credentials.filter(([, outcome]) => outcome === 'unaffected');
    const timeout = new Promise((resolve) => setTimeout(() => resolve('still open'), 300));
    for (const [, , { ended }] of survivors) expect(await Promise.race([ended, timeout])).toBe('still open');
  });
});

it('an editor who becomes a viewer cannot change a survey any more', async () => {
  const { key, owner, workspaceId, surveyId } = await createEditor();
  await key.put(`/api/surveys/${surveyId}`, { survey_name: 'Mine' }).expect(200);
  const role = { user_id: key.userId, role: 'viewer' };
  await owner.post(`/api/workspaces/${workspaceId}/members`, role).expect(200);
  await key.put(`/api/surveys/${surveyId}`, { survey_name: 'Still mine' }).expect(403);
  await key.get(`/api/surveys/${surveyId}`).expect(200);
});

it('an admin who becomes a member and a superadmin who switches organizations lose their access', async () => {
  const { key } = await createEditor('admin');
  await key.get('/api/audit').expect(200);
  await admin(`/api/users/${key.userId}`, 'put', { user_type: 2 });
  await key.get('/api/audit').expect(403);

  const roaming = await createEditor('superadmin');
  const { bySession } = await openStreams(roaming);
  const { rows } = await test.database.db.raw(
    `INSERT INTO organizations (organization_name, organization_slug) VALUES ('Elsewhere', 'elsewhere') RETURNING organization_id`,
  );
  await roaming.session.put(`/api/organizations/current/${rows[0].organization_id}`).expect(200);
  await roaming.session.get(`/api/surveys/${roaming.surveyId}`).expect(404);
  await roaming.key.get(`/api/surveys/${roaming.surveyId}`).expect(200);
  expect(await bySession.ended).toContain('"code":"not_found"');
});
