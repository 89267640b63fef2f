import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PNG } from './sample-files.ts';

/** A file, as it is chosen in a browser. */
export const PICTURE = {
  name: 'cup.png',
  mimeType: 'image/png',
  buffer: PNG,
};

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** One of the points of a scale. */
export const point = (page: Page, question: RegExp, value: number): Locator =>
  page.getByRole('radiogroup', { name: question }).locator(`input[value="${value}"]`);

/** Runs in the browser. */
const hasFocus = (element: unknown): boolean =>
  element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement;

/** Presses Tab until the element has the focus, as keyboard users do. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate(hasFocus)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${String(target)}`);
}

/** Waits until the page's heading is this, and has been given the focus. */
export async function waitForHeading(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(heading);
}

/** Waits until a text is shown. */
export async function waitForText(page: Page, text: string | RegExp, timeoutMs = 8_000): Promise<void> {
  await page.getByText(text).first().waitFor({ timeout: timeoutMs });
}
