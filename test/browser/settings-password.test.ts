import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { appOn, type TestApp } from '../support/app.ts';
import { DESKTOP, IN_A_BROWSER, noBrowser, useBrowser } from '../support/browser.ts';
import { useDatabase } from '../support/database.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { button, field, fillSignIn, heading } from '../support/settings-visitor.ts';

describe.skipIf(noBrowser() !== null)('a forgotten password', IN_A_BROWSER, () => {
  const database = useDatabase();
  let server: MailServer;
  let test: TestApp;
  let home: Organization;
  beforeAll(async () => {
    server = await startMailServer();
    test = appOn(database, {
      SMTP_URL: server.url,
      MAIL_FROM: 'Canvass <no-reply@canvass.example>',
      PUBLIC_URL: 'https://research.example',
    });
    test.container.jobWorker.start();
    home = await newOrganization(test);
  });
  const house = useBrowser({
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

  it('is replaced through the link in a mail, which works once', async () => {
    const person = await home.person('member');
    const page = await house.visit('/settings', DESKTOP);
    await field(page, 'E-mail address').fill(person.email);
    await button(page, 'Forgot your password?').click();
    await heading(page, 'Forgot your password?').waitFor();
    expect(await field(page, 'E-mail address').inputValue()).toBe(person.email);
    await button(page, 'Send link').click();
    await heading(page, 'Check your e-mail').waitFor();
    await vi.waitFor(() => expect(server.mails).toHaveLength(1), { timeout: 10_000, interval: 20 });
    const [, path] = /https:\/\/research\.example(\/reset#\S+)/.exec(server.mails[0]!.text!)!;

    const opened = await house.visit(path!);
    await heading(opened, 'Set a new password').waitFor();
    // Whoever looks over a shoulder, or into the history, finds no token.
    expect(opened.url()).toBe(`${house.origin}/reset`);
    await field(opened, 'New password').fill('short');
    await button(opened, 'Set password').click();
    await opened.getByText('New password must be at least 8 characters').waitFor();
    await field(opened, 'New password').fill('remembered this time');
    await button(opened, 'Set password').click();
    await heading(opened, 'Your password has been changed').waitFor();
    await opened.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(opened, { ...person, password: 'remembered this time' });
    await heading(opened, 'Profile').waitFor();

    const again = await house.visit(path!);
    await field(again, 'New password').fill('and once more please');
    await button(again, 'Set password').click();
    await again.getByText('This link was used').waitFor();
    const bare = await house.visit('/reset');
    await heading(bare, 'This link is incomplete').waitFor();
    expect(house.complaints()).toEqual([]);
  });
});
