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
const organization = useOrganization(test);

describe('an organization', () => {
  it('is visible to all its users, including clients', async () => {
    for (const role of ['admin', 'member', 'client'] as const) {
      const reply = await (await organization.addUser(role)).get('/api/organization').expect(200);
      expect(reply.body.data).toMatchObject({
        organization_id: organization.organizationId,
        organization_slug: organization.slug,
      });
    }
  });

  it('can be renamed only by an admin', async () => {
    const slug = `new-${organization.slug}`;
    const reply = await organization.admin
      .put('/api/organization', { organization_name: 'Acme Research', organization_slug: slug })
      .expect(200);
    expect(reply.body.data).toEqual({
      organization_id: organization.organizationId,
      organization_name: 'Acme Research',
      organization_slug: slug,
    });
    await organization.admin.put('/api/organization', reply.body.data as object).expect(200);
    await expectRefused(
      (await organization.addUser('member')).put('/api/organization', { organization_name: 'X' }),
      403,
    );
  });

  it('keeps both of two concurrent changes', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const [name, slug] = [`Round ${round}`, `round-${round}-${organization.slug}`];
      await Promise.all([
        organization.admin.put('/api/organization', { organization_name: name }).expect(200),
        organization.admin.put('/api/organization', { organization_slug: slug }).expect(200),
      ]);
      const reply = await organization.admin.get('/api/organization').expect(200);
      expect(reply.body.data).toMatchObject({ organization_name: name, organization_slug: slug });
    }
  });

  it('requires a unique, URL-safe slug', async () => {
    const other = await newOrganization(test);
    await expectRefused(
      organization.admin.put('/api/organization', { organization_slug: other.slug }),
      409,
      'slug_taken',
    );
    for (const slug of ['Upper', 'a', 'two--hyphens', '-x-', 'a b c', 'ümlaut', '../..', 'x'.repeat(64)])
      await expectInvalidField(
        organization.admin.put('/api/organization', { organization_slug: slug }),
        'organization_slug',
      );
  });
});

describe('a superadmin', () => {
  let otherOrganization: Organization;
  let superadmin: Actor;

  beforeAll(async () => {
    otherOrganization = await newOrganization(test);
    superadmin = await organization.addUser('superadmin');
  });

  it('is the only role that sees every organization', async () => {
    const reply = await superadmin.get('/api/organizations').expect(200);
    const ids = (reply.body.data as { organization_id: number }[]).map((one) => one.organization_id);
    expect(ids).toEqual(
      expect.arrayContaining([organization.organizationId, otherOrganization.organizationId]),
    );
    await expectRefused(organization.admin.get('/api/organizations'), 403);
    await expectRefused(
      organization.admin.put(`/api/organizations/current/${otherOrganization.organizationId}`),
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
      organization.organizationId,
    );
    await superadmin.get(`/api/workspaces/${otherOrganization.workspaceId}`).expect(200);
    await expectRefused(superadmin.get(`/api/workspaces/${organization.workspaceId}`), 404);
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
    await superadmin.put(`/api/organizations/current/${organization.organizationId}`).expect(200);
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
    await superadmin.put(`/api/organizations/current/${organization.organizationId}`).expect(200);
    expect((await superadmin.get('/api/organization').expect(200)).body.data.organization_id).toBe(
      organization.organizationId,
    );
    await expectRefused(superadmin.put(`/api/organizations/current/${MISSING_ID}`), 404);
  });

  it('loses access to other organizations when demoted', async () => {
    await superadmin.put(`/api/organizations/current/${otherOrganization.organizationId}`).expect(200);
    await test.database.db.raw(`UPDATE users SET user_role = 'member' WHERE user_id = ?`, [
      superadmin.userId,
    ]);
    expect((await superadmin.get('/api/organization').expect(200)).body.data.organization_id).toBe(
      organization.organizationId,
    );
    await expectRefused(superadmin.get(`/api/workspaces/${otherOrganization.workspaceId}`), 404);
  });
});
