import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { type TestDashboard, newDashboard, share } from '../../support/dashboards.ts';
import { expectRefused } from '../../support/refusals.ts';

const app = useApp({ ADMINS_PUBLISH_DASHBOARDS: 'true' });
const organization = useOrganization(app);
const { admin } = organization;
let member: Actor;
let board: TestDashboard;

const OPEN_SHARES = [{ share_type: 'public' }, { share_type: 'password', share_password: 'open sesame' }];
const publicPath = ({ slug }: TestDashboard) => `/api/public/d/${organization.slug}/${slug}`;

beforeAll(async () => {
  member = await organization.addUser('member');
  board = await newDashboard(admin);
});

describe('with ADMINS_PUBLISH_DASHBOARDS', () => {
  it('members cannot open a dashboard of the team, or their own, to people who do not sign in', async () => {
    const created = await member
      .post('/api/workspaces', { workspace_name: 'Own', workspace_visibility: 1 })
      .expect(201);
    const own = await newDashboard(member, { workspace_id: created.body.data.workspace_id });
    for (const target of [board, own])
      for (const body of OPEN_SHARES) {
        const { message } = await expectRefused(
          member.post(`${target.at}/shares`, body),
          403,
          'admins_publish_dashboards',
        );
        expect(message).toContain(`share_type: "${body.share_type}"`);
      }
    await anonymous(app).get(publicPath(board)).expect(404);
    expect((await admin.get(`${board.at}/shares`).expect(200)).body.data).toEqual([]);
  });

  it('members share with users, and end the link that an admin opened but cannot change its password', async () => {
    const shared = await newDashboard(admin);
    const client = await organization.addUser('client');
    await member.post(`${shared.at}/shares`, { share_type: 'user', user_id: client.userId }).expect(201);
    const id = await share(admin, shared, { share_type: 'password', share_password: 'open sesame' });
    await expectRefused(
      member.post(`${shared.at}/shares`, { share_type: 'password', share_password: 'another one' }),
      403,
      'admins_publish_dashboards',
    );
    await member.delete(`${shared.at}/shares/${id}`).expect(204);
    await anonymous(app).get(publicPath(shared)).expect(404);
  });

  it('`GET /api/users/me` says whether the user may', async () => {
    const canPublish = async (user: Actor) =>
      (await user.get('/api/users/me').expect(200)).body.data.can_publish_dashboards as boolean;
    expect(await canPublish(admin)).toBe(true);
    expect(await canPublish(member)).toBe(false);
    expect(await canPublish(await organization.addUser('client'))).toBe(false);
  });
});

describe('without it', () => {
  const usual = useApp();
  const home = useOrganization(usual);

  it('members open dashboards that they edit', async () => {
    const editor = await home.addUser('member');
    const dashboard = await newDashboard(home.admin);
    await editor.post(`${dashboard.at}/shares`, { share_type: 'public' }).expect(201);
    expect((await editor.get('/api/users/me').expect(200)).body.data.can_publish_dashboards).toBe(true);
  });
});
