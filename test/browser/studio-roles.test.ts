import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  useBrowser,
} from '../support/browser.ts';
import { addChart, newDashboard, share } from '../support/dashboards.ts';
import { invite } from '../support/invitations.ts';
import { choice, text } from '../support/questions.ts';
import { cell, quota, setQuotas } from '../support/quotas.ts';
import { addSlide, newReport } from '../support/reports.ts';
import { savePicture } from '../support/survey-editor.ts';
import { draftSurvey, publish } from '../support/surveys.ts';
import { createWave } from '../support/waves.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

const ROLES = ['client', 'viewer', 'editor', 'admin'] as const;
type Role = (typeof ROLES)[number];

/** The lowest role that is offered a control, or the roles that are. */
type Offered = Role | readonly Role[];

interface Screen {
  path: string;
  /** A text of the finished screen, of every role; null: the heading. */
  ready: string | RegExp | null;
  /** Names of buttons that open a dialog or a panel. Menus and details are opened without being listed. */
  opens?: readonly string[];
  /** Buttons, links, menu items and fields by their names, with `*` for any text. */
  controls: Record<string, Offered>;
  /** Roles that have the screen. Default: all but clients. */
  roles?: readonly Role[];
}

const STAFF: readonly Role[] = ['viewer', 'editor', 'admin'];
const isOffered = (offered: Offered, role: Role): boolean =>
  typeof offered === 'string' ? ROLES.indexOf(role) >= ROLES.indexOf(offered) : offered.includes(role);

const matches = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.*')}$`,
  ).test(name);

