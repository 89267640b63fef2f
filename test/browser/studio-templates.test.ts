import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  useBrowser,
} from '../support/browser.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

describe.skipIf(browserSkipReason() !== null)('templates', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  it('have pictures, and tell the author alone what to replace', async () => {
    const { admin } = organization;
    const page = await browser.visitAs(admin, '/surveys/new/template', DESKTOP);
    await page.getByRole('heading', { name: 'Brand tracker' }).waitFor();
    expect(await page.locator('.template-sketch').count()).toBe(8);
    await expectAccessible(page);
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/templates.png`, fullPage: true });
    await page.getByRole('button', { name: 'Use template Brand tracker' }).click();
    const note = page.getByRole('complementary', { name: 'Note for you' });
    await note.getByText(/Replace “Brand A”/).waitFor();
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/template-note.png` });
    const id = Number(/\/surveys\/(\d+)/.exec(page.url())?.[1]);

    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/“Brand A”, “Brand B”, “Brand C” and \d+ more look unfinished/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Go to question 2' }).click();
    await page.locator('#content, body').getByLabel('Question text').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Done, remove this note' }).click();
    await note.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);

    await page.setViewportSize(NARROW.viewport);
    await expectNoHorizontalScroll(page);
    await admin.post(`/api/surveys/${id}/publish`, {}).expect(200);
    const { body } = await admin.get(`/api/surveys/${id}/links`).expect(200);
    const shown = await admin.get(`/api/public/s/${body.data[0].link_token}`).expect(200);
    expect(JSON.stringify(shown.body)).not.toMatch(/before you publish|Replace|author_note/);
  });
});
