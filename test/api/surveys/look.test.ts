import { describe, expect, it } from 'vitest';
import { anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { text } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const { admin } = useOrganization(test);
const visitor = anonymous(test);

const OF_WORKSPACE = {
  color: '#0f766e',
  logo: 'https://www.example.org/logo.png',
  logo_alt: 'Porto Institute',
  typeface: 'serif',
  imprint_url: 'https://www.example.org/imprint',
  made_with_canvass: true,
};
const OF_SURVEY = { color: '#7c3aed', background_color: '#f5f3ff', made_with_canvass: false };

/** Returns the id of a new workspace with this look. */
async function workspaceWith(look: object): Promise<number> {
  const { body } = await admin.post('/api/workspaces', { workspace_name: 'Branded' }).expect(201);
  const workspaceId: number = body.data.workspace_id;
  const changed = await admin.put(`/api/workspaces/${workspaceId}`, { workspace_look: look }).expect(200);
  expect(changed.body.data.workspace_look).toMatchObject(look);
  return workspaceId;
}

const surveyIn = async (workspaceId: number, settings: object): Promise<number> => {
  const { body } = await admin
    .post('/api/surveys', { survey_name: 'Branded', workspace_id: workspaceId, survey_settings: settings })
    .expect(201);
  return body.data.survey_id as number;
};
const openPreview = async (surveyId: number): Promise<string> => {
  const { body } = await admin.post(`/api/surveys/${surveyId}/preview`, {}).expect(201);
  const page = await visitor.get(`/s/preview/${body.data.preview_token}`).expect(200);
  return page.text;
};

describe('the look of a workspace', () => {
  it('applies to its surveys, which override single values', async () => {
    const workspaceId = await workspaceWith(OF_WORKSPACE);
    const surveyId = await surveyIn(workspaceId, OF_SURVEY);
    const { body } = await admin.get(`/api/surveys/${surveyId}/look`).expect(200);
    expect(body.data.look).toMatchObject({ ...OF_WORKSPACE, ...OF_SURVEY, privacy_url: null });
    expect(body.data.sources).toMatchObject({
      color: 'survey',
      made_with_canvass: 'survey',
      logo: 'workspace',
      typeface: 'workspace',
      privacy_url: 'default',
    });
    const page = await openPreview(surveyId);
    expect(page).toContain('<img src="https://www.example.org/logo.png" alt="Porto Institute"');
    expect(page).toContain('href="https://www.example.org/imprint"');
    expect(page).toContain('data-theme="light"');
    expect(page).not.toMatch(/<span class="made-with"/);
    expect(page).toMatch(/"--accent":"#7c3aed"/);
    expect(page).toMatch(/"--font":"'Iowan/);
    // Null takes the value of the workspace again.
    await admin.put(`/api/surveys/${surveyId}`, { survey_settings: { color: null } }).expect(200);
    expect(await openPreview(surveyId)).toMatch(/"--accent":"#0f766e"/);
  });

  it('applies to published surveys at once, and is recorded', async () => {
    const own = await newOrganization(test);
    const { linkToken } = await publishedSurvey(own.admin, [[text('Q1')]]);
    const current = await own.admin.get('/api/workspaces/current').expect(200);
    const address = `/api/workspaces/${current.body.data.workspace_id}`;
    await own.admin.put(address, { workspace_look: OF_WORKSPACE }).expect(200);
    const page = await visitor.get(`/s/${linkToken}`).expect(200);
    expect(page.text).toMatch(/<span class="made-with">Made with Canvass</);
    expect(page.headers['content-security-policy']).toContain('https://www.example.org');
    const { body } = await own.admin.get('/api/audit?action=workspace.updated').expect(200);
    expect(body.data[0].details).toEqual({ fields: ['workspace_look'] });
    // An anonymous survey loads nothing from other servers.
    const anonymousSurvey = await publishedSurvey(own.admin, {
      survey_name: 'Anonymous',
      settings: { anonymous: true },
      pages: [[text('Q1')]],
    });
    const quiet = await visitor.get(`/s/${anonymousSurvey.linkToken}`).expect(200);
    expect(quiet.text).not.toContain('logo.png');
    expect(quiet.text).toContain('https://www.example.org/imprint');
  });

  it('is changed by its owner only', async () => {
    const workspaceId = await workspaceWith(OF_WORKSPACE);
    const stranger = await newOrganization(test);
    await stranger.admin
      .put(`/api/workspaces/${workspaceId}`, { workspace_look: { color: '#000000' } })
      .expect(404);
    const { body } = await admin.get(`/api/workspaces/${workspaceId}`).expect(200);
    expect(body.data.workspace_look.color).toBe('#0f766e');
  });
});

describe('a color with too little contrast', () => {
  it('is refused with a near color that is accepted, and may stay where it was', async () => {
    const { surveyId } = await draftSurvey(admin);
    const change = (settings: object) => admin.put(`/api/surveys/${surveyId}`, { survey_settings: settings });
    const refused = await change({ color: '#ffee00' }).expect(400);
    const [{ field, message }] = refused.body.details as [{ field: string; message: string }];
    expect(field).toBe('survey_settings.color');
    expect(message).toContain('has a contrast of 1.1:1');
    const [, near] = /(#[0-9a-f]{6}) has enough/.exec(message)!;
    await change({ color: near }).expect(200);
    await expectInvalidField(change({ background_color: '#777777' }), 'survey_settings.background_color');
    // The color is enough on the standard background, and not on this one.
    await expectInvalidField(
      change({ color: '#1e3a8a', background_color: '#0f172a' }),
      'survey_settings.color',
    );
    await change({ color: '#60a5fa', background_color: '#0f172a' }).expect(200);
  });

  it('is refused in a workspace, and in a survey for the background of its workspace', async () => {
    const workspaceId = await workspaceWith({ background_color: '#0f172a' });
    const put = (look: object) => admin.put(`/api/workspaces/${workspaceId}`, { workspace_look: look });
    await expectInvalidField(put({ color: '#1e3a8a' }), 'workspace_look.color');
    await expectInvalidField(put({ imprint_url: 'javascript:alert(1)' }), 'workspace_look.imprint_url');
    const surveyId = await surveyIn(workspaceId, {});
    await expectInvalidField(
      admin.put(`/api/surveys/${surveyId}`, { survey_settings: { color: '#1e3a8a' } }),
      'survey_settings.color',
    );
    await expectInvalidField(
      admin.post('/api/surveys', {
        survey_name: 'Dark',
        workspace_id: workspaceId,
        survey_settings: { color: '#1e3a8a' },
      }),
      'survey_settings.color',
    );
  });
});
