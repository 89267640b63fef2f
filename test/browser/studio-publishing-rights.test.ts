import { afterEach, describe, expect, it } from 'vitest';
import { newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  useBrowser,
} from '../support/browser.ts';
import { newDashboard } from '../support/dashboards.ts';
import { button } from '../support/settings-page.ts';

describe.skipIf(browserSkipReason() !== null)('sharing a dashboard', BROWSER_TEST_OPTIONS, () => {
  const test = useApp({ ADMINS_PUBLISH_DASHBOARDS: 'true' });
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  it('says to members why they cannot make it public, and lets them end a link', async () => {
    const organization = await newOrganization(test);
    const member = await organization.addUser('member');
    const dashboard = await newDashboard(organization.admin, { dashboard_name: 'Brand tracker' });
    const page = await browser.visitAs(member, '/dashboards', DESKTOP);
    const open = async () => {
      await button(page, 'Actions for Brand tracker').click();
      await page.getByRole('menuitem', { name: 'Share', exact: true }).click();
      await page.getByText('Only admins can open dashboards').waitFor();
    };
    const option = (name: string) => page.getByRole('radio', { name, exact: true });
    await open();
    expect(await option('Anyone with the link').isDisabled()).toBe(true);
    expect(await option('Anyone with the link and the password').isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await organization.admin.post(`${dashboard.at}/shares`, { share_type: 'public' }).expect(201);
    await page.reload();
    await open();
    await option('Members of the workspace').check();
    await button(page, 'Save').click();
    await page.getByText('Only members can view Brand tracker').waitFor();
    expect((await organization.admin.get(`${dashboard.at}/shares`).expect(200)).body.data).toEqual([]);
  });
});
