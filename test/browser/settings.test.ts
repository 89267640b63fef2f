import supertest from 'supertest';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  DESKTOP,
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  PHONE,
  expectNoHorizontalScroll,
  useBrowser,
} from '../support/browser.ts';
import {
  button,
  field,
  fillSignIn,
  heading,
  expectAnnounced,
  visitSettings,
} from '../support/settings-page.ts';

/** A picture of 2 × 2 points. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(browserSkipReason() !== null)('settings', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  const whoIs = (apiKey: string) => supertest(test.app).get('/api/users/me').set('X-API-Key', apiKey);
  const link = (page: Page, name: string) => page.getByRole('link', { name });

  it('lets an admin sign in, invite and approve a colleague, and create a working API key', async () => {
    const { admin } = organization;
    const page = await browser.visit('/settings', DESKTOP);
    await fillSignIn(page, admin);
    await heading(page, 'Profile').waitFor();

    await link(page, 'Invite links').click();
    await field(page, 'Maximum number of people').fill('some');
    await button(page, 'Create link').click();
    await page.getByText(/^Maximum number of people must be/).waitFor();
    expect(await field(page, 'Maximum number of people').getAttribute('aria-invalid')).toBe('true');
    await field(page, 'Maximum number of people').fill('1');
    await button(page, 'Create link').click();
    await expectAnnounced(page, 'Link created');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(page, 'Copy invite link').click();
    await expectAnnounced(page, 'Invite link copied');
    const invitation = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));

    const colleague = { email: `grace@${organization.slug}.example`, password: 'compilers' };
    const otherPage = await browser.visit(invitation.pathname, PHONE);
    await heading(otherPage, `Join Organization ${organization.slug}`).waitFor();
    await otherPage.getByText('You have been invited as a member.').waitFor();
    await field(otherPage, 'Your name').fill('Grace Hopper');
    await field(otherPage, 'Email address').fill(colleague.email);
    await field(otherPage, 'Password').fill('short');
    await button(otherPage, 'Join').click();
    await otherPage.getByText('Password must be at least 8 characters').waitFor();
    await expect.poll(() => otherPage.evaluate('document.activeElement.name')).toBe('password');
    await field(otherPage, 'Password').fill(colleague.password);
    await button(otherPage, 'Join').click();
    await heading(otherPage, 'Waiting for approval').waitFor();
    await link(otherPage, 'Sign in').click();
    await fillSignIn(otherPage, colleague);
    await otherPage.getByRole('alert').waitFor();

    await page.reload();
    await page.getByText('1 of 1 joined').waitFor();
    await link(page, 'Approvals 1 waiting').click();
    await button(page, 'Approve Grace Hopper').click();
    await expectAnnounced(page, 'Grace Hopper approved');
    await page.getByText('No one is waiting for approval').waitFor();

    await button(otherPage, 'Sign in').click();
    await heading(otherPage, 'Surveys').waitFor();
    await link(otherPage, 'Settings').click();
    await heading(otherPage, 'Profile').waitFor();
    expect(await link(otherPage, 'Users').count()).toBe(0);

    await link(page, 'API keys').click();
    await field(page, 'Name').fill('Nightly export');
    await field(page, 'Your password').fill('not this');
    await button(page, 'Create key').click();
    await page.getByText('Your password is wrong').waitFor();
    await field(page, 'Expires after').fill('2199-12-31');
    await field(page, 'Your password').fill(admin.password);
    await button(page, 'Create key').click();
    const key = (await page.locator('#new-key').textContent())!;
    expect(key).toMatch(/^cvs_[A-Za-z0-9]{48}$/);
    await button(page, 'Copy api key').click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(key);
    expect((await whoIs(key).expect(200)).body.data.user_email).toBe(admin.email);
    await button(page, 'Done').click();
    expect(await page.content()).not.toContain(key);
    await page.getByText(/expires/).waitFor();
    await button(page, 'Revoke Nightly export').click();
    await button(page, 'Revoke key').click();
    await expectAnnounced(page, 'API key Nightly export revoked');
    await whoIs(key).expect(401);
  });

  it('can be used with the keyboard alone', async () => {
    const { admin } = organization;
    const page = await browser.visit('/settings', DESKTOP);
    await heading(page, 'Sign in').waitFor();
    const focused = () =>
      page.evaluate<string>('document.activeElement.name || document.activeElement.textContent.trim()');
    const until = async (name: string) => {
      for (let presses = 0; presses < 30; presses += 1) {
        if ((await focused()) === name) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab does not lead to ${name}, but to ${await focused()}`);
    };
    await until('email');
    await page.keyboard.type(admin.email);
    await until('password');
    await page.keyboard.type('not this');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await expect.poll(focused).toContain('wrong');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('password');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(admin.password);
    await page.keyboard.press('Enter');
    await heading(page, 'Profile').waitFor();
    // Where reading begins; everything after it follows in the order that is seen.
    expect(await focused()).toBe('Profile');

    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Audit log');
    for (let presses = 0; presses < 6; presses += 1) await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Users');
    await page.keyboard.press('Enter');
    await heading(page, 'Users').waitFor();
    expect(await page.title()).toBe('Users · Canvass');
    expect(await focused()).toBe('Users');
    await until('Add a user');
    await page.keyboard.press('Enter');
    await heading(page, 'Add a user').waitFor();
    expect(await focused()).toBe('user_name');
    await page.keyboard.press('Escape');
    await heading(page, 'Add a user').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Add a user');
    await page.goBack();
    await heading(page, 'Profile').waitFor();
  });

  it('ends all other sessions when the password changes', async () => {
    const user = await organization.addUser('member');
    const mine = await visitSettings(browser, user, 'security');
    const other = await visitSettings(browser, user, 'profile', PHONE);
    await field(mine, 'Current password').fill('not this one');
    await field(mine, 'New password').fill('quite another one');
    await button(mine, 'Change password').click();
    await mine.locator('.problem').waitFor();
    await expect.poll(() => mine.evaluate('document.activeElement.name')).toBe('current_password');
    await field(mine, 'Current password').fill(user.password);
    await button(mine, 'Change password').click();
    await expectAnnounced(mine, 'Password changed');
    await mine.getByText('This session').waitFor();
    expect(await mine.getByRole('list', { name: 'Sessions' }).getByRole('listitem').count()).toBe(1);

    await link(other, 'Password and sessions').click();
    await heading(other, 'Sign in to continue').waitFor();
    await fillSignIn(other, { ...user, password: 'quite another one' });
    await heading(other, 'Password and sessions').waitFor();
    await other.getByText('This session').waitFor();

    await mine.reload();
    await button(mine, 'Sign out everywhere else').click();
    await mine.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await expectAnnounced(mine, 'All other sessions have ended');
    await other.reload();
    await heading(other, 'Sign in').waitFor();
    await button(mine, /^Account of/).click();
    await mine.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(mine, 'Sign in').waitFor();
    await mine.reload();
    await heading(mine, 'Sign in').waitFor();
  });

  it('saves a picture, a name and an email address', async () => {
    const user = await organization.addUser('client');
    const page = await visitSettings(browser, user, 'profile', PHONE);
    await page.getByLabel('Choose a picture').setInputFiles({
      name: 'me.png',
      mimeType: 'image/png',
      buffer: PNG,
    });
    await expectAnnounced(page, 'Picture saved');
    const picture = page.locator('main img.avatar');
    await picture.waitFor();
    await expect
      .poll(() => page.evaluate("document.querySelector('main img.avatar').naturalWidth"))
      .toBe(256);
    await page.getByLabel('Choose another picture').setInputFiles({
      name: 'me.png',
      mimeType: 'image/png',
      buffer: Buffer.from('Not a picture at all'),
    });
    await page.getByText(/^The picture must be a PNG, JPEG or WebP/).waitFor();
    await button(page, 'Remove').click();
    await expectAnnounced(page, 'Picture removed');
    await expect.poll(() => picture.count()).toBe(0);

    await field(page, 'Your name').fill(' ');
    await button(page, 'Save name').click();
    await page.getByText('Your name is required').waitFor();
    await field(page, 'Your name').fill('Ida Rhodes');
    await button(page, 'Save name').click();
    await expectAnnounced(page, 'Name saved');
    const address = `ida@${organization.slug}.example`;
    await field(page, 'Email address').fill(address);
    await button(page, 'Save address').click();
    await page.getByText(/^Your password /).waitFor();
    await field(page, 'Your password').fill(user.password);
    await button(page, 'Save address').click();
    await expectAnnounced(page, 'Email address saved');
    const me = (await user.get('/api/users/me').expect(200)).body.data;
    expect(me).toMatchObject({ user_name: 'Ida Rhodes', user_email: address, avatar_url: null });
    // A client has an account, and no more than that.
    expect(
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents(),
    ).toEqual(['Profile', 'Password and sessions']);
    await expectNoHorizontalScroll(page);
  });

  it('shows an error during a server outage and recovers', async () => {
    const page = await visitSettings(browser, organization.admin, 'api-keys');
    await browser.stopServer();
    await field(page, 'Name').fill('Mine');
    await button(page, 'Create key').click();
    await page.locator('form').getByText('The server cannot be reached').waitFor();
    await link(page, 'Groups').click();
    await page.getByText('The server cannot be reached').waitFor();
    await browser.startServer();
    await button(page, 'Try again').click();
    await page.getByText('No groups yet').waitFor();
  });
});
