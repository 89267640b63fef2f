import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
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
import { button, heading } from '../support/settings-page.ts';

const START = 10;
const test = useApp({ AI_STARTING_CREDITS: String(START), PAYMENT_SANDBOX: 'true' });

describe.skipIf(browserSkipReason() !== null)('checkout in the sandbox', BROWSER_TEST_OPTIONS, () => {
  const browser = useBrowser(test);
  let organization: Organization;
  beforeEach(async () => {
    organization = await newOrganization(test);
  });

  /** Its path. `back`: where the buyer goes afterwards, on our own pages. */
  async function ordered(back: Record<string, string> = {}): Promise<string> {
    const addresses = Object.fromEntries(
      Object.entries(back).map(([name, path]) => [name, browser.origin + path]),
    );
    const { body } = await organization.admin
      .post('/api/billing/create-credits-checkout', { credits: 5_000, ...addresses })
      .set('Host', new URL(browser.origin).host)
      .expect(201);
    expect(body.data.checkout_url).toBe(`${browser.origin}/checkout/${body.data.checkout_id}`);
    return new URL(body.data.checkout_url as string).pathname;
  }
  const balance = async (): Promise<number> =>
    (await organization.admin.get('/api/billing/balance').expect(200)).body.data.balance;
  const words = async (page: Page) => (await page.locator('main').innerText()).replace(/\s+/g, ' ');

  it('shows the order and that nothing is charged, on all screen sizes', async () => {
    const path = await ordered();
    const page = await browser.visit(path, DESKTOP);
    await heading(page, 'Buy credits').waitFor();
    const text = await words(page);
    for (const word of [
      `Organization ${organization.slug}`,
      '5,000',
      '$22.50',
      '$0.00',
      'You will not be charged',
    ])
      expect(text).toContain(word);
    await expectAccessible(page);
    const small = await browser.visit(path, SMALL_PHONE);
    await expectNoHorizontalScroll(small);
    expect((await button(small, 'Cancel').boundingBox())!.y).toBeLessThan(SMALL_PHONE.viewport.height - 24);
    expect(await balance()).toBe(START);
    expect(browser.problems()).toEqual([]);
  });

  it('adds the credits once and shows the paid state on later visits', async () => {
    const path = await ordered();
    const page = await browser.visit(path, PHONE);
    const late = await browser.visit(path, PHONE);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'Credits added').waitFor();
    expect(await balance()).toBe(START + 5_000);
    await expectAccessible(page);
    await page.reload();
    await heading(page, 'Credits added').waitFor();
    await button(late, 'Pay (sandbox)').click();
    await heading(late, 'Credits added').waitFor();
    expect(await balance()).toBe(START + 5_000);
    expect(browser.problems()).toEqual([]);
  });

  it('redirects to the success or cancel URL of the order', async () => {
    const back = { success_url: '/settings?bought=1', cancel_url: '/?given-up=1' };
    const paid = await browser.visit(await ordered(back), PHONE);
    await button(paid, 'Pay (sandbox)').click();
    await paid.waitForURL(`${browser.origin}/settings?bought=1`);
    expect(await balance()).toBe(START + 5_000);
    const path = await ordered(back);
    const givenUp = await browser.visit(path, PHONE);
    await button(givenUp, 'Cancel').click();
    await givenUp.waitForURL(`${browser.origin}/?given-up=1`);
    expect(await balance()).toBe(START + 5_000);
    const newPage = await browser.visit(path, PHONE);
    await heading(newPage, 'Order canceled').waitFor();
    expect(await button(newPage, 'Pay (sandbox)').count()).toBe(0);
    await expectAccessible(newPage);
    expect(browser.problems()).toEqual([]);
  });

  it('shows a not-found page for an unknown order', async () => {
    const page = await browser.visit('/checkout/0b8f6c1e-55d0-4a9f-9c43-0d9a3c4f7a11', PHONE);
    await heading(page, 'Order not found').waitFor();
    await expectAccessible(page);
    expect(browser.problems()).toEqual([]);
  });
});
