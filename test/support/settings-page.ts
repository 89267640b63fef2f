import type { BrowserContextOptions, Page } from 'playwright-core';
import type { BrowserFixture } from './browser.ts';
import { DESKTOP } from './browser.ts';

interface Person {
  email: string;
  password: string;
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
/** Expects the page to announce this. */
export const expectAnnounced = (page: Page, text: string) => page.locator('.toast').getByText(text).waitFor();

export async function fillSignIn(page: Page, { email, password }: Person): Promise<void> {
  await field(page, 'Email address').fill(email);
  await field(page, 'Password').fill(password);
  await button(page, 'Sign in').click();
}

/** Opens a section of the settings in the browser of a signed-in user. */
export async function visitSettings(
  browser: BrowserFixture,
  user: Person,
  section: string,
  options: BrowserContextOptions = DESKTOP,
): Promise<Page> {
  const page = await browser.visitAs(user, `/settings/${section}`, options);
  await page.getByRole('navigation', { name: 'Settings' }).waitFor();
  return page;
}
