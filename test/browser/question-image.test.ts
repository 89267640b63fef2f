import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { BLUE, GREEN, noisePicture, RED, stripedPicture } from '../support/pictures.ts';
import { choice } from '../support/questions.ts';
import { SVG } from '../support/sample-files.ts';
import { expectAnnounced } from '../support/settings-page.ts';
import { draftSurvey, publishedSurvey } from '../support/surveys.ts';

const WIDE = `<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="900" viewBox="0 0 24 9"><rect width="24" height="9" fill="#cbd5e1"/><circle cx="12" cy="4.5" r="3" fill="#b91c1c"/></svg>`;

describe.skipIf(browserSkipReason() !== null)('images of questions', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };
  const address = () => `${browser.origin}/cup.svg`;

  it('are set with a description in the editor', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [[choice('Q1')]]);
    const page = await browser.visitAs(organization.admin, `/surveys/${surveyId}/edit`, DESKTOP);
    await page.route(address(), (route) => route.fulfill({ contentType: 'image/svg+xml', body: WIDE }));
    const card = page.getByRole('article', { name: 'Question 1' });
    await card.getByLabel('Question text').first().click();
    await card.getByRole('button', { name: 'Add image…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Image of question 1' });
    await dialog.getByLabel(/Address of the image/).fill(address());
    await dialog.getByLabel(/What the image shows/).fill('A red cup');
    await dialog.getByAltText('Preview of the image').waitFor();
    await expectAccessible(page);
    await picture(page, 'question-image-dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await card.getByAltText('A red cup').waitFor();
    await picture(page, 'question-image-editor');
    const settings = async () =>
      (await organization.admin.get(`/api/surveys/${surveyId}`).expect(200)).body.data.questions[0]
        .question_settings;
    await expect
      .poll(settings, { timeout: 10_000 })
      .toMatchObject({ image_url: address(), image_alt: 'A red cup' });
    await card.getByRole('button', { name: 'Change image…' }).click();
    await dialog.getByRole('button', { name: 'Remove image' }).click();
    await expect.poll(settings, { timeout: 10_000 }).toMatchObject({ image_url: null, image_alt: null });
  });

  it('are uploaded in the editor, and refused with the reason at the field', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [[choice('Q1')]]);
    for (const [name, options] of [
      ['phone', PHONE],
      ['desktop', DESKTOP],
    ] as const) {
      const page = await browser.visitAs(organization.admin, `/surveys/${surveyId}/edit`, options);
      const card = page.getByRole('article', { name: 'Question 1' });
      await card.getByLabel('Question text').first().click();
      await card.getByRole('button', { name: 'Add image…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Image of question 1' });
      const file = dialog.getByLabel('Upload image');
      await file.setInputFiles({ name: 'cup.png', mimeType: 'image/png', buffer: SVG });
      await dialog.getByText(/^The image must be a PNG, JPEG, GIF or WebP image/).waitFor();
      await picture(page, `question-image-upload-refused-${name}`);
      const cup = await stripedPicture(600, 300, [RED, BLUE, GREEN]).png();
      await file.setInputFiles({ name: 'cup.png', mimeType: 'image/png', buffer: cup });
      await dialog.getByAltText('Preview of the image').waitFor();
      await expectAccessible(page);
      await picture(page, `question-image-upload-${name}`);
      if (name !== 'desktop') continue;
      await dialog.getByRole('button', { name: 'Save' }).click();
      const settings = async () =>
        (await organization.admin.get(`/api/surveys/${surveyId}`).expect(200)).body.data.questions[0]
          .question_settings.image_url as string | null;
      await expect.poll(settings, { timeout: 10_000 }).toMatch(/^\/images\/\w{32}$/);
    }
    const published = await organization.admin.post(`/api/surveys/${surveyId}/publish`).expect(200);
    await browserShowsImage(published.body.data.links[0].link_token as string);
  });

  it('are made smaller where they are too large, and refused where a copy would lose their animation', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [[choice('Q1')]]);
    const page = await browser.visitAs(organization.admin, `/surveys/${surveyId}/edit`, DESKTOP);
    const card = page.getByRole('article', { name: 'Question 1' });
    await card.getByLabel('Question text').first().click();
    await card.getByRole('button', { name: 'Add image…' }).click();
    const file = page.getByRole('dialog').getByLabel('Upload image');
    const large = await noisePicture(3_000, 400).png();
    expect(large.length).toBeGreaterThan(3 * 1024 * 1024);
    const animation = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(2 * 1024 * 1024)]);
    await file.setInputFiles({ name: 'cup.gif', mimeType: 'image/gif', buffer: animation });
    await page.getByText('This animation has 2.0 MB').waitFor();
    await file.setInputFiles({ name: 'cup.png', mimeType: 'image/png', buffer: large });
    await expectAnnounced(page, 'The image was made smaller and uploaded.');
    const shown = page.getByAltText('Preview of the image');
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(2560);
  });

  /** The page of respondents loads the uploaded image without a session. */
  const browserShowsImage = async (linkToken: string) => {
    const page = await browser.visit(`/s/${linkToken}`, DESKTOP);
    const image = page.locator('img[src^="/images/"]');
    await image.waitFor();
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(600);
  };

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
    ['dark', { ...DESKTOP, colorScheme: 'dark' as const }],
  ])('are shown to respondents in their language, within the column: %s', async (name, options) => {
    const { linkToken } = await publishedSurvey(organization.admin, {
      settings: { languages: ['de'] },
      pages: [
        [
          choice('Q1', {
            question_text: 'Which cup?',
            question_settings: {
              image_url: address(),
              image_alt: 'A red cup',
              translations: { de: { question_text: 'Welche Tasse?', image_alt: 'Eine rote Tasse' } },
            },
          }),
        ],
      ],
    });
    const page = await browser.visit('/health', options);
    await page.route(address(), (route) => route.fulfill({ contentType: 'image/svg+xml', body: WIDE }));
    await page.goto(`${browser.origin}/s/${linkToken}?lang=de`);
    const image = page.getByAltText('Eine rote Tasse');
    await image.waitFor();
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(0);
    const [width, column] = await image.evaluate((each) => [
      each.getBoundingClientRect().width,
      each.parentElement!.getBoundingClientRect().width,
    ]);
    expect(width).toBeGreaterThan(100);
    expect(width).toBeLessThanOrEqual(column + 0.5);
    expect(await image.getAttribute('loading')).toBe('lazy');
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
    await picture(page, `question-image-${name}`);
  });
});
