import { beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey, type TestSurvey } from '../../support/surveys.ts';

const test = useApp();
let home: Organization;
let workspaceId: number;
let survey: TestSurvey;

beforeAll(async () => {
  home = await newOrganization(test);
  const created = await home.admin
    .post('/api/workspaces', { workspace_name: 'Search', workspace_visibility: 3 })
    .expect(201);
  workspaceId = created.body.data.workspace_id;
  survey = await draftSurvey(
    home.admin,
    {
      survey_name: 'Drinks',
      survey_description: 'Where people drink coffee',
      pages: [
        [
          choice('taste', { question_text: 'How does the coffee taste? (One answer)' }),
          choice('coffee_cups', { question_text: 'How many cups?' }),
          choice('gone', { question_text: 'Old coffee question' }),
        ],
      ],
    },
    { workspaceId },
  );
  await draftSurvey(home.admin, { survey_name: 'Coffee at work', pages: [[]] }, { workspaceId });
  await draftSurvey(home.admin, { survey_name: 'Coffee elsewhere', pages: [[choice('coffee')]] });
  const inWorkspace = `?workspace_id=${workspaceId}`;
  await home.admin.post(`/api/dashboards${inWorkspace}`, { dashboard_name: 'Coffee figures' }).expect(201);
  await home.admin.post(`/api/reports${inWorkspace}`, { report_name: '100% coffee_report' }).expect(201);
});

const search = (q: string, more = '') =>
  home.admin.get(`/api/workspaces/${workspaceId}/search?q=${encodeURIComponent(q)}${more}`);
const find = async (q: string, more = '') => (await search(q, more).expect(200)).body.data;

describe('a search in a workspace', () => {
  it('finds surveys, questions, dashboards and reports, matches of names first', async () => {
    const found = await find('COFFEE');
    expect(found.surveys.map((each: { survey_name: string }) => each.survey_name)).toEqual([
      'Coffee at work',
      'Drinks',
    ]);
    expect(found.questions.map((each: { question_code: string }) => each.question_code)).toEqual([
      'coffee_cups',
      'taste',
      'gone',
    ]);
    expect(found.questions[1]).toEqual({
      question_id: survey.questionIds.taste,
      question_code: 'taste',
      question_text: 'How does the coffee taste? (One answer)',
      question_label: 'How does the coffee taste?',
      survey_id: survey.surveyId,
      survey_name: 'Drinks',
    });
    expect(found.dashboards).toMatchObject([{ dashboard_name: 'Coffee figures' }]);
    expect(found.reports).toMatchObject([{ report_name: '100% coffee_report' }]);
  });

  it('finds questions by their short label', async () => {
    await home.admin
      .put(`/api/surveys/${survey.surveyId}/questions/${survey.questionIds.gone}`, {
        question_settings: { report_label: 'Former habits' },
      })
      .expect(200);
    expect((await find('mer hab')).questions).toMatchObject([
      { question_code: 'gone', question_label: 'Former habits' },
    ]);
  });

  it('takes every character as it is, and finds at most `limit` of each kind', async () => {
    expect((await find('0% co')).reports).toHaveLength(1);
    expect((await find('0_ co')).reports).toHaveLength(0);
    expect((await find('%%')).surveys).toHaveLength(0);
    const { surveys, questions } = await find('coffee', '&limit=1');
    expect([surveys.length, questions.length]).toEqual([1, 1]);
  });

  it('finds nothing that is retired or deleted', async () => {
    const at = `/api/surveys/${survey.surveyId}`;
    await home.admin.post(`${at}/publish`, {}).expect(200);
    await home.admin.delete(`${at}/questions/${survey.questionIds.gone}`).expect(204);
    expect((await find('Old coffee')).questions).toEqual([]);
    const doomed = await draftSurvey(
      home.admin,
      { survey_name: 'Tea time', pages: [[choice('tea')]] },
      { workspaceId },
    );
    expect((await find('tea')).questions).toHaveLength(1);
    await home.admin.delete(`/api/surveys/${doomed.surveyId}`).expect(204);
    const { surveys, questions } = await find('tea');
    expect([surveys, questions]).toEqual([[], []]);
  });

  it('needs two characters and a limit of at most 50', async () => {
    await expectInvalidField(search('a'), 'q');
    await expectInvalidField(search(' a '), 'q');
    await expectInvalidField(search('coffee', '&limit=51'), 'limit');
    await expectInvalidField(home.admin.get(`/api/workspaces/${workspaceId}/search`), 'q');
  });

  it('is not possible in a workspace that the caller cannot view', async () => {
    const member = await home.addUser('member');
    const path = `/api/workspaces/${workspaceId}/search?q=coffee`;
    await member.get(path).expect(404);
    const foreign = await newOrganization(test);
    await foreign.admin.get(path).expect(404);
    await home.admin
      .post(`/api/workspaces/${workspaceId}/members`, { user_id: member.userId, role: 'viewer' })
      .expect(201);
    expect((await member.get(path).expect(200)).body.data.surveys).toHaveLength(2);
    const client = await home.addUser('client');
    await client.get(path).expect(403);
  });
});
