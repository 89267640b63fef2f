import { describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import {
  DESKTOP,
  expectAccessible,
  IN_A_BROWSER,
  noBrowser,
  SMALLEST,
  useBrowser,
} from '../support/browser.ts';

const browser = useBrowser(useApp());

describe.skipIf(noBrowser() !== null)('error page of an unknown path', IN_A_BROWSER, () => {
  it.each([
    ['narrow', SMALLEST, 'light', '/join', 'This link is incomplete'],
    ['wide', DESKTOP, 'dark', '/nope', 'Page not found'],
  ] as const)('is a page in a %s window', async (_window, size, colorScheme, path, heading) => {
    const page = await browser.visit(path, { ...size, colorScheme });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
    await expectAccessible(page);
    expect(browser.complaints()).toEqual([]);
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.waitForURL(`${browser.origin}/`);
  });
});
