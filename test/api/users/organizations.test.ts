import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Actor,
  newOrganization,
  type Organization,
  signIn,
  useOrganization,
} from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const test = useApp();
const home = useOrganization(test);

describe('an organization', () => {
  it('is visible to all its users, including clients', async () => {
    for (const role of ['admin', 'member', 'client'] as const) {
      const reply = await (await home.addUser(role)).get('/api/organization').expect(200);
      expect(reply.body.data).toMatchObject({
        organization_id: home.organizationId,
        organization_slug: home.slug,
      });
    }
  });

  it('can be renamed only by an admin', async () => {
    const slug = `new-${home.slug}`;
    const reply = await home.admin
      .put('/api/organization', { organization_name: 'Acme Research', organization_slug: slug })
      .expect(200);
    expect(reply.body.data).toEqual({
      organization_id: home.organizationId,
      organization_name: 'Acme Research',
      organization_slug: slug,
    });
    await home.admin.put('/api/organization', reply.body.data as object).expect(200);
    await expectRefused(
      (await home.addUser('member')).put('/api/organization', { organization_name: 'X' }),
      403,
    );
  });

  it('keeps both of two concurrent changes', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const [name, slug] = [`Round ${round}`, `round-${round}-${home.slug}`];
      await Promise.all([
        home.admin.put('/api/organization', { organization_name: name }).expect(200),
        home.admin.put('/api/organization', { organization_slug: slug }).expect(200),
      ]);
      const reply = await home.admin.get('/api/organization').expect(200);
      expect(reply.body.data).toMatchObject({ organization_name: name, organization_slug: slug });
    }
  });

  it('requires a unique, URL-safe slug', async () => {
    const other = await newOrganization(test);
    await expectRefused(
      home.admin.put('/api/organization', { organization_slug: other.slug }),
      409,
      'slug_taken',
    );
    for (const slug of ['Upper', 'a', 'two--hyphens', '-x-', 'a b c', 'ümlaut', '../..', 'x'.repeat(64)])
      await expectInvalidField(
        home.admin.put('/api/organization', { organization_slug: slug }),
        'organization_slug',
      );
  });
});

describe('a superadmin', () => {
  let otherOrganization: Organization;
  let superadmin: Actor;

  beforeAll(async () => {
    otherOrganization = await newOrganization(test);
    superadmin = await home.addUser('superadmin');
  });

  it('is the only role that sees every organization', async () => {
    const reply = await superadmin.get('/api/organizations').expect(200);
    const ids = (reply.body.data as { organization_id: number }[]).map((one) => one.organization_id);
    expect(ids).toEqual(expect.arrayContaining([home.organizationId, otherOrganization.organizationId]));
    await expectRefused(home.admin.get('/api/organizations'), 403);
    await expectRefused(
      home.admin.put(`/api/organizations/current/${otherOrganization.organizationId}`),
      403,
    );
  });

  it('acts as an admin of another organization, only with the credential that switched', async () => {
    const session = await signIn(test, superadmin);
    await superadmin.put(`/api/organizations/current/${otherOrganization.organizationId}`).expect(200);
    expect((await superadmin.get('/api/organization').expect(200)).body.data.organization_slug).toBe(
      otherOrganization.slug,
    );
    expect((await session.get('/api/organization').expect(200)).body.data.organization_id).toBe(
      home.organizationId,
    );
    await superadmin.get(`/api/workspaces/${otherOrganization.workspaceId}`).expect(200);
    await expectRefused(superadmin.get(`/api/workspaces/${home.workspaceId}`), 404);
    const survey = await superadmin
      .post('/api/surveys', { survey_name: 'From outside', workspace_id: otherOrganization.workspaceId })
      .expect(201);
    await otherOrganization.admin.get(`/api/surveys/${survey.body.data.survey_id}`).expect(200);
    const auditLog = await otherOrganization.admin
      .get('/api/audit')
      .query({ user_id: superadmin.userId })
      .expect(200);
    expect((auditLog.body.data as { action: string }[]).map((entry) => entry.action)).toEqual([
      'survey.created',
      'organization.entered',
    ]);
  });

  it('does not get the stored reply of another organization for the same Idempotency-Key', async () => {
    const createGroup = () =>
      superadmin.post('/api/groups', { group_name: 'Once' }).set('Idempotency-Key', 'once-each');
    await superadmin.put(`/api/organizations/current/${home.organizationId}`).expect(200);
    const homeGroup = await createGroup().expect(201);
    await superadmin.put(`/api/organizations/current/${otherOrganization.organizationId}`).expect(200);
    const otherGroup = await createGroup().expect(201);
    expect(otherGroup.body.data.group_id).not.toBe(homeGroup.body.data.group_id);
  });

  it('cannot create a workspace in another organization', async () => {
    await expectRefused(
      superadmin.post('/api/workspaces', { workspace_name: 'Mine' }),
      409,
      'acting_elsewhere',
    );
  });

  it('can switch back, but not to an organization that does not exist', async () => {
    await superadmin.put(`/api/organizations/current/${home.organizationId}`).expect(200);
    expect((await superadmin.get('/api/organization').expect(200)).body.data.organization_id).toBe(
      home.organizationId,
    );
    await expectRefused(superadmin.put(`/api/organizations/current/${MISSING_ID}`), 404);
  });

  it('loses access to other organizations when demoted', async () => {
    await superadmin.put(`/api/organizations/current/${otherOrganization.organizationId}`).expect(200);
    await test.database.db.raw(`UPDATE users SET user_role = 'member' WHERE user_id = ?`, [
      superadmin.userId,
    ]);
    expect((await superadmin.get('/api/organization').expect(200)).body.data.organization_id).toBe(
      home.organizationId,
    );
    await expectRefused(superadmin.get(`/api/workspaces/${otherOrganization.workspaceId}`), 404);
  });
});
