import { type Actor, signIn } from '../actors.ts';
import { PNG } from '../sample-files.ts';
import { draftSurvey } from '../surveys.ts';
import { type Kind, ROLES } from './callers.ts';
import type { CreateTarget, Row, Rows } from './row.ts';
import { exportJob, type Way, type Fixtures } from './fixtures.ts';

const plain: Row = {};
const admin = (world: Fixtures) => world.people.admin.key;
const avatar = `data:image/png;base64,${PNG.toString('base64')}`;

/** Another user, of this status. */
const colleague =
  (status = 1): CreateTarget =>
  async ({ home, test }) => {
    const { userId } = await home.person('member');
    await test.database.db.raw('UPDATE users SET user_status = ? WHERE user_id = ?', [status, userId]);
    return { userId };
  };

/** A caller of the same kind in a session that may end. */
async function twin(world: Fixtures, { kind, way }: { kind: Kind; way: Way }): Promise<Actor> {
  const person = await world.home.person(ROLES[kind] ?? 'member');
  return way === 'key' ? person : signIn(world.test, person);
}

const group: CreateTarget = async (world, { userId }) => {
  const made = await admin(world)
    .post('/api/groups', { group_name: `Group ${(made_ += 1)}` })
    .expect(201);
  const groupId: number = made.body.data.group_id;
  await admin(world)
    .post(`/api/groups/${groupId}/members`, { user_ids: [userId] })
    .expect(201);
  return { groupId };
};
let made_ = 0;

export const peopleRows: Rows = {
  health: plain,
  authenticate: {
    body: () => ({ action: 'logout' }),
    fresh: async (world, _ids, caller) => ({ as: await twin(world, caller) }),
  },
  listApiKeys: plain,
  createApiKey: {
    fresh: ({ people }, _ids, { kind, way }) =>
      Promise.resolve({ currentPassword: people[kind][way].password }),
    body: ({ currentPassword }) => ({ key_name: 'More', current_password: currentPassword }),
  },
  revokeApiKey: {
    fresh: async ({ people }) => {
      const { session } = people.owner;
      const body = { key_name: 'Gone', current_password: session.password };
      const made = await session.post('/api/api-keys', body).expect(201);
      return { apiKeyId: made.body.data.api_key_id as number };
    },
  },

  listUserApiKeys: plain,
  revokeUserApiKey: {
    fresh: async ({ home, test }) => {
      const { userId } = await home.person('member');
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
  deleteUser: { fresh: colleague() },
  approveUser: { fresh: colleague(2), body: () => ({}) },
  rejectUser: { fresh: colleague(2), body: () => ({}) },
  suspendUser: { fresh: colleague(), body: () => ({}) },
  reactivateUser: { fresh: colleague(3), body: () => ({}) },
  setUserAiAccess: { fresh: colleague(), body: () => ({ ai_access: false }) },
  listUserDashboards: plain,
  setUserDashboards: { body: () => ({ dashboard_ids: [] }) },
  getUserAvatar: plain,
  setUserAvatar: { body: () => ({ avatar }) },
  deleteUserAvatar: {
    fresh: async ({ people }) => {
      const { viewer } = people;
      await viewer.key.put(`/api/users/${viewer.key.userId}/avatar`, { avatar }).expect(200);
      return {};
    },
  },
  changePassword: {
    body: (_ids, n) => ({ current_password: 'the old one', new_password: `the new one ${n}` }),
    fresh: async (world, _ids, caller) => {
      const as = await twin(world, caller);
      await admin(world).put(`/api/users/${as.userId}`, { user_password: 'the old one' }).expect(200);
      const again = { ...as, password: 'the old one' };
      return { userId: as.userId, as: await signIn(world.test, again) };
    },
  },

  listSessions: plain,
  endOtherSessions: {
    fresh: async (world, _ids, caller) => ({ as: await twin(world, caller) }),
  },
  endSession: {
    fresh: async ({ people, test }) => {
      const { owner } = people;
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
  deleteGroup: { fresh: group },
  listGroupMembers: plain,
  addGroupMembers: { body: ({ userId }) => ({ user_ids: [userId] }) },
  removeGroupMember: { path: ({ userId }) => ({ userId }), fresh: group },
  listGroupDashboards: plain,
  setGroupDashboards: { body: () => ({ dashboard_ids: [] }) },

  listInviteLinks: plain,
  createInviteLink: { body: () => ({}) },
  revokeInviteLink: {
    fresh: async (world) => {
      const made = await admin(world).post('/api/invite-links', {}).expect(201);
      return { inviteId: made.body.data.invite_id as number };
    },
  },
  getInvitation: { path: ({ inviteToken }) => ({ token: inviteToken }) },
  listAuditEntries: plain,
  undoMove: {
    fresh: async ({ people, home, foreign }, _ids, { kind }) => {
      const [by, workspaceId] =
        kind === 'foreign' ? [people.foreign.key, foreign.workspaceId] : [people.admin.key, home.workspaceId];
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
    fresh: async ({ test, people }, { surveyId }) => ({
      jobId: await exportJob(test, people.owner.key, surveyId),
    }),
  },
};
