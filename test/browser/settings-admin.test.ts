import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { BROWSER_TEST_OPTIONS, browserSkipReason, expectAccessible, useBrowser } from '../support/browser.ts';
import { button, field, heading, expectAnnounced, visitSettings } from '../support/settings-page.ts';

describe.skipIf(browserSkipReason() !== null)('organization settings', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  const dialog = (page: Page) => page.getByRole('dialog');
  const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
  const login = (email: string, password: string) =>
    anonymous(test).post('/api/auth', { action: 'login', email, password });

  it('sets the look of the surveys of a workspace, with a preview', async () => {
    const page = await visitSettings(browser, organization.admin, 'look');
    await page.locator('summary').first().click();
    await field(page, 'Color of buttons and bars').fill('#0f766e');
    const sample = 'getComputedStyle(document.querySelector(".look-preview.phone b")).backgroundColor';
    await expect.poll(() => page.evaluate(sample)).toBe('rgb(15, 118, 110)');
    await field(page, 'Background color').fill('#777777');
    await button(page, 'Save look').click();
    await page
      .getByText(/at least 4.5:1 is needed/)
      .first()
      .waitFor();
    await field(page, 'Background color').fill('#f2f7f5');
    await field(page, 'Typeface').selectOption('Serif');
    await expectAccessible(page);
    await button(page, 'Save look').click();
    await expectAnnounced(page, 'Respondents see it now');
    const { body } = await organization.admin.get('/api/workspaces').expect(200);
    expect(body.data[0].workspace_look).toMatchObject({
      color: '#0f766e',
      background_color: '#f2f7f5',
      typeface: 'serif',
      logo: null,
      made_with_canvass: false,
    });
  });

  it('lets an admin add, find, change, suspend and delete users', async () => {
    const email = `alan@${organization.slug}.example`;
    const page = await visitSettings(browser, organization.admin, 'users');
    await button(page, 'Add a user').click();
    await field(page, 'Name').fill('Alan Turing');
    await field(page, 'Email address').fill(organization.admin.email.toUpperCase());
    await field(page, 'Password').fill('enigma enigma');
    await inDialog(page, 'Add user').click();
    await dialog(page).locator('.problem').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('user_email');
    await field(page, 'Email address').fill(email);
    await inDialog(page, 'Add user').click();
    await expectAnnounced(page, 'Alan Turing added');
    await login(email, 'enigma enigma').expect(200);

    await page.getByPlaceholder('Search by name').fill('turing');
    await page.getByText('1 user', { exact: true }).waitFor();
    await button(page, 'Edit Alan Turing').click();
    await field(page, 'Name').fill('Alan M. Turing');
    await field(page, 'Role').selectOption('client');
    await dialog(page).getByLabel('May use AI features').uncheck();
    await inDialog(page, 'Save').click();
    await expectAnnounced(page, 'Alan M. Turing saved');
    const found = await organization.admin.get('/api/users?search=turing').expect(200);
    expect(found.body.data).toMatchObject([
      { user_name: 'Alan M. Turing', user_role: 'client', ai_access: false, user_email: email },
    ]);

    await page.getByText('Address not confirmed').waitFor();
    await button(page, 'Confirm address Alan M. Turing').click();
    await expectAnnounced(page, 'The address of Alan M. Turing is confirmed in your organization');
    await expect.poll(() => page.getByText('Address not confirmed').count()).toBe(0);

    await button(page, 'Edit Alan M. Turing').click();
    await inDialog(page, 'Send password link').click();
    await field(page, 'Your password').fill(organization.admin.password);
    await inDialog(page, 'Send password link').click();
    const link = await field(page, 'Password link').inputValue();
    await inDialog(page, 'Done').click();
    await login(email, 'enigma enigma').expect(200);
    const reset = { action: 'reset', reset_token: link.split('#')[1], new_password: 'another enigma' };
    await anonymous(test).post('/api/auth', reset).expect(200);
    await login(email, 'another enigma').expect(200);

    await button(page, 'Edit Alan M. Turing').click();
    await inDialog(page, 'Suspend').click();
    await heading(page, 'Suspend Alan M. Turing?').waitFor();
    await inDialog(page, 'Suspend').click();
    await expectAnnounced(page, 'Alan M. Turing suspended');
    expect((await login(email, 'another enigma')).status).not.toBe(200);
    await page.getByText('Suspended').last().waitFor();
    await button(page, 'Edit Alan M. Turing').click();
    await inDialog(page, 'Reactivate').click();
    let showList = () => undefined;
    const held = new Promise<void>((resolve) => {
      showList = () => void resolve();
    });
    await page.route('**/api/users?*', (route) => void held.then(() => route.continue()));
    await inDialog(page, 'Reactivate').click();
    await expectAnnounced(page, 'Alan M. Turing reactivated');
    await login(email, 'another enigma').expect(200);

    // The list, which is still loading, closes no dialog that was opened since.
    await button(page, 'Edit Alan M. Turing').click();
    await inDialog(page, 'Delete').click();
    showList();
    await expect.poll(() => page.getByText('Suspended', { exact: true }).count()).toBe(1);
    await inDialog(page, 'Delete').click();
    await expectAnnounced(page, 'Alan M. Turing deleted');
    await page.getByText('No users match.').waitFor();
    await login(email, 'another enigma').expect(401);
  });

  it('explains why the last admin cannot be deleted', async () => {
    const page = await visitSettings(browser, organization.admin, 'users');
    await button(page, 'Edit Ada Admin').click();
    await inDialog(page, 'Delete').click();
    await inDialog(page, 'Delete').click();
    await dialog(page).getByRole('alert').filter({ hasText: 'admin' }).waitFor();
    await inDialog(page, 'Cancel').click();
    await expect.poll(() => dialog(page).count()).toBe(0);
  });

  it('lets an admin reject a user and revoke an invite link', async () => {
    const invited = await organization.admin.post('/api/invite-links', { user_role: 'client' }).expect(201);
    const { invite_token: token, invite_url: url } = invited.body.data as Record<string, string>;
    await anonymous(test)
      .post('/api/auth', {
        action: 'register',
        invite_token: token,
        user_name: 'Mallory',
        email: `mallory@${organization.slug}.example`,
        password: 'let me in now',
      })
      .expect(201);
    const page = await visitSettings(browser, organization.admin, 'approvals');
    await button(page, 'Reject Mallory').click();
    await inDialog(page, 'Reject').click();
    await expectAnnounced(page, 'Mallory rejected');
    await page.getByText('No one is waiting for approval').waitFor();
    await page.getByRole('link', { name: 'Send an invite link' }).click();
    await heading(page, 'Invite links').waitFor();
    await button(page, 'Revoke the link for a client').click();
    await inDialog(page, 'Revoke link').click();
    await expectAnnounced(page, 'Link revoked');
    await page.getByText('No links yet').waitFor();
    const late = await browser.visit(new URL(url!).pathname);
    await heading(late, 'This invitation is not valid').waitFor();
    await late.getByText('withdrawn').waitFor();
    const stalePage = await browser.visit('/join/nothingofthekind');
    await stalePage.getByText('No invitation was found for this link').waitFor();
  });

  it('lets an admin create groups and manage their members', async () => {
    await organization.addUser('member');
    const page = await visitSettings(browser, organization.admin, 'groups');
    await button(page, 'New group').click();
    await field(page, 'Name').fill('Field team');
    await inDialog(page, 'Create group').click();
    await expectAnnounced(page, 'Group Field team created');
    await button(page, 'New group').click();
    await field(page, 'Name').fill('FIELD TEAM');
    await inDialog(page, 'Create group').click();
    await dialog(page).locator('.problem, .summary').waitFor();
    await inDialog(page, 'Cancel').click();

    await button(page, 'Members of Field team').click();
    await dialog(page).getByText('No members yet.').waitFor();
    await inDialog(page, 'Add A member').click();
    await inDialog(page, 'Remove A member').waitFor();
    await inDialog(page, 'Done').click();
    await page.getByText('1 member').waitFor();
    await button(page, 'Members of Field team').click();
    await inDialog(page, 'Remove A member').click();
    await inDialog(page, 'Add A member').waitFor();
    await inDialog(page, 'Done').click();

    await button(page, 'Edit Field team').click();
    await field(page, 'Name').fill('Field');
    await field(page, 'Description').fill('Who is out there');
    await inDialog(page, 'Save').click();
    await page.getByText('0 members · Who is out there').waitFor();
    await button(page, 'Edit Field').click();
    await inDialog(page, 'Delete group').click();
    await inDialog(page, 'Delete group').click();
    await page.getByText('No groups yet').waitFor();
  });

  it('lets an admin rename the organization and filter the audit log', async () => {
    const page = await visitSettings(browser, organization.admin, 'organization');
    await field(page, 'Name').fill('Acme Research');
    await field(page, 'Short name').fill('Not a slug');
    await button(page, 'Save').click();
    await page.getByText(/^Short name must be lower-case letters/).waitFor();
    await field(page, 'Short name').fill(`acme-${organization.slug}`);
    await button(page, 'Save').click();
    await expectAnnounced(page, 'Organization saved');
    await button(page, /^Account of/).click();
    await page.getByRole('banner').getByText('Acme Research').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Audit log' }).click();
    const entries = page.getByRole('list', { name: 'Audit log' });
    await entries.getByText('Organization: updated').waitFor();
    await field(page, 'Action').fill('Something?');
    await button(page, 'Filter').click();
    await page.getByText(/^Action must be an action/).waitFor();
    await field(page, 'Action').fill('Organization: updated');
    await button(page, 'Filter').click();
    await expect.poll(() => entries.getByRole('listitem').count()).toBe(1);
    await field(page, 'Action').fill('');
    await field(page, 'To').fill('2001-02-03');
    await button(page, 'Filter').click();
    await page.getByText('No entries match.').waitFor();
  });
});
