import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { invite } from '../../support/invitations.ts';
import { expectRefused } from '../../support/refusals.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);
const stranger = anonymous(test);
let survey: PublishedSurvey;
let viewer: Actor;
let editor: Actor;
let workspaceId: number;
/** Of the invitations, by their row. */
let tokens: {
  link_token: string;
  opt_out_token: string;
  respondent_id: number;
  invitation_status: string;
}[];
let uniqueLink: { link_id: number; link_token: string };

beforeAll(async () => {
  survey = await publishedSurvey(organization.admin);
  [viewer, editor] = [await organization.addUser('member'), await organization.addUser('member')];
  const shared = await organization.admin
    .post('/api/workspaces', { workspace_name: 'Shared', workspace_visibility: 3 })
    .expect(201);
  workspaceId = shared.body.data.workspace_id;
  for (const [user, role] of [
    [viewer, 'viewer'],
    [editor, 'editor'],
  ] as const)
    await organization.admin
      .post(`/api/workspaces/${workspaceId}/members`, { user_id: user.userId, role })
      .expect(201);
  await organization.admin.put(`/api/surveys/${survey.surveyId}`, { workspace_id: workspaceId }).expect(200);
  const created = await organization.admin
    .post(`/api/surveys/${survey.surveyId}/links`, { link_type: 'unique', link_name: 'For one person' })
    .expect(201);
  uniqueLink = created.body.data;
  const respondents = [{ email: 'ana@people.example' }, { email: 'ben@people.example' }];
  await invite(organization.admin, survey, respondents).expect(202);
  tokens = await invitationRows();
});

async function invitationRows() {
  const { rows } = await test.database.db.raw<{ rows: typeof tokens }>(
    'SELECT link_token, opt_out_token, respondent_id, invitation_status FROM invitations WHERE survey_id = ? ORDER BY invitation_id',
    [survey.surveyId],
  );
  return rows;
}

describe('a viewer of a survey', () => {
  it('sees invitations without their links; an editor sees them', async () => {
    const path = `/api/surveys/${survey.surveyId}/invitations`;
    const listedLinks = (await viewer.get(path).expect(200)).body.data as { link_url: string | null }[];
    expect(listedLinks.map(({ link_url }) => link_url)).toEqual([null, null]);
    const edited = (await editor.get(path).expect(200)).body.data as { link_url: string | null }[];
    expect(edited.map(({ link_url }) => link_url?.split('/s/')[1])).toEqual(
      tokens.map(({ link_token }) => link_token).reverse(),
    );
    await expectRefused(viewer.get(`/api/outbox?workspace_id=${workspaceId}`), 403);
  });

  it('sees no URL or QR code of a unique link', async () => {
    const links = `/api/surveys/${survey.surveyId}/links`;
    for (const path of [links, `/api/surveys/links?workspace_id=${workspaceId}`]) {
      const listedLinks = (await viewer.get(path).expect(200)).body.data as {
        link_id: number;
        link_token: unknown;
      }[];
      const shown = new Map(listedLinks.map((link) => [link.link_id, link.link_token]));
      expect([shown.get(uniqueLink.link_id), shown.get(survey.linkId)]).toEqual([null, survey.linkToken]);
      expect((await editor.get(path).expect(200)).text).toContain(uniqueLink.link_token);
    }
    for (const what of ['qr', 'embed']) {
      await expectRefused(viewer.get(`${links}/${uniqueLink.link_id}/${what}`), 403);
      await editor.get(`${links}/${uniqueLink.link_id}/${what}`).expect(200);
      await viewer.get(`${links}/${survey.linkId}/${what}`).expect(200);
    }
  });

  it('gets none of these tokens anywhere else', async () => {
    const id = survey.surveyId;
    const { respondent_id: respondent } = tokens[0]!;
    const inShared = `workspace_id=${workspaceId}`;
    const secrets = [uniqueLink.link_token, ...tokens.flatMap((row) => [row.link_token, row.opt_out_token])];
    for (const path of [
      `/api/surveys/${id}`,
      `/api/surveys/${id}/links`,
      `/api/surveys/${id}/invitations`,
      `/api/surveys/${id}/invite/summary`,
      `/api/surveys/links?${inShared}`,
      `/api/surveys/waves/distributions?${inShared}`,
      `/api/surveys/respondents?${inShared}`,
      `/api/surveys/respondents/${respondent}`,
      `/api/responses/${id}/grid`,
      '/api/jobs',
    ]) {
      const reply = await viewer.get(path).expect(200);
      for (const secret of secrets) expect(reply.text.includes(secret), `${secret} in ${path}`).toBe(false);
    }
  });
});

describe('the unsubscribe link', () => {
  it('does not open the survey', async () => {
    const { opt_out_token: token } = tokens[0]!;
    await stranger.get(`/api/public/s/${token}`).expect(404);
    await stranger.post(`/api/public/s/${token}/responses`, { answers: { Q1: '1' } }).expect(404);
    await stranger.get(`/s/${token}`).expect(404);
    const page = await stranger.get(`/u/${token}`).expect(200);
    expect(page.text).not.toContain(tokens[0]!.link_token);
  });

  it('has another token than the survey link', async () => {
    const { link_token: token } = tokens[0]!;
    await stranger.get(`/u/${token}`).expect(404);
    await stranger.post(`/u/${token}`).type('form').send('List-Unsubscribe=One-Click').expect(404);
    await stranger.post(`/u/${token}/undo`).expect(404);
    expect(await invitationRows()).toEqual(tokens);
  });

  it('of an email sent before tokens were separate still works, and later emails have the new one', async () => {
    // As the invitations of such mails are stored: with a token that none of their mails has.
    await test.database.db.raw(
      `UPDATE invitations SET link_token_opts_out = true, opt_out_token = replace(gen_random_uuid()::text, '-', '')`,
    );
    const rows = await invitationRows();
    expect(rows.map((row) => row.link_token)).toEqual(tokens.map((row) => row.link_token));
    const { link_token: token, opt_out_token: newToken, respondent_id: respondent } = rows[1]!;
    expect(newToken).toMatch(/^[a-z0-9]{32}$/);
    expect(newToken).not.toBe(rows[0]!.opt_out_token);
    await stranger.post(`/u/${token}`).type('form').send('List-Unsubscribe=One-Click').expect(200);
    const statusNow = async () =>
      (await invitationRows()).find((invitation) => invitation.respondent_id === respondent)!
        .invitation_status;
    expect(await statusNow()).toBe('opted_out');
    await stranger.post(`/u/${newToken}/undo`).expect(200);
    await stranger.get(`/api/public/s/${newToken}`).expect(404);
  });
});
