import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  PHONE,
  SMALL_PHONE,
  useBrowser,
} from '../support/browser.ts';
import { button, field, fillSignIn, heading, visitSettings } from '../support/settings-page.ts';

const MAX_SCRIPT_BYTES = 30_000;
const MANY_PAGES = { timeout: 60_000 };
const SECTIONS = [
  ['Password and sessions', 'Password and sessions'],
  ['API keys', 'API keys'],
  ['Profile', 'Profile'],
  ['Users', 'Users'],
  ['Approvals', 'Approvals'],
  ['Invite links', 'Invite links'],
  ['Groups', 'Groups'],
  ['Look of surveys', 'Look of surveys'],
  ['Name and address', 'Organization'],
  ['Audit log', 'Audit log'],
] as const;

const test = useApp();

describe('settings pages', () => {
  const request = () => supertest(test.app);
  const filesOf = (html: string) =>
    [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file!);

  it('are the same for all users and forbid foreign scripts and embedding', async () => {
    for (const path of ['/', '/settings', '/settings/users', '/join/abc', '/reset']) {
      const reply = await request().get(path).expect(200).expect('Content-Type', /html/);
      const policy = reply.headers['content-security-policy']!.split('; ');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(reply.headers['referrer-policy']).toBe('no-referrer');
      expect(reply.headers).toHaveProperty('ratelimit-limit');
      expect(reply.text).not.toMatch(/abc|style=|\son\w+=/);
    }
  });

  it('have small, immutable assets', async () => {
    const { text } = await request().get('/settings');
    expect(filesOf(text)).toHaveLength(2);
    for (const file of filesOf(text)) {
      const reply = await request()
        .get(file)
        .set('Accept-Encoding', 'br')
        .buffer(true)
        .parse((response, done) => {
          response.on('data', () => undefined).on('end', () => done(null, null));
        })
        .expect(200)
        .expect('Cache-Control', 'public, max-age=31536000, immutable');
      expect(Number(reply.headers['content-length'])).toBeLessThan(MAX_SCRIPT_BYTES);
    }
    await request().get('/studio/assets/main-00000000.js').expect(404);
  });
});

describe.skipIf(browserSkipReason() !== null)('accessibility of the settings', BROWSER_TEST_OPTIONS, () => {
  const browser = useBrowser(test);
  let organization: Organization;
  let inviteToken: string;
  beforeAll(async () => {
    organization = await newOrganization(test);
    await organization.addUser('client');
    await organization.admin
      .post('/api/groups', { group_name: 'Field team', group_color: '#0f8a6a' })
      .expect(201);
    const created = await organization.admin
      .post('/api/invite-links', { invite_max_uses: 3, expires_at: '2100-01-01' })
      .expect(201);
    inviteToken = (created.body.data as { invite_token: string }).invite_token;
    await anonymous(test)
      .post('/api/auth', {
        action: 'register',
        invite_token: inviteToken,
        user_name: 'Somebody with quite a long name, as some have',
        email: `somebody.with.a.long.address@${organization.slug}.example`,
        password: 'a good password',
      })
      .expect(201);
  });

  it('is valid for the pages without a session', async () => {
    const page = await browser.visit('/settings', PHONE);
    await heading(page, 'Sign in').waitFor();
    await expectAccessible(page);
    await fillSignIn(page, { email: 'no@body.example', password: 'nothing' });
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    await button(page, 'Forgot your password?').click();
    await expectAccessible(page);
    await button(page, 'Send link').click();
    await heading(page, 'Ask an administrator').waitFor();
    await expectAccessible(page);
    await page.goto(`${browser.origin}/join/${inviteToken}`);
    await button(page, 'Join').click();
    await page.getByText('Your name is required').waitFor();
    await expectAccessible(page);
    await page.goto(`${browser.origin}/reset#something`);
    await heading(page, 'Set a new password').waitFor();
    await expectAccessible(page);
  });

  it(
    'is valid for each section, on wide and narrow screens, in light and dark mode',
    MANY_PAGES,
    async () => {
      const desk = await visitSettings(browser, organization.admin, '', DESKTOP);
      const phone = await visitSettings(browser, organization.admin, '', SMALL_PHONE);
      for (const [label, title] of SECTIONS) {
        for (const page of [desk, phone]) {
          await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: label }).click();
          await page.getByRole('heading', { name: title, exact: true, level: 1 }).waitFor();
          await page.locator('.waiting').waitFor({ state: 'detached' });
        }
        await expectAccessible(desk);
        await expectNoHorizontalScroll(phone);
        const [remaining, right] = await phone.evaluate<[number, number]>(
          `(({ left, right }) => [left, innerWidth - right])(document.querySelector('.sidebar [aria-current]').getBoundingClientRect())`,
        );
        // The tab of the page that is open can be seen.
        expect(Math.min(remaining, right)).toBeGreaterThanOrEqual(0);
      }
    },
  );

  it('is valid for dialogs and a new API key', async () => {
    const page = await visitSettings(browser, organization.admin, 'users', PHONE);
    await button(page, 'Edit A client').click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expectAccessible(page);
    await page.goto(`${browser.origin}/settings/groups`);
    await button(page, 'Members of Field team').click();
    await button(page, 'Add A client').waitFor();
    await expectAccessible(page);
    await page.goto(`${browser.origin}/settings/api-keys`);
    await field(page, 'Name').fill('Nightly export');
    await field(page, 'Your password').fill(organization.admin.password);
    await button(page, 'Create key').click();
    await button(page, 'Done').waitFor();
    await expectAccessible(page);
  });
});