describe.skipIf(browserSkipReason() !== null)('the studio for each role', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));
  afterAll(() => test.container.jobWorker.stop(1_000));

  let organization: Organization;
  let users: Record<Role, Actor>;
  let workspaceId: number;
  let emptyWorkspaceId: number;
  let surveyId: number;
  let draftId: number;
  let unansweredId: number;
  let dashboardId: number;
  let responseId: number;

  beforeAll(async () => {
    test.container.jobWorker.start();
    organization = await newOrganization(test);
    const { admin } = organization;
    users = {
      admin,
      viewer: await organization.addUser('member'),
      editor: await organization.addUser('member'),
      client: await organization.addUser('client'),
    };
    workspaceId = await newWorkspace('Team studies');
    emptyWorkspaceId = await newWorkspace('Nothing yet');
    await fillWorkspace();
    await admin.patch(`/api/users/${users.editor.userId}/ai-access`, { ai_access: false }).expect(200);
  });

  /** A workspace in which the viewer and the editor have these roles. */
  async function newWorkspace(name: string): Promise<number> {
    const created = await organization.admin
      .post('/api/workspaces', { workspace_name: name, workspace_visibility: 3 })
      .expect(201);
    const id: number = created.body.data.workspace_id;
    for (const role of ['viewer', 'editor'] as const) {
      await organization.admin
        .post(`/api/workspaces/${id}/members`, { user_id: users[role].userId, role })
        .expect(201);
    }
    return id;
  }

  async function fillWorkspace(): Promise<void> {
    const { admin } = organization;
    const pages = [[choice('Q1', { question_text: 'Ride' }), text('Q2', { question_text: 'Why' })]];
    const create = async (survey_name: string) => {
      const created = await draftSurvey(admin, { survey_name, pages }, { workspaceId });
      const settings = { survey_settings: { languages: ['en', 'de'] } };
      await admin.put(`/api/surveys/${created.surveyId}`, settings).expect(200);
      return created;
    };
    ({ surveyId } = await create('Tram riders'));
    const { linkId } = await publish(admin, surveyId);
    const rows = [1, 2, 3].map((n) => ({ answers: { Q1: '1', Q2: `Answer ${n}` } }));
    await admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
    const grid = await admin.get(`/api/responses/${surveyId}/grid`).expect(200);
    responseId = grid.body.data.rows[0].response_id;
    await admin
      .post(`/api/responses/${surveyId}/bulk`, { action: 'flag', response_ids: [responseId] })
      .expect(200);
    const wave = await createWave(admin, surveyId, { wave_name: 'Spring' });
    await setQuotas(admin, wave, quota('By ride', [cell('Yes', { Q1: ['1'] }, 10)]));
    await invite(admin, { surveyId, linkId }, [{ email: 'grace@example.com', name: 'Grace' }]).expect(202);
    ({ surveyId: draftId } = await create('Bus riders'));
    ({ surveyId: unansweredId } = await create('Ferry riders'));
    await publish(admin, unansweredId);
    const { surveyId: deletedId } = await create('Deleted riders');
    await admin.delete(`/api/surveys/${deletedId}`).expect(204);
    const dashboard = await newDashboard(admin, { dashboard_name: 'Riders', workspace_id: workspaceId });
    dashboardId = dashboard.id;
    await addChart(admin, dashboard, 'text', { text: 'About riders.' });
    // Someone with whom it can still be shared.
    await organization.addUser('client');
    await share(admin, dashboard, { share_type: 'user', user_id: users.client.userId });
    const report = await newReport(admin, { report_name: 'Riders in spring', workspace_id: workspaceId });
    await addSlide(admin, report, { slide_type: 'title', slide_title: 'Riders' });
    const inWorkspace = { workspace_id: workspaceId };
    const deletedDashboard = await newDashboard(admin, { dashboard_name: 'Deleted figures', ...inWorkspace });
    const deletedReport = await newReport(admin, { report_name: 'Deleted slides', ...inWorkspace });
    for (const { at } of [deletedDashboard, deletedReport]) await admin.delete(at).expect(204);
  }

  const EDIT_SURVEY: Record<string, Offered> = { Versions: 'viewer', 'Survey settings': 'editor' };

  const screens = (): Screen[] => [
    {
      path: '/surveys',
      ready: 'Tram riders',
      opens: ['Search'],
      controls: {
        'New survey': 'editor',
        Deleted: 'editor',
        'Actions for Tram riders': 'viewer',
        Edit: 'editor',
        Results: 'viewer',
        Versions: 'viewer',
        Duplicate: 'editor',
        Close: 'editor',
        Delete: 'editor',
        'Search*': 'viewer',
        'Your profile': 'viewer',
      },
    },
    {
      path: '/surveys/new',
      ready: 'New survey',
      controls: { 'Empty survey*': 'editor', '*emplate*': 'editor' },
    },
    { path: '/surveys/new/text', ready: null, controls: {} },
    { path: '/surveys/new/file', ready: null, controls: { 'Choose a file': 'editor' } },
    {
      path: `/surveys/${surveyId}/edit`,
      ready: /^(Edit|Questions)$/,
      opens: ['Versions', 'Survey settings', 'Preview', 'Publish', 'Map'],
      controls: {
        ...EDIT_SURVEY,
        Publish: 'editor',
        Preview: 'editor',
        Map: 'viewer',
        'Add page': 'editor',
        'Add question': 'editor',
        'Actions for question 1': 'editor',
        Undo: 'editor',
        'Restore version 1': 'editor',
        'Show changes since version 1': 'viewer',
        'Save settings': 'editor',
        'Insert*': 'editor',
        'Add option': 'editor',
      },
    },
    {
      path: `/surveys/${surveyId}/translate`,
      ready: 'Translations',
      controls: { 'Upload*': 'editor', 'Download as CSV': 'viewer' },
    },
    {
      path: `/surveys/${surveyId}/collect`,
      ready: 'Spring',
      opens: ['Invite by email', 'Create link', 'Create wave', 'Closing date and limit'],
      controls: {
        'Allow several responses per device': 'editor',
        'Create link': 'editor',
        'Closing date and limit': 'editor',
        'Close survey': 'editor',
        'Visit*': 'viewer',
        'Invite by email': 'editor',
        'Create wave': 'editor',
        'Actions for Spring': 'editor',
        'Actions for quota By ride': 'editor',
        'Delete*': 'editor',
        'Add quota': 'editor',
        Pause: 'editor',
        'Add 50 test responses': 'editor',
        'Download PNG': 'viewer',
      },
    },
    {
      path: `/surveys/${surveyId}/results`,
      ready: 'Ride',
      opens: ['Add filter', 'Add to dashboard'],
      controls: {
        'Actions for Ride': 'viewer',
        'Copy as picture': 'viewer',
        'Add to dashboard': 'editor',
        'Add to report': 'editor',
        'Find themes': ['viewer', 'admin'],
        'Add filter': 'viewer',
      },
    },
    {
      path: `/surveys/${surveyId}/responses`,
      ready: '3 responses',
      opens: ['Quality', 'Change log', 'Columns', `Open response ${responseId}`],
      controls: {
        Export: 'viewer',
        Columns: 'viewer',
        'Check responses': 'editor',
        'Undo: *': 'editor',
        'Select response *': 'editor',
        'Edit answers': 'editor',
        'Delete response': 'editor',
        'Add comment': 'viewer',
        'Keep in the results': 'editor',
        'Leave out': 'editor',
      },
    },
    {
      path: `/surveys/${surveyId}/weights`,
      ready: 'No weights yet',
      opens: ['New weight'],
      controls: { 'New weight': 'editor', 'Save weight': 'editor' },
    },
    ...(['edit', 'translate', 'collect', 'results', 'weights', 'responses'] as const).flatMap(
      (tab): Screen[] => [
        {
          path: `/surveys/${draftId}/${tab}`,
          ready: 'Help',
          controls: { 'Go to Edit': tab === 'collect' || tab === 'results' ? 'editor' : [] },
        },
        { path: `/surveys/${unansweredId}/${tab}`, ready: 'Help', controls: {} },
      ],
    ),
    {
      path: '/dashboards',
      ready: 'Riders',
      roles: ROLES,
      opens: ['New dashboard', 'Share'],
      controls: {
        'New dashboard': 'editor',
        'Actions for Riders': 'editor',
        Share: 'editor',
        Rename: 'editor',
        Delete: 'editor',
        Riders: 'client',
        'Restore Deleted figures': 'editor',
        'Share with': 'admin',
        'Stop sharing with*': 'editor',
      },
    },
    {
      path: `/dashboards/${dashboardId}`,
      ready: 'Riders',
      roles: ROLES,
      controls: { Edit: 'editor', Share: 'editor' },
    },
    {
      path: `/dashboards/${dashboardId}/edit`,
      ready: 'Riders',
      opens: ['Share'],
      controls: {
        View: 'viewer',
        Rename: 'editor',
        Share: 'editor',
        'Add page': 'editor',
        'Actions for page *': 'editor',
        Remove: 'editor',
      },
    },
    {
      path: '/reports',
      ready: 'Riders in spring',
      opens: ['New report'],
      controls: {
        'New report': 'editor',
        'Actions for Riders in spring': 'editor',
        Rename: 'editor',
        Duplicate: 'editor',
        Delete: 'editor',
        'Restore Deleted slides': 'editor',
        'Create PowerPoint of *': 'viewer',
        'Create PDF of *': 'viewer',
      },
    },
    {
      path: '/respondents',
      ready: 'Grace',
      opens: ['Add respondent'],
      controls: {
        'Add respondent': 'editor',
        'Actions for Grace': 'editor',
        'Stop invitations': 'editor',
        Delete: 'editor',
      },
    },
    {
      path: '/settings/profile',
      ready: 'Profile',
      roles: ROLES,
      controls: {
        Profile: 'client',
        'Password and sessions': 'client',
        'API keys': 'viewer',
        Users: 'admin',
        Approvals: 'admin',
        'Invite links': 'admin',
        Groups: 'admin',
        'Name and address': 'admin',
        'Audit log': 'admin',
        Surveys: 'viewer',
        Reports: 'viewer',
        Respondents: 'viewer',
        Dashboards: 'client',
      },
    },
    {
      path: '/settings/security',
      ready: null,
      roles: ROLES,
      controls: { 'Change password': 'client' },
    },
    {
      path: '/settings/api-keys',
      ready: null,
      roles: ROLES,
      controls: { 'Create key': 'viewer' },
    },
    ...['users', 'approvals', 'invites', 'groups', 'organization', 'audit'].map((section): Screen => ({
      path: `/settings/${section}`,
      ready: null,
      roles: ROLES,
      controls: { Users: 'admin' },
    })),
  ];

  /** The screens of a workspace without anything. */
  const emptyScreens = (): Screen[] => [
    {
      path: '/surveys',
      ready: 'Surveys',
      controls: { 'New survey': 'editor', Hide: 'editor', 'Publish*': 'editor' },
    },
    { path: '/dashboards', ready: 'No dashboards yet', controls: { 'Go to surveys': 'editor' } },
    { path: '/reports', ready: 'No reports yet', controls: { 'New report': 'editor' } },
    { path: '/respondents', ready: 'No respondents yet', controls: { 'Add respondent': 'editor' } },
  ];

  /** Signs in and watches the replies of the API from then on. */
  async function visit(role: Role, options: BrowserContextOptions = DESKTOP) {
    const page = await browser.visitAs(users[role], '/settings/profile', options);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    const refused: string[] = [];
    const pending = new Set<Request>();
    page.on('request', (request) => {
      // The stream of changes does not end.
      if (!request.url().endsWith('/events')) pending.add(request);
    });
    page.on('requestfinished', (request) => pending.delete(request));
    page.on('requestfailed', (request) => pending.delete(request));
    page.on('response', (response) => {
      if (response.status() >= 400)
        refused.push(
          `${response.request().method()} ${new URL(response.url()).pathname} ${response.status()}`,
        );
    });
    const settle = async () => {
      await page.waitForTimeout(60);
      await expect.poll(() => pending.size, { timeout: 8_000, interval: 30 }).toBe(0);
      await page.waitForTimeout(60);
    };
    return { page, refused, settle };
  }

  /** Names of everything that can be used now. Disabled controls count: they are not offered without a reason either. */
  const usableNames = (page: Page): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('a[href], button, summary, input, textarea, select, [role=menuitem]')]
      .filter((each) => each.checkVisibility())
      .map((each) => (each.getAttribute('aria-label') ?? (each.labels?.[0] ?? each).textContent).trim().replaceAll(/\\s+/g, ' '))`);

  /** Opens the screen, its menus, its details and its dialogs, and returns the names of all controls. */
  async function explore(
    { page, settle }: Awaited<ReturnType<typeof visit>>,
    { path, ready, opens = [] }: Screen,
  ): Promise<Set<string>> {
    await page.goto(browser.origin + path);
    const main = page.locator('main');
    await (ready === null ? main.getByRole('heading') : main.getByText(ready))
      .filter({ visible: true })
      .first()
      .waitFor();
    await settle();
    const names = new Set(await usableNames(page));
    const collect = async () => {
      await settle();
      for (const name of await usableNames(page)) names.add(name);
    };
    for (const summary of await page.locator('main summary').all()) await summary.click();
    await collect();
    // Those of the top bar are the same on every screen.
    const within = path === '/surveys' ? 'body' : 'main';
    for (const menu of await page.locator(`${within} button[aria-haspopup=menu]:visible`).all()) {
      await menu.click();
      await collect();
      await page.keyboard.press('Escape');
    }
    for (const name of opens) {
      const opener = page.getByRole('button', { name, exact: true }).first();
      const item = page.getByRole('menuitem', { name, exact: true }).first();
      if ((await opener.count()) === 0) {
        // In a menu: of the first object that has it.
        for (const menu of await page.locator('main button[aria-haspopup=menu]:visible').all()) {
          await menu.click();
          if ((await item.count()) > 0) break;
          await page.keyboard.press('Escape');
        }
        if ((await item.count()) === 0) continue;
        await item.click();
      } else await opener.click();
      await collect();
      if ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape');
    }
    return names;
  }

  async function expectOffers(role: Role, list: readonly Screen[], workspace: number): Promise<void> {
    const visitor = await visit(role);
    if (role !== 'client') {
      await visitor.page.goto(`${browser.origin}/surveys?workspace=${workspace}`);
      await visitor.settle();
    }
    const wrong: string[] = [];
    for (const screen of list.filter(({ roles = STAFF }) => roles.includes(role))) {
      visitor.refused.length = 0;
      const names = [...(await explore(visitor, screen))];
      wrong.push(...visitor.refused.map((reply) => `${screen.path}: ${reply}`));
      for (const [pattern, offered] of Object.entries(screen.controls)) {
        const isThere = names.some((name) => matches(pattern, name));
        if (isThere !== isOffered(offered, role))
          wrong.push(`${screen.path}: ${isThere ? 'offers' : 'lacks'} ${pattern}; ${names.join(' | ')}`);
      }
    }
    expect(wrong).toEqual([]);
  }

  it.each(ROLES)('offers the %s what the role may do, and is refused nothing', async (role) => {
    await expectOffers(role, screens(), workspaceId);
  });

  it.each(['viewer', 'editor'] as const)('says to the %s what to do in an empty workspace', async (role) => {
    await expectOffers(role, emptyScreens(), emptyWorkspaceId);
  });

  it.each([
    ['wide', DESKTOP],
    ['narrow', NARROW],
  ])('shows a viewer the questions without what changes them on a %s screen', async (width, options) => {
    const { page, settle } = await visit('viewer', options);
    for (const tab of ['edit', 'collect']) {
      await page.goto(`${browser.origin}/surveys/${surveyId}/${tab}`);
      await page.locator('.editor-page, .collect-waves').first().waitFor();
      await settle();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await savePicture(page, `viewer-${tab}-${width}-${colorScheme}`);
      }
      await expectAccessible(page);
    }
    await page.goto(`${browser.origin}/surveys/${surveyId}/edit`);
    await page.getByText('You can read this survey, not change it.').waitFor();
    expect(await page.locator('.editor-page button:visible').count()).toBe(0);
  });
});
