import { type Actor, signIn } from '../actors.ts';
import { PNG } from '../sample-files.ts';
import { draftSurvey } from '../surveys.ts';
import { type Kind, ROLES } from './callers.ts';
import type { CreateTarget, Row, Rows } from './row.ts';
import { createFinishedJob, type CredentialKind, type Fixtures } from './fixtures.ts';

const plain: Row = {};
const admin = (fixtures: Fixtures) => fixtures.callers.admin.key;
const avatar = `data:image/png;base64,${PNG.toString('base64')}`;

/** Another user, of this status. */
const createColleague =
  (status = 1): CreateTarget =>
  async ({ home, test }) => {
    const { userId } = await home.addUser('member');
    await test.database.db.raw('UPDATE users SET user_status = ? WHERE user_id = ?', [status, userId]);
    return { userId };
  };

/** A caller of the same kind in a session that may end. */
async function createSimilarCaller(
  fixtures: Fixtures,
  { kind, credential }: { kind: Kind; credential: CredentialKind },
): Promise<Actor> {
  const user = await fixtures.home.addUser(ROLES[kind] ?? 'member');
  return credential === 'key' ? user : signIn(fixtures.test, user);
}

const createGroup: CreateTarget = async (fixtures, { userId }) => {
  const created = await admin(fixtures)
    .post('/api/groups', { group_name: `Group ${(groupCount += 1)}` })
    .expect(201);
  const groupId: number = created.body.data.group_id;
  await admin(fixtures)
    .post(`/api/groups/${groupId}/members`, { user_ids: [userId] })
    .expect(201);
  return { groupId };
};
let groupCount = 0;

