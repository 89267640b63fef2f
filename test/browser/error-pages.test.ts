import { describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import {
  DESKTOP,
  expectAccessible,
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  SMALL_PHONE,
  useBrowser,
} from '../support/browser.ts';

const browser = useBrowser(useApp());

describe.skipIf(browserSkipReason() !== null)('error page of an unknown path', BROWSER_TEST_OPTIONS, () => {
  it.each([
    ['narrow', SMALL_PHONE, 'light', '/join', 'This link is incomplete'],
    ['wide', DESKTOP, 'dark', '/nope', 'Page not found'],
  ] as const)('is a page in a %s window', async (_window, size, colorScheme, path, heading) => {
    const page = await browser.visit(path, { ...size, colorScheme });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
    await expectAccessible(page);
    expect(browser.problems()).toEqual([]);
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.waitForURL(`${browser.origin}/`);
  });
});
