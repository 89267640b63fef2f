import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  useBrowser,
} from '../support/browser.ts';
import { newDashboard, share } from '../support/dashboards.ts';
import { newReport } from '../support/reports.ts';
import { button, expectAnnounced, fillSignIn } from '../support/settings-page.ts';

describe.skipIf(browserSkipReason() !== null)('deleted objects in the studio', BROWSER_TEST_OPTIONS, () => {
  const test = useApp({ ADMINS_PUBLISH_DASHBOARDS: 'true', DELETED_RETENTION_DAYS: '7' });
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  let admin: Actor;
  beforeEach(async () => {
    organization = await newOrganization(test);
    ({ admin } = organization);
  });

  async function visitStudio(user: Actor, path: string): Promise<Page> {
    const page = await browser.visit(path, DESKTOP);
    await fillSignIn(page, user);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    return page;
  }
  const deletedList = (page: Page) => page.getByRole('list', { name: 'Recently deleted' });
  const deleteIt = async (page: Page, name: string) => {
    await button(page, `Actions for ${name}`).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('You can restore it for 7 days.').waitFor();
    await button(page, 'Delete').click();
    await expectAnnounced(page, `${name} deleted`);
    await page.getByRole('list', { name: 'Recently deleted' }).getByText(name).waitFor();
  };

  it.each([
    ['dashboard', '/dashboards'],
    ['report', '/reports'],
  ])('a deleted %s is restored by undo and from the list of deleted ones', async (type, path) => {
    const create = async () =>
      type === 'dashboard'
        ? newDashboard(admin, { dashboard_name: 'Coffee at work' })
        : newReport(admin, { report_name: 'Coffee at work' });
    const { at } = await create();
    const page = await visitStudio(admin, path);
    await deleteIt(page, 'Coffee at work');
    await admin.get(at).expect(404);
    await button(page, 'Undo').click();
    await expectAnnounced(page, 'Coffee at work restored');
    await admin.get(at).expect(200);
    await expect.poll(() => deletedList(page).count()).toBe(0);
    await button(page, 'Actions for Coffee at work').waitFor();

    await deleteIt(page, 'Coffee at work');
    await page.reload();
    await deletedList(page)
      .getByText(/^Deleted today/)
      .waitFor();
    await expectAccessible(page);
    await button(page, 'Restore Coffee at work').click();
    await expectAnnounced(page, 'Coffee at work restored');
    await button(page, 'Actions for Coffee at work').waitFor();
    expect(await deletedList(page).count()).toBe(0);
  });

  it('says that a restored dashboard has another address, or lost its link', async () => {
    const first = await newDashboard(admin, { dashboard_name: 'Tea', dashboard_slug: 'tea' });
    await admin.delete(first.at).expect(204);
    await newDashboard(admin, { dashboard_name: 'New tea', dashboard_slug: 'tea' });
    const open = await newDashboard(admin, { dashboard_name: 'Public figures' });
    await share(admin, open, { share_type: 'public' });
    await admin.delete(open.at).expect(204);
    const member = await organization.addUser('member');
    const page = await visitStudio(member, '/dashboards');
    await button(page, 'Restore Tea').click();
    await expectAnnounced(page, 'Tea restored with a new address, because its old one is in use');
    await button(page, 'Restore Public figures').click();
    await expectAnnounced(
      page,
      'Public figures restored without its link. Only admins can publish dashboards.',
    );
  });
});
