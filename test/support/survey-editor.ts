import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Actor } from './actors.ts';
import { type BrowserFixture, DESKTOP } from './browser.ts';
import { heading } from './settings-page.ts';

/** Opens the editor of a survey in the browser of a signed-in user. */
export async function visitEditor(
  browser: BrowserFixture,
  author: { email: string; password: string },
  surveyId: number,
  options: BrowserContextOptions = DESKTOP,
): Promise<Page> {
  const page = await browser.visitAs(author, `/surveys/${surveyId}/edit`, options);
  await heading(page, 'Edit').waitFor();
  return page;
}

/** The card of a question by its position in the survey. */
export const questionCard = (page: Page, number: number) =>
  page.getByRole('article', { name: `Question ${number}`, exact: true });

export const waitUntilSaved = (page: Page) =>
  page.locator('.save-state').getByText('Saved', { exact: true }).waitFor();

/** Saves a picture of the page in the folder SCREENSHOTS, if it is set. */
export async function savePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}

interface SavedPage {
  page_logic: object | null;
  questions: { question_settings: { logic: object | null } }[];
}

/** The logic of all pages and questions that the API has, in order. */
export async function savedLogic(author: Actor, surveyId: number): Promise<object[]> {
  const { body } = await author.get(`/api/surveys/${surveyId}`).expect(200);
  return (body.data.pages as SavedPage[])
    .flatMap(({ page_logic: logic, questions }) => [
      ...questions.map(({ question_settings: settings }) => settings.logic),
      logic,
    ])
    .filter((logic) => logic !== null);
}
