import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { appOn, type TestApp } from '../support/app.ts';
import { DESKTOP, BROWSER_TEST_OPTIONS, browserSkipReason, useBrowser } from '../support/browser.ts';
import { useDatabase } from '../support/database.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { button, field, fillSignIn, heading } from '../support/settings-page.ts';

describe.skipIf(browserSkipReason() !== null)('password reset', BROWSER_TEST_OPTIONS, () => {
  const database = useDatabase();
  let server: MailServer;
  let test: TestApp;
  let organization: Organization;
  beforeAll(async () => {
    server = await startMailServer();
    test = appOn(database, {
      SMTP_URL: server.url,
      MAIL_FROM: 'Canvass <no-reply@canvass.example>',
      PUBLIC_URL: 'https://research.example',
    });
    test.container.jobWorker.start();
    organization = await newOrganization(test);
  });
  const browser = useBrowser({
    database,
    get app() {
      return test.app;
    },
    get container() {
      return test.container;
    },
  });
  afterAll(async () => {
    await test.container.jobWorker.stop(1_000);
    test.container.mail?.close();
    await server.close();
  });

  it('sets a new password through the link in the email, which works once', async () => {
    const user = await organization.addUser('member');
    const page = await browser.visit('/settings', DESKTOP);
    await field(page, 'Email address').fill(user.email);
    await button(page, 'Forgot your password?').click();
    await heading(page, 'Forgot your password?').waitFor();
    expect(await field(page, 'Email address').inputValue()).toBe(user.email);
    await button(page, 'Send link').click();
    await heading(page, 'Check your email').waitFor();
    await vi.waitFor(() => expect(server.mails).toHaveLength(1), { timeout: 10_000, interval: 20 });
    const [, path] = /https:\/\/research\.example(\/reset#\S+)/.exec(server.mails[0]!.text!)!;

    const opened = await browser.visit(path!);
    await heading(opened, 'Set a new password').waitFor();
    // The token is neither in the address bar nor in the history.
    expect(opened.url()).toBe(`${browser.origin}/reset`);
    await field(opened, 'New password').fill('short');
    await button(opened, 'Set password').click();
    await opened.getByText('New password must be at least 8 characters').waitFor();
    await field(opened, 'New password').fill('remembered this time');
    await button(opened, 'Set password').click();
    await heading(opened, 'Your password has been changed').waitFor();
    await opened.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(opened, { ...user, password: 'remembered this time' });
    await heading(opened, 'Surveys').waitFor();

    const newPage = await browser.visit(path!);
    await field(newPage, 'New password').fill('and once more please');
    await button(newPage, 'Set password').click();
    await newPage.getByText('This link was used').waitFor();
    const bare = await browser.visit('/reset');
    await heading(bare, 'This link is incomplete').waitFor();
    expect(browser.problems()).toEqual([]);
  });
});
