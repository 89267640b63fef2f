import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { randomIds } from '../../../src/lib/ids.ts';
import { type Actor, anonymous, newOrganization, type Organization, signIn } from '../actors.ts';
import type { TestApp } from '../app.ts';
import { startResponse } from '../start-response.ts';
import { addChart, newDashboard, share } from '../dashboards.ts';
import { choice, fileQuestion, number, text } from '../questions.ts';
import { addImage, addSlide, newReport } from '../reports.ts';
import { PNG } from '../sample-files.ts';
import { publishedSurvey } from '../surveys.ts';
import { uploadFile } from '../uploaded-files.ts';
import { type Kind, KINDS, type Visibility, VISIBILITIES } from './callers.ts';

/** The ids in paths and bodies of requests. */
export interface Ids {
  organizationId: number;
  workspaceId: number;
  surveyId: number;
  pageId: number;
  blockId: number;
  questionId: number;
  /** An open one. */
  textQuestionId: number;
  linkId: number;
  linkToken: string;
  waveId: number;
  respondentId: number;
  invitationId: number;
  /** Of emails that are scheduled. */
  campaignId: number;
  responseId: number;
  /** Of an unfinished response with a file. */
  responseToken: string;
  openFileId: string;
  /** Of a response that ended. */
  fileId: string;
  commentId: number;
  changeId: number;
  columnCode: string;
  jobId: number;
  apiKeyId: number;
  /** The caller's own. */
  currentPassword: string;
  sessionId: string;
  chatSessionId: string;
  userId: number;
  groupId: number;
  inviteId: number;
  inviteToken: string;
  auditId: number;
  dashboardId: number;
  dashboardPageId: number;
  chartId: number;
  shareId: number;
  reportId: number;
  slideId: number;
  imageId: number;
  /** Of a public dashboard. */
  orgSlug: string;
  dashboardSlug: string;
}

/** The two kinds of credentials. */
export const CREDENTIALS = ['key', 'session'] as const;
export type CredentialKind = (typeof CREDENTIALS)[number];

export interface Fixtures {
  test: TestApp;
  home: Organization;
  callers: Record<Kind, Record<CredentialKind, Actor>>;
  /** The objects of refused requests. */
  unchanged: Record<Visibility, Ids>;
  /** The objects of allowed requests, which change them. */
  changeable: Record<Visibility, Ids>;
  /** The same kinds of objects in another organization. */
  foreign: Ids;
  origin: string;
}

