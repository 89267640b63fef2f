import type { Page } from 'playwright-core';
import { beforeAll, afterEach, describe, expect, it } from 'vitest';
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
import { choice } from '../support/questions.ts';
import { button, waitForHeading } from '../support/respondent-page.ts';
import { PNG } from '../support/sample-files.ts';
import { MP3, MP4, VTT } from '../support/sample-media.ts';
import { draftSurvey, publishedSurvey } from '../support/surveys.ts';

/** One second of silence, which a browser can play. */
function silence(): Buffer {
  const samples = 8_000;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(samples, 24);
  head.writeUInt32LE(samples, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
}

describe.skipIf(browserSkipReason() !== null)('sound and video', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  const upload = async (bytes: Buffer): Promise<string> => {
    const { surveyId } = await draftSurvey(organization.admin);
    const reply = await organization.admin
      .post(`/api/surveys/${surveyId}/media`)
      .attach('media', bytes, { filename: 'x' })
      .expect(201);
    return reply.body.data.media_url;
  };

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ])('are played on the page, with captions and a text instead: %s', async (name, options) => {
    const [audioUrl, video] = [await upload(MP3), await upload(MP4)];
    const captions = await upload(VTT);
    const { linkToken } = await publishedSurvey(organization.admin, {
      survey_name: 'Spot',
      settings: { languages: ['de'] },
      pages: [
        {
          questions: [
            {
              question_type: 'statement',
              question_code: 'S1',
              question_text: 'Please listen',
              question_settings: { media_url: audioUrl, media_alt: 'A bell rings.' },
            },
            {
              question_type: 'text',
              question_code: 'T1',
              question_text: 'What did you see?',
              question_settings: {
                media_url: video,
                media_captions: { en: captions, de: captions },
                media_alt: 'A cup',
                translations: { de: { media_alt: 'Eine Tasse' } },
              },
            },
          ],
        },
      ],
    });
    const page = await browser.visit(`/s/${linkToken}?lang=en`, options);
    await page.route(`**${audioUrl}`, (route) =>
      route.fulfill({ contentType: 'audio/wav', body: silence() }),
    );
    await page.reload();
    const audio = page.locator('audio[aria-label="Please listen"]');
    await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.duration)).toBe(1);
    await page.getByText('Read instead').first().click();
    await page.getByText('A bell rings.').waitFor();
    const tracks = page.locator('video[aria-label="What did you see?"] track');
    expect(
      await tracks.evaluateAll((elements: Element[]) =>
        (elements as HTMLTrackElement[]).map(({ srclang, label, default: isDefault }) => [
          srclang,
          label,
          isDefault,
        ]),
      ),
    ).toEqual([
      ['de', 'Deutsch', false],
      ['en', 'English', true],
    ]);
    // The browser cannot play the sample of a video.
    await page.getByText('This could not be played.').waitFor();
    expect(await page.getByText('This could not be played.').count()).toBe(1);
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
    await picture(page, `media-${name}`);
    await page.getByLabel('What did you see?', { exact: true }).last().fill('A cup');
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
  });

  it('are uploaded in the editor, with a text and captions', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [[choice('Q1')]]);
    const page = await browser.visitAs(organization.admin, `/surveys/${surveyId}/edit`, DESKTOP);
    const card = page.getByRole('article', { name: 'Question 1' });
    await card.getByLabel('Question text').first().click();
    await card.getByRole('button', { name: 'Add sound or video…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sound or video of question 1' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Upload sound or a video first.').waitFor();
    const choose = (name: string, file: string, buffer: Buffer) =>
      dialog.getByLabel(name, { exact: true }).setInputFiles({ name: file, mimeType: '', buffer });
    await choose('Upload file', 'spot.mp4', PNG);
    await dialog.getByText('by its content this is image/png').waitFor();
    await choose('Upload file', 'spot.mp4', MP4);
    await dialog.getByLabel('Preview of the file').waitFor();
    await choose('Upload captions: English', 'spot.vtt', Buffer.from('WEBVTT\n\nno time'));
    await dialog.getByText('must have at least one caption').waitFor();
    await choose('Upload captions: English', 'spot.vtt', VTT);
    await dialog.getByText('English: uploaded.').waitFor();
    await dialog.getByLabel(/What is heard and seen/).fill('A cup is filled.');
    await expectAccessible(page);
    await picture(page, 'media-dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await card.getByLabel('Sound or video of question 1').waitFor();
    await picture(page, 'media-editor');
    const settings = async () =>
      (await organization.admin.get(`/api/surveys/${surveyId}`).expect(200)).body.data.questions[0]
        .question_settings;
    await expect.poll(settings, { timeout: 10_000 }).toMatchObject({
      media_url: expect.stringMatching(/^\/media\/\w+\.mp4$/),
      media_alt: 'A cup is filled.',
      media_captions: { en: expect.stringMatching(/^\/media\/\w+\.vtt$/) },
    });
    await card.getByRole('button', { name: 'Change sound or video…' }).click();
    await dialog.getByRole('button', { name: 'Remove captions in English' }).click();
    await dialog.getByText('English: none.').waitFor();
    await dialog.getByRole('button', { name: 'Remove file' }).click();
    await expect
      .poll(settings, { timeout: 10_000 })
      .toMatchObject({ media_url: null, media_alt: null, media_captions: null });
  });
});
