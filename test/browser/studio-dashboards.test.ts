import type { Page } from 'playwright-core';
import supertest from 'supertest';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  useBrowser,
} from '../support/browser.ts';
import { createDashboard, newDashboard, share } from '../support/dashboards.ts';
import { button, expectAnnounced, field, fillSignIn, heading } from '../support/settings-page.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const text = (title: string) => ({
  chart_type: 'text',
  chart_title: title,
  chart_config: { text: `About ${title}.` },
});

describe.skipIf(browserSkipReason() !== null)('dashboards in the studio', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });

  async function visitStudio(user: Actor, path = '/dashboards', options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(user, path, options);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    return page;
  }
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
  const rows = (page: Page) => page.getByRole('list', { name: 'Dashboards' }).getByRole('listitem');
  const names = (page: Page) => rows(page).getByRole('link').allTextContents();
  const areas = (page: Page) =>
    page.getByRole('navigation', { name: 'Areas' }).getByRole('link').allTextContents();
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };
  const choose = async (page: Page, name: string, action: string) => {
    await button(page, `Actions for ${name}`).click();
    await item(page, action).click();
  };

  it('says what to do next without dashboards, and is reached without loading the page again', async () => {
    const { admin } = await newOrganization(test);
    const page = await visitStudio(admin, '/surveys');
    await page.evaluate('window.isSameDocument = true');
    await link(page, 'Dashboards').click();
    await heading(page, 'Dashboards').waitFor();
    await page.getByText('No dashboards yet').waitFor();
    expect(await page.evaluate('window.isSameDocument')).toBe(true);
    await picture(page, 'dashboards-empty');
    await expectAccessible(page);
    await link(page, 'Go to surveys').click();
    await page.getByText('Write your first survey').waitFor();
    expect(await page.evaluate('window.isSameDocument')).toBe(true);
  });

  it('loads at most 300 kB, compressed', async () => {
    const { admin } = await newOrganization(test);
    // A page of another application, so that nothing of the studio is cached.
    const page = await browser.visit('/d/nothing/here', DESKTOP);
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      const size = request.sizes().then(({ responseBodySize }) => responseBodySize);
      sizes.push(size);
    });
    await page.goto(`${browser.origin}/dashboards`);
    await fillSignIn(page, admin);
    await page.getByText('No dashboards yet').waitFor();
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(20_000);
    expect(total).toBeLessThan(300_000);
  });

  describe('the list', () => {
    beforeAll(async () => {
      await createDashboard(organization, 'Coffee at work', [[text('Drinks'), text('Cups')], [text('More')]]);
      const { id } = await createDashboard(organization, 'Brand tracker', [[text('Awareness')]]);
      await organization.admin.put(`/api/dashboards/${id}`, {
        dashboard_description:
          'Awareness and image of the brand in five countries, updated every month. Ask the research team for the figures by region.',
      });
      await newDashboard(organization.admin, {
        dashboard_name: 'A dashboard with quite a long name that does not fit on one line of a phone',
      });
    });

    it('is searched, and creates, renames, duplicates and deletes', async () => {
      const { admin } = organization;
      const page = await visitStudio(admin);
      await expect.poll(() => rows(page).count()).toBe(3);
      expect(await rows(page).filter({ hasText: 'Coffee at work' }).textContent()).toContain(
        '3 charts on 2 pages · Edited',
      );
      await page.getByRole('searchbox').fill('tracker');
      await expect.poll(() => names(page)).toEqual(['Brand tracker']);
      await page.getByRole('searchbox').fill('nothing like this');
      await page.getByText('No dashboards match').waitFor();
      await page.getByRole('searchbox').fill('');
      await expect.poll(() => rows(page).count()).toBe(3);

      await button(page, 'New dashboard').click();
      await button(page, 'Create dashboard').click();
      await page.getByText('Name is required').waitFor();
      await field(page, 'Name').fill('Canteen');
      await button(page, 'Create dashboard').click();
      await expectAnnounced(page, 'Canteen created');
      await page.waitForURL(/\/dashboards\/\d+\/edit$/);
      await page.getByText('This dashboard is empty').waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Dashboards' }).click();
      await expect.poll(() => names(page)).toContain('Canteen');

      await choose(page, 'Canteen', 'Rename');
      await field(page, 'Name').fill('Canteen 2026');
      await field(page, 'Description').fill('What we eat');
      await button(page, 'Save').click();
      await expectAnnounced(page, 'Canteen 2026 saved');
      await rows(page).getByText('What we eat').waitFor();

      await choose(page, 'Coffee at work', 'Duplicate');
      await expectAnnounced(page, 'Coffee at work (copy) created');
      await link(page, 'Coffee at work (copy)').waitFor();

      await choose(page, 'Coffee at work (copy)', 'Delete');
      await page.getByText('You can restore it for 30 days.').waitFor();
      await picture(page, 'dashboards-delete');
      await expectAccessible(page);
      await button(page, 'Cancel').click();
      await link(page, 'Coffee at work (copy)').waitFor();
      await choose(page, 'Coffee at work (copy)', 'Delete');
      await button(page, 'Delete').click();
      await expectAnnounced(page, 'Coffee at work (copy) deleted');
      await expect.poll(() => link(page, 'Coffee at work (copy)').count()).toBe(0);

      await choose(page, 'Coffee at work', 'Open');
      await page.waitForURL(/\/dashboards\/\d+$/);
      await heading(page, 'Coffee at work').waitFor();
      await page.goBack();
      await heading(page, 'Dashboards').waitFor();
    });

    it('shares by a public link, with a password, and stops sharing', async () => {
      const { admin } = organization;
      const board = await newDashboard(admin, { dashboard_name: 'Shared figures' });
      const state = async () => (await admin.get(board.at).expect(200)).body.data;
      const page = await visitStudio(admin);
      await choose(page, 'Shared figures', 'Share');
      const dialog = page.getByRole('dialog', { name: 'Share Shared figures' });
      await dialog.getByLabel('Anyone with the link', { exact: true }).check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Anyone with the link can view Shared figures').waitFor();
      const { public_url: address, open_to: openTo } = await state();
      expect(openTo).toBe('public');
      expect(address).toMatch(/\/shared-figures-[0-9a-f]{16}$/);
      expect(await dialog.getByText('so people can guess it').count()).toBe(0);
      expect(await dialog.getByLabel('Link', { exact: true }).inputValue()).toBe(address);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await dialog.getByRole('button', { name: 'Copy link of the dashboard' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);
      await picture(page, 'dashboards-share');
      await expectAccessible(page);
      await supertest(test.app).get(new URL(address).pathname).expect(200);
      expect(await dialog.getByRole('link', { name: 'View as visitor' }).getAttribute('href')).toBe(address);
      const minimum = dialog.getByLabel('Minimum respondents per figure');
      expect(await minimum.inputValue()).toBe('5');
      for (const [value, message] of [
        ['few', /must be a whole number from 1 to 1000/],
        ['0', /at least 1|>=\s*1|between 1/],
      ] as const) {
        await minimum.fill(value);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.locator('.problem', { hasText: message }).waitFor();
      }
      await minimum.fill('1');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await state()).dashboard_settings.min_base).toBe(1);

      await dialog.getByLabel('Anyone with the link and the password').check();
      await dialog.getByLabel('Password', { exact: true }).fill('abc');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Password must be at least 4 characters').waitFor();
      expect((await state()).open_to).toBe('public');
      await dialog.getByLabel('Password', { exact: true }).fill('open sesame');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Anyone with the link and the password can view').waitFor();
      expect((await state()).open_to).toBe('password');
      await supertest(test.app).get(new URL(address).pathname).expect(401);
      await picture(page, 'dashboards-share-password');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await rows(page).filter({ hasText: 'Shared figures' }).getByText('Password protected').waitFor();

      await choose(page, 'Shared figures', 'Share');
      await dialog.getByLabel('Members of the workspace').check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Only members can view Shared figures').waitFor();
      expect((await state()).open_to).toBe('members');
      await supertest(test.app).get(new URL(address).pathname).expect(404);

      // The link stays the same when it is opened again.
      await dialog.getByLabel('Anyone with the link', { exact: true }).check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Anyone with the link can view Shared figures').waitFor();
      expect((await state()).public_url).toBe(address);
    });

    it('says that a link with only the name can be guessed', async () => {
      const { admin } = organization;
      const board = await newDashboard(admin, { dashboard_name: 'Open figures' });
      await admin.post(`${board.at}/shares`, { share_type: 'public' }).expect(201);
      const page = await visitStudio(admin);
      await choose(page, 'Open figures', 'Share');
      await page.getByText('so people can guess it').waitFor();
    });

    it('shares with clients and groups', async () => {
      const { admin } = organization;
      const board = await newDashboard(admin, { dashboard_name: 'For one client' });
      const client = await organization.addUser('client');
      const { user_name: name } = (await client.get('/api/users/me').expect(200)).body.data;
      const page = await visitStudio(admin);
      await choose(page, 'For one client', 'Share');
      const dialog = page.getByRole('dialog', { name: 'Share For one client' });
      await dialog.getByLabel('Share with').selectOption({ label: name });
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.getByText(`Shared with ${name}`, { exact: true }).waitFor();
      await client.get(board.at).expect(200);
      await picture(page, 'dashboards-share-people');
      await expectAccessible(page);
      await dialog.getByRole('button', { name: `Stop sharing with ${name}` }).click();
      await dialog.getByText(`No longer shared with ${name}`).waitFor();
      await client.get(board.at).expect(404);
    });

    it.each([
      ['wide', DESKTOP],
      ['narrow', NARROW],
    ])('is accessible and fits a %s screen in light and dark', async (width, options) => {
      const page = await visitStudio(organization.admin, '/dashboards', options);
      await link(page, 'Coffee at work').waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await picture(page, `dashboards-${width}-${colorScheme}`);
      }
      await expectAccessible(page);
      await expectNoHorizontalScroll(page);
      await button(page, 'Actions for Coffee at work').click();
      await picture(page, `dashboards-menu-${width}`);
      await expectNoHorizontalScroll(page);
    });
  });

  describe('a dashboard', () => {
    let board: { id: number };
    beforeAll(async () => {
      board = await createDashboard(organization, 'In the same frame', [[text('One')], [text('Two')]]);
    });
    /** Where the parts of the top bar are, and their type. */
    const topBar = (page: Page) =>
      page.evaluate<unknown>(`[...document.querySelectorAll(
        '.studio-top, .studio-top .brand, .workspace-button, .workspace-button .icon, .areas a, .search-button, .search-button :is(svg, span, kbd), .who .icon-button, .avatar-button .avatar',
      )].map((part) => {
        const { x, y, width, height } = part.getBoundingClientRect();
        const { color, fontSize, fontWeight, backgroundColor } = getComputedStyle(part);
        return [part.matches('.areas a') && part.textContent.trim(), x, y, width, height, color, fontSize, fontWeight, backgroundColor];
      })`);

    it.each([
      ['wide', DESKTOP],
      ['narrow', NARROW],
    ])('keeps the top bar of the studio in place on a %s screen', async (width, options) => {
      const page = await visitStudio(organization.admin, '/dashboards', options);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(`${browser.origin}/dashboards`);
        await link(page, 'In the same frame').waitFor();
        const inStudio = await topBar(page);
        await link(page, 'In the same frame').click();
        await heading(page, 'In the same frame').waitFor();
        expect(await topBar(page)).toEqual(inStudio);
        await picture(page, `dashboard-${width}-${colorScheme}`);
      }
      expect(await areas(page)).toEqual(['Surveys', 'Dashboards', 'Reports', 'Respondents', 'Settings']);
      await page.locator('.workspace-button').click();
      await picture(page, `dashboard-workspaces-${width}`);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.locator('summary.avatar-button').click();
      await picture(page, `dashboard-account-${width}`);
      await expectAccessible(page);
      await link(page, 'Your profile').click();
      await heading(page, 'Profile').waitFor();
      await page.goBack();
      await page.locator('summary.avatar-button').click();
      await button(page, 'Sign out').click();
      await page.getByLabel('Email address').waitFor();
      await page.goto(`${browser.origin}/dashboards/${board.id}`);
      await heading(page, 'In the same frame').waitFor({ state: 'detached' });
    });

    it('selects a workspace in the top bar', async () => {
      await organization.admin
        .post('/api/workspaces', { workspace_name: 'Another one', workspace_visibility: 2 })
        .expect(201);
      const page = await visitStudio(organization.admin);
      await page.goto(`${browser.origin}/dashboards/${board.id}`);
      await page.locator('.workspace-button').click();
      await link(page, 'Another one').click();
      await page.getByRole('button', { name: 'Workspace: Another one' }).waitFor();
      expect(new URL(page.url()).search).toBe('');
      await page.goto(`${browser.origin}/dashboards/${board.id}`);
      await page.locator('.workspace-button', { hasText: 'Another one' }).waitFor();
    });

    it('has the areas of clients and works without a script', async () => {
      const client = await organization.addUser('client');
      await organization.admin
        .post(`/api/dashboards/${board.id}/shares`, { share_type: 'user', user_id: client.userId })
        .expect(201);
      const page = await visitStudio(client);
      const cookies = await page.context().cookies();
      const plain = await browser.visit('/dashboards/0', { ...DESKTOP, javaScriptEnabled: false });
      await plain.context().addCookies(cookies);
      await plain.goto(`${browser.origin}/dashboards/${board.id}`);
      await heading(plain, 'In the same frame').waitFor();
      expect(await areas(plain)).toEqual(['Dashboards', 'Settings']);
      await link(plain, 'Page 2').click();
      await heading(plain, 'Page 2').waitFor({ state: 'attached' });
      expect(await plain.locator('.workspace-button').count()).toBe(0);
    });
  });

  describe('the arrangement of a dashboard', () => {
    const arranged = async (id: number): Promise<[string, string[]][]> => {
      const { pages, charts } = (await organization.admin.get(`/api/dashboards/${id}`).expect(200)).body.data;
      return pages.map((each: { page_title: string; chart_ids: number[] }) => [
        each.page_title,
        each.chart_ids.map(
          (chartId) =>
            charts.find((chart: { chart_id: number; chart_title: string }) => chart.chart_id === chartId)
              .chart_title,
        ),
      ]);
    };
    const drag = async (page: Page, from: string, to: string, offset: number) => {
      const source = (await page.locator(from).locator('.grip').first().boundingBox())!;
      const target = (await page.locator(to).boundingBox())!;
      await page.mouse.move(source.x + 5, source.y + 5);
      await page.mouse.down();
      await page.mouse.move(target.x + 80, target.y + target.height / 2, { steps: 4 });
      await page.mouse.move(target.x + 80, target.y + target.height / 2 + offset, { steps: 2 });
      await page.mouse.up();
    };
    const chartRow = (title: string) => `.chart-row:has-text("${title}")`;

    it('moves charts and pages by pointer and by keyboard', async () => {
      const { id } = await createDashboard(organization, 'To arrange', [
        [text('Alpha'), text('Beta'), text('Gamma')],
        [text('Delta')],
      ]);
      const page = await visitStudio(organization.admin, `/dashboards/${id}/edit`);
      await heading(page, 'To arrange').waitFor();
      await picture(page, 'arrange-wide-light');
      await expectAccessible(page);
      await drag(page, chartRow('Gamma'), chartRow('Alpha'), -10);
      await expectAnnounced(page, 'Gamma is 1 of 3 on Page 1');
      expect(await arranged(id)).toEqual([
        ['Page 1', ['Gamma', 'Alpha', 'Beta']],
        ['Page 2', ['Delta']],
      ]);
      await button(page, 'Beta').focus();
      await page.keyboard.press('Alt+ArrowDown');
      await expectAnnounced(page, 'Beta is 1 of 2 on Page 2');
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Beta');
      await page.keyboard.press('Alt+ArrowDown');
      await expectAnnounced(page, 'Beta is 2 of 2 on Page 2');
      expect(await arranged(id)).toEqual([
        ['Page 1', ['Gamma', 'Alpha']],
        ['Page 2', ['Delta', 'Beta']],
      ]);
      await button(page, 'Page 2').focus();
      await page.keyboard.press('Alt+ArrowUp');
      await expectAnnounced(page, 'Page 2 is page 1 of 2');
      await choose(page, 'Alpha', 'Move to another page');
      await button(page, 'Move').click();
      await expectAnnounced(page, 'Alpha is 3 of 3 on Page 2');
      expect(await arranged(id)).toEqual([
        ['Page 2', ['Delta', 'Beta', 'Alpha']],
        ['Page 1', ['Gamma']],
      ]);
    });

    it('retitles and removes charts, and adds, renames and deletes pages', async () => {
      const { id } = await createDashboard(organization, 'To change', [[text('Alpha'), text('Beta')]]);
      const page = await visitStudio(organization.admin, `/dashboards/${id}`);
      await link(page, 'Edit').click();
      await heading(page, 'To change').waitFor();
      await button(page, 'Alpha').click();
      await field(page, 'Title').fill('First figure');
      await button(page, 'Save').click();
      await expectAnnounced(page, 'First figure saved');
      await choose(page, 'Beta', 'Remove');
      await page.getByText('This cannot be undone.').waitFor();
      await button(page, 'Remove').click();
      await expectAnnounced(page, 'Beta removed');
      await button(page, 'Add page').click();
      await field(page, 'Title of the page').fill('Details');
      await page.getByRole('dialog').getByRole('button', { name: 'Add page' }).click();
      await expectAnnounced(page, 'Details added');
      await page.getByText('No charts on this page.').waitFor();
      await choose(page, 'page Page 1', 'Rename');
      await field(page, 'Title of the page').fill('Overview');
      await button(page, 'Save').click();
      await heading(page, 'Overview').waitFor();
      expect(await arranged(id)).toEqual([
        ['Overview', ['First figure']],
        ['Details', []],
      ]);
      await choose(page, 'page Details', 'Delete');
      await button(page, 'Delete').click();
      await expectAnnounced(page, 'Details deleted');
      await button(page, 'Rename').click();
      await field(page, 'Name').fill('Changed');
      await button(page, 'Save').click();
      await heading(page, 'Changed').waitFor();
      await link(page, 'View').click();
      await heading(page, 'First figure').waitFor();
      expect(await arranged(id)).toEqual([['Overview', ['First figure']]]);
    });

    it('is accessible on a phone, in light and dark', async () => {
      const { id } = await createDashboard(organization, 'On a phone', [
        [text('A title that is too long for one line of a phone and therefore wraps'), text('Beta')],
        [],
      ]);
      const page = await visitStudio(organization.admin, `/dashboards/${id}/edit`, NARROW);
      await heading(page, 'On a phone').waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await picture(page, `arrange-narrow-${colorScheme}`);
      }
      await expectAccessible(page);
    });

    it('is refused to viewers', async () => {
      const { id } = await createDashboard(organization, 'Only to read', [[text('Alpha')]]);
      const viewer = await organization.addUser('member');
      await share(
        organization.admin,
        { id, slug: '', pageId: 0, at: `/api/dashboards/${id}` },
        {
          share_type: 'user',
          user_id: viewer.userId,
        },
      );
      await organization.admin
        .post('/api/workspaces', { workspace_name: 'Hidden', workspace_visibility: 1 })
        .expect(201)
        .then(({ body }) =>
          organization.admin
            .put(`/api/dashboards/${id}`, { workspace_id: body.data.workspace_id })
            .expect(200),
        );
      const page = await visitStudio(viewer, `/dashboards/${id}/edit`);
      await page.getByText('You can view this dashboard, but not change it.').waitFor();
      expect(await button(page, 'Add page').count()).toBe(0);
      await link(page, 'View').click();
      await heading(page, 'Only to read').waitFor();
      expect(await link(page, 'Edit').count()).toBe(0);
    });
  });

  it('offers viewers nothing that they may not do, and lists what is shared with them from elsewhere', async () => {
    const { admin } = organization;
    const viewer = await organization.addUser('member');
    const create = async (name: string, visibility: number): Promise<number> =>
      (
        await admin
          .post('/api/workspaces', { workspace_name: name, workspace_visibility: visibility })
          .expect(201)
      ).body.data.workspace_id;
    const readOnly = await create('Read only', 3);
    await admin
      .post(`/api/workspaces/${readOnly}/members`, { user_id: viewer.userId, role: 'viewer' })
      .expect(201);
    await newDashboard(admin, { dashboard_name: 'Only to view', workspace_id: readOnly });
    const hidden = await newDashboard(admin, {
      dashboard_name: 'From a private workspace',
      workspace_id: await create('Private', 1),
    });
    await share(admin, hidden, { share_type: 'user', user_id: viewer.userId });
    const page = await visitStudio(viewer);
    await page.getByRole('button', { name: /^Workspace: / }).click();
    await page.getByRole('menuitemradio', { name: 'Read only' }).click();
    await link(page, 'Dashboards').click();
    await link(page, 'Only to view').waitFor();
    expect(await button(page, 'New dashboard').count()).toBe(0);
    expect(await button(page, 'Actions for Only to view').count()).toBe(0);
    await page
      .getByRole('list', { name: 'Shared with you' })
      .getByRole('link', { name: 'From a private workspace' })
      .click();
    await heading(page, 'From a private workspace').waitFor();
  });

  it('shows clients only the dashboards that are shared with them, and their settings', async () => {
    const client = await organization.addUser('client');
    const shared = await newDashboard(organization.admin, { dashboard_name: 'For clients' });
    await newDashboard(organization.admin, { dashboard_name: 'Not for clients' });
    const page = await visitStudio(client, '/surveys');
    await page.waitForURL(/\/dashboards$/);
    await page.getByText('Dashboards that are shared with you appear here.').waitFor();
    expect(await areas(page)).toEqual(['Dashboards', 'Settings']);
    await share(organization.admin, shared, { share_type: 'user', user_id: client.userId });
    await page.reload();
    await expect.poll(() => names(page)).toEqual(['For clients']);
    expect(await button(page, 'New dashboard').count()).toBe(0);
    expect(await button(page, 'Actions for For clients').count()).toBe(0);
    await picture(page, 'dashboards-client');
    await expectAccessible(page);
    await link(page, 'Settings').click();
    await heading(page, 'Profile').waitFor();
    await link(page, 'Dashboards').click();
    await link(page, 'For clients').waitFor();
  });
});