export const userRows: Rows = {
  health: plain,
  authenticate: {
    body: () => ({ action: 'logout' }),
    fresh: async (fixtures, _ids, caller) => ({ as: await createSimilarCaller(fixtures, caller) }),
  },
  listApiKeys: plain,
  createApiKey: {
    fresh: ({ callers }, _ids, { kind, credential }) =>
      Promise.resolve({ currentPassword: callers[kind][credential].password }),
    body: ({ currentPassword }) => ({ key_name: 'More', current_password: currentPassword }),
  },
  revokeApiKey: {
    fresh: async ({ callers }) => {
      const { session } = callers.owner;
      const body = { key_name: 'Gone', current_password: session.password };
      const created = await session.post('/api/api-keys', body).expect(201);
      return { apiKeyId: created.body.data.api_key_id as number };
    },
  },

  listUserApiKeys: plain,
  revokeUserApiKey: {
    fresh: async ({ home, test }) => {
      const { userId } = await home.addUser('member');
      const owner = { organizationId: home.organizationId, userId };
      const { api_key_id: apiKeyId } = await test.container.services.apiKeys.create(owner, 'Gone');
      return { userId, apiKeyId };
    },
  },

  getMe: plain,
  listUsers: plain,
  getUser: plain,
  createUser: {
    body: (_ids, n) => ({
      user_email: `new-${n}-${Math.random()}@people.example`,
      user_name: 'New',
      user_password: 'long enough',
    }),
  },
  updateUser: { body: () => ({ user_name: 'Named' }) },
  deleteUser: { fresh: createColleague() },
  approveUser: { fresh: createColleague(2), body: () => ({}) },
  rejectUser: { fresh: createColleague(2), body: () => ({}) },
  suspendUser: { fresh: createColleague(), body: () => ({}) },
  reactivateUser: { fresh: createColleague(3), body: () => ({}) },
  sendPasswordLink: {
    fresh: async (fixtures, ids, caller) => ({
      ...(await createColleague()(fixtures, ids, caller)),
      currentPassword: fixtures.callers[caller.kind][caller.credential].password,
    }),
    body: ({ currentPassword }) => ({ current_password: currentPassword }),
  },
  confirmUserEmail: { body: () => ({}) },
  setUserAiAccess: { fresh: createColleague(), body: () => ({ ai_access: false }) },
  listUserDashboards: plain,
  setUserDashboards: { body: () => ({ dashboard_ids: [] }) },
  getUserAvatar: plain,
  setUserAvatar: { body: () => ({ avatar }) },
  deleteUserAvatar: {
    fresh: async ({ callers }) => {
      const { viewer } = callers;
      await viewer.key.put(`/api/users/${viewer.key.userId}/avatar`, { avatar }).expect(200);
      return {};
    },
  },
  changePassword: {
    body: (_ids, n) => ({ current_password: 'the old one', new_password: `the new one ${n}` }),
    fresh: async (fixtures, _ids, caller) => {
      const as = await createSimilarCaller(fixtures, caller);
      const passwordHash = await fixtures.test.container.services.passwords.hash('the old one');
      await fixtures.test.database.db.raw('UPDATE users SET password_hash = ? WHERE user_id = ?', [
        passwordHash,
        as.userId,
      ]);
      const again = { ...as, password: 'the old one' };
      return { userId: as.userId, as: await signIn(fixtures.test, again) };
    },
  },

  listSessions: plain,
  endOtherSessions: {
    fresh: async (fixtures, _ids, caller) => ({ as: await createSimilarCaller(fixtures, caller) }),
  },
  endSession: {
    fresh: async ({ callers, test }) => {
      const { owner } = callers;
      const before = await owner.session.get('/api/sessions').expect(200);
      const known = new Set((before.body.data as { session_id: string }[]).map((one) => one.session_id));
      await signIn(test, owner.key);
      const after = await owner.session.get('/api/sessions').expect(200);
      const added = (after.body.data as { session_id: string }[]).find((one) => !known.has(one.session_id));
      return { sessionId: added!.session_id };
    },
  },

  getOrganization: plain,
  updateOrganization: { body: () => ({ organization_name: 'Named' }) },
  listOrganizations: plain,
  setCurrentOrganization: plain,

  listGroups: plain,
  createGroup: { body: (_ids, n) => ({ group_name: `New ${n}` }) },
  updateGroup: { body: () => ({ group_description: 'Said' }) },
  deleteGroup: { fresh: createGroup },
  listGroupMembers: plain,
  addGroupMembers: { body: ({ userId }) => ({ user_ids: [userId] }) },
  removeGroupMember: { path: ({ userId }) => ({ userId }), fresh: createGroup },
  listGroupDashboards: plain,
  setGroupDashboards: { body: () => ({ dashboard_ids: [] }) },

  listInviteLinks: plain,
  createInviteLink: { body: () => ({}) },
  revokeInviteLink: {
    fresh: async (fixtures) => {
      const created = await admin(fixtures).post('/api/invite-links', {}).expect(201);
      return { inviteId: created.body.data.invite_id as number };
    },
  },
  getInvitation: { path: ({ inviteToken }) => ({ token: inviteToken }) },
  listAuditEntries: plain,
  undoMove: {
    fresh: async ({ callers, home, foreign }, _ids, { kind }) => {
      const [by, workspaceId] =
        kind === 'foreign'
          ? [callers.foreign.key, foreign.workspaceId]
          : [callers.admin.key, home.workspaceId];
      const { surveyId } = await draftSurvey(by, [[]], { workspaceId });
      const own = await by.post('/api/workspaces', { workspace_name: 'Own' }).expect(201);
      await by.put(`/api/surveys/${surveyId}`, { workspace_id: own.body.data.workspace_id }).expect(200);
      const moves = await by.get(`/api/audit?action=survey.moved&object_id=${surveyId}`).expect(200);
      return { auditId: moves.body.data[0].audit_id as number };
    },
  },

  listJobs: plain,
  getJob: plain,
  watchJob: plain,
  downloadJobFile: plain,
  cancelJob: {
    fresh: async ({ test, callers }, { surveyId }) => ({
      jobId: await createFinishedJob(test, callers.owner.key, surveyId),
    }),
  },
};