/** Call at the top of a test file: creates two organizations with one object and one caller of every kind. */
export function useFixtures(test: TestApp): Fixtures {
  let fixtures: Fixtures | null = null;
  let server: Server | null = null;
  beforeAll(async () => {
    server = createServer(test.app);
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    fixtures = await createFixtures(test, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });
  const ready = () => {
    if (fixtures === null) throw new Error('The fixtures exist only while tests run');
    return fixtures;
  };
  return new Proxy({} as Fixtures, { get: (_, name) => ready()[name as keyof Fixtures] });
}

/** Callers of every kind, each with a key and a session. */
export async function createCallers(
  test: TestApp,
  home: Organization,
  other: Organization,
): Promise<Fixtures['callers']> {
  const actors: Record<Kind, Actor> = {
    anonymous: anonymous(test),
    suspended: await home.addUser('member'),
    foreign: other.admin,
    client: await home.addUser('client'),
    otherMember: await home.addUser('member'),
    viewer: await home.addUser('member'),
    editor: await home.addUser('member'),
    owner: await home.addUser('member'),
    admin: home.admin,
    superadmin: await home.addUser('superadmin'),
  };
  const withCredentials = async (kind: Kind): Promise<[Kind, Record<CredentialKind, Actor>]> => {
    const key = actors[kind];
    // Records the first use of each key from a network, so that later requests change nothing.
    if (kind !== 'anonymous') await key.get('/api/users/me').expect(200);
    return [kind, { key, session: kind === 'anonymous' ? key : await signIn(test, key) }];
  };
  const callers = Object.fromEntries(await Promise.all(KINDS.map(withCredentials))) as Fixtures['callers'];
  await suspend(test, actors.suspended);
  return callers;
}

/** The same, on an application that listens here. */
export async function createFixtures(test: TestApp, origin: string): Promise<Fixtures> {
  const home = await newOrganization(test);
  const other = await newOrganization(test);
  const callers = await createCallers(test, home, other);
  const { owner, viewer, editor } = callers;
  const accountIds = await createAccountObjects(test, owner);
  const homeIds = await createOrganizationObjects(home, viewer.key);
  const unchanged = {} as Record<Visibility, Ids>;
  const changeable = {} as Record<Visibility, Ids>;
  for (const visibility of Object.keys(VISIBILITIES) as Visibility[]) {
    const workspaceId = await createWorkspace(owner.key, visibility, {
      viewer: viewer.key,
      editor: editor.key,
    });
    const shared = { ...homeIds, ...accountIds, workspaceId };
    await owner.key.put(`/api/workspaces/current/${workspaceId}`).expect(200);
    for (const ids of [unchanged, changeable]) {
      const survey = await createFilledSurvey(owner.key);
      ids[visibility] = {
        ...shared,
        ...survey,
        ...(await createPublicDashboard(home, owner.key, survey)),
        ...(await createFilledReport(owner.key)),
      };
    }
  }
  const jobId = await createFinishedJob(test, owner.key, changeable.private.surveyId);
  for (const ids of [...Object.values(unchanged), ...Object.values(changeable)]) ids.jobId = jobId;

  const foreignMember = await other.addUser('member');
  const theirs = await createFilledSurvey(other.admin);
  const foreign = {
    ...(await createOrganizationObjects(other, foreignMember)),
    ...(await createAccountObjects(test, callers.foreign)),
    workspaceId: other.workspaceId,
    ...theirs,
    ...(await createPublicDashboard(other, other.admin, theirs)),
    ...(await createFilledReport(other.admin)),
  };
  return { test, home, callers, unchanged, changeable, foreign, origin };
}

const suspend = (test: TestApp, { userId }: Actor) =>
  test.database.db.raw('UPDATE users SET user_status = 3 WHERE user_id = ?', [userId]);

/** A workspace of this visibility, the viewer and the editor invited. */
export async function createWorkspace(
  owner: Actor,
  visibility: Visibility,
  invited: Record<'viewer' | 'editor', Actor>,
): Promise<number> {
  const body = { workspace_name: `A ${visibility} one`, workspace_visibility: VISIBILITIES[visibility] };
  const created = await owner.post('/api/workspaces', body).expect(201);
  const workspaceId: number = created.body.data.workspace_id;
  for (const role of ['viewer', 'editor'] as const) {
    const member = { user_id: invited[role].userId, role };
    await owner.post(`/api/workspaces/${workspaceId}/members`, member).expect(201);
  }
  return workspaceId;
}

/** A survey with two responses, of which one has a comment, a file and an edit, a derived column and a weight. */
async function createFilledSurvey(author: Actor) {
  const survey = await publishedSurvey(author, {
    blocks: [{ block_code: 'BLOCK1' }],
    pages: [[choice('Q1'), number('Q2'), text('Q3')], [fileQuestion('Q4')]],
  });
  const blocks = await author.get(`/api/surveys/${survey.surveyId}/blocks`).expect(200);
  const at = `/api/responses/${survey.surveyId}`;
  const rows = ['1', '2'].map((Q1, index) => ({ answers: { Q1, Q2: index, Q3: 'said' } }));
  const added = await author.post(`${at}/rows`, { rows }).expect(201);
  const responseId: number = added.body.data.response_ids[0];
  const ended = await startResponse(author, survey.linkToken);
  const fileId = await uploadFile(ended, 'Q4', PNG, 'a.png');
  await ended.complete({ Q4: [fileId] }).expect(200);
  const open = await startResponse(author, survey.linkToken);
  const openFileId = await uploadFile(open, 'Q4', PNG, 'a.png');
  const comment = await author
    .post(`${at}/comments`, { response_id: responseId, comment_text: 'Odd' })
    .expect(201);
  await author.post(`${at}/transform/z-scores`, { column_code: 'Q2' }).expect(201);
  const targets = ['1', '2'].map((value) => ({ value, target: 50 }));
  const weight = { dimensions: [{ column_code: 'Q1', targets }], missing: 'exclude' };
  await author.post(`${at}/weighting/create`, weight).expect(201);
  const respondent = await author
    .post('/api/surveys/respondents', { external_id: randomIds.token(10) })
    .expect(201);
  const edit = await author.patch(`${at}/rows/${responseId}`, { values: { Q3: 'meant' } }).expect(200);
  const wave = await author
    .post('/api/surveys/waves', { survey_id: survey.surveyId, wave_name: 'A wave' })
    .expect(201);
  const invited = await author
    .post(`/api/surveys/${survey.surveyId}/invite`, {
      link_id: survey.linkId,
      respondents: [{ email: `${randomIds.token(10)}@people.example` }],
      subject: 'A survey',
      message: 'Please answer.',
    })
    .expect(202);
  return {
    campaignId: await scheduleInvitation(author, survey),
    surveyId: survey.surveyId,
    pageId: survey.pageIds[0]!,
    blockId: blocks.body.data[0].block_id as number,
    questionId: survey.questionIds.Q1!,
    textQuestionId: survey.questionIds.Q3!,
    linkId: survey.linkId,
    linkToken: survey.linkToken,
    waveId: wave.body.data.wave_id as number,
    respondentId: respondent.body.data.respondent_id as number,
    invitationId: invited.body.data.rows[0].invitation_id as number,
    responseId,
    responseToken: open.token,
    openFileId,
    fileId,
    commentId: comment.body.data.comment_id as number,
    changeId: edit.body.data.change_id as number,
    columnCode: 'Q2_z',
    jobId: 0,
  };
}

/** Schedules an email to someone and returns its campaign. */
export async function scheduleInvitation(
  author: Actor,
  { surveyId, linkId }: { surveyId: number; linkId: number },
): Promise<number> {
  const { body } = await author
    .post(`/api/surveys/${surveyId}/invite`, {
      link_id: linkId,
      respondents: [{ email: `${randomIds.token(10)}@people.example` }],
      send_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    .expect(202);
  return body.data.campaign_id as number;
}

/** Creates a public dashboard with one element, in this workspace or the current one. */
export async function createPublicDashboard(
  { slug: orgSlug }: Organization,
  author: Actor,
  { surveyId }: { surveyId: number },
  workspaceId?: number,
) {
  const dashboard = await newDashboard(
    author,
    workspaceId === undefined ? {} : { workspace_id: workspaceId },
  );
  return {
    orgSlug,
    dashboardId: dashboard.id,
    dashboardSlug: dashboard.slug,
    dashboardPageId: dashboard.pageId,
    chartId: await addChart(author, dashboard, 'bar', { survey_id: surveyId, dimension: 'Q1' }),
    shareId: await share(author, dashboard, { share_type: 'public' }),
  };
}

/** In this workspace, or the current one: a report with a slide and a picture. */
export async function createFilledReport(author: Actor, workspaceId?: number) {
  const report = await newReport(author, workspaceId === undefined ? {} : { workspace_id: workspaceId });
  return {
    reportId: report.id,
    slideId: await addSlide(author, report, { slide_title: 'A title' }),
    imageId: await addImage(author, report, PNG),
  };
}

/** What belongs to one account. */
async function createAccountObjects(test: TestApp, { key, session }: Record<CredentialKind, Actor>) {
  const created = await session
    .post('/api/api-keys', { key_name: 'A second', current_password: session.password })
    .expect(201);
  await signIn(test, key);
  const sessions = await session.get('/api/sessions').expect(200);
  const others = (sessions.body.data as { session_id: string; current: boolean }[]).filter(
    ({ current }) => !current,
  );
  const chat = await key.post('/api/ai/sessions', {}).expect(201);
  return {
    apiKeyId: created.body.data.api_key_id as number,
    currentPassword: session.password,
    sessionId: others[0]!.session_id,
    chatSessionId: chat.body.data.session_id as string,
  };
}

/** What belongs to the organization; `person` has a picture and is in the group. */
async function createOrganizationObjects({ admin, organizationId }: Organization, user: Actor) {
  const group = await admin.post('/api/groups', { group_name: `Group ${randomIds.token(6)}` }).expect(201);
  const groupId: number = group.body.data.group_id;
  await admin.post(`/api/groups/${groupId}/members`, { user_ids: [user.userId] }).expect(201);
  const invite = await admin.post('/api/invite-links', {}).expect(201);
  const audit = await admin.get('/api/audit?limit=1').expect(200);
  const avatar = `data:image/png;base64,${PNG.toString('base64')}`;
  await user.put(`/api/users/${user.userId}/avatar`, { avatar }).expect(200);
  return {
    organizationId,
    groupId,
    inviteId: invite.body.data.invite_id as number,
    inviteToken: invite.body.data.invite_token as string,
    auditId: audit.body.data[0].audit_id as number,
    userId: user.userId,
  };
}

/** A job that is done, with its file. */
export async function createFinishedJob(test: TestApp, author: Actor, surveyId: number): Promise<number> {
  const started = await author
    .post(`/api/responses/${surveyId}/export`, { columns: ['Q1'] })
    .set('Prefer', 'respond-async')
    .expect(202);
  const jobId: number = started.body.data.job_id;
  test.container.jobWorker.start();
  const isDone = async () => (await author.get(`/api/jobs/${jobId}`).expect(200)).body.data.status === 'done';
  const until = Date.now() + 60_000;
  while (!(await isDone())) {
    if (Date.now() > until) throw new Error(`Job ${jobId} is not done`);
    await sleep(25);
  }
  await test.container.jobWorker.stop(1_000);
  return jobId;
}
