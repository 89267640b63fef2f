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
import { choice } from '../support/questions.ts';
import { button, expectAnnounced } from '../support/settings-page.ts';
import { draftSurvey, type TestSurvey } from '../support/surveys.ts';

/** Pages load slowly where many tests run at once. */
const poll = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

describe.skipIf(browserSkipReason() !== null)('studio: translations', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  const newSurvey = (languages: string[]) =>
    draftSurvey(organization.admin, {
      survey_name: 'Coffee at work',
      settings: { languages },
      pages: [[choice('Q1', { question_text: 'What do you drink?' })]],
    });
  async function open(survey: TestSurvey, options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(organization.admin, `/surveys/${survey.surveyId}/translate`, options);
    return page;
  }
  const field = (page: Page, source: string) => page.getByLabel(`Translation of ${source}`, { exact: true });
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  const stored = async (survey: TestSurvey) =>
    (await organization.admin.get(`/api/surveys/${survey.surveyId}`).expect(200)).body.data;

  it('are written beside the texts, and marked where they are missing', async () => {
    const survey = await newSurvey(['en', 'de', 'ar']);
    const page = await open(survey);
    await page.getByText('0 of 5 texts translated').waitFor();
    await field(page, 'What do you drink?').fill('Was trinken Sie?');
    await field(page, 'Option 2').fill('Zweite');
    await field(page, 'Coffee at work').fill('Kaffee bei der Arbeit');
    await field(page, 'Option 1').focus();
    await page.getByText('3 of 5 texts translated').waitFor();
    await picture(page, 'translations');
    await expectAccessible(page);
    const { questions, survey_settings: settings } = await stored(survey);
    expect(questions[0].question_settings.translations).toEqual({
      de: { question_text: 'Was trinken Sie?', options: { 2: 'Zweite' } },
    });
    expect(settings.translations).toEqual({ de: { survey_name: 'Kaffee bei der Arbeit' } });

    await page.getByLabel('Only missing or outdated (2)').check();
    expect(await page.locator('tbody tr').count()).toBe(2);
    await page.getByLabel('Translate to').selectOption('ar');
    await field(page, 'Option 3').fill('الثالث');
    await field(page, 'Option 1').focus();
    await poll(async () => (await stored(survey)).questions[0].question_settings.translations.ar).toEqual({
      options: { 3: 'الثالث' },
    });
    // The other language is as before.
    expect((await stored(survey)).questions[0].question_settings.translations.de.options).toEqual({
      2: 'Zweite',
    });
  });

  it('are marked when their text changes, until the author changes or confirms them', async () => {
    const survey = await newSurvey(['en', 'de']);
    const at = `/api/surveys/${survey.surveyId}/questions/${survey.questionIds.Q1}`;
    const german = { de: { question_text: 'Was trinken Sie?', options: { 1: 'Erste' } } };
    await organization.admin.put(at, { question_settings: { translations: german } }).expect(200);
    const { options } = (await organization.admin.get(at).expect(200)).body.data;
    const [first, ...others] = options.map(
      ({ retired: _, ...option }: { retired: boolean; option_label: string }) => option,
    );
    await organization.admin
      .put(at, {
        question_text: 'What do you like to drink?',
        options: [{ ...first, option_label: '=First' }, ...others],
      })
      .expect(200);
    for (const [name, options] of [
      ['phone', PHONE],
      ['dark', { ...DESKTOP, colorScheme: 'dark' }],
    ] as const) {
      const other = await open(survey, options);
      await other.getByText('2 of 5 texts translated, 2 outdated').waitFor();
      await picture(other, `translations-outdated-${name}`);
      await expectAccessible(other);
      await expectNoHorizontalScroll(other);
    }
    const page = await open(survey);
    await page.getByText('2 of 5 texts translated, 2 outdated').waitFor();
    await picture(page, 'translations-outdated');
    await page.getByLabel('Only missing or outdated (5)').check();
    const row = (source: string) => page.getByRole('row').filter({ has: field(page, source) });
    expect(await row('=First').getByText('Outdated', { exact: true }).count()).toBe(1);
    expect(await row('Option 2').getByText('Outdated', { exact: true }).count()).toBe(0);

    // A file marks what is outdated, and a translator confirms it there.
    await button(page, 'Files').click();
    let download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download as CSV' }).click();
    const csv = (await (await (await download).createReadStream()).toArray()).join('');
    expect(csv).toContain(`"'=First","Erste","outdated"`);
    await button(page, 'Files').click();
    download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download as XLIFF' }).click();
    const xliff = (await (await (await download).createReadStream()).toArray()).join('');
    expect(xliff).toContain('<target state="needs-review-translation">Erste</target>');
    await page.getByLabel('Upload translations').setInputFiles({
      name: 'back.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv.replace('"Erste","outdated"', '"Erste","translated"')),
    });
    await expectAnnounced(page, '1 translation saved');
    await page.getByText('2 of 5 texts translated, 1 outdated').waitFor();

    await row('What do you like to drink?').getByRole('button', { name: 'Still correct' }).click();
    await page.getByText('2 of 5 texts translated', { exact: true }).waitFor();
    const read = (await organization.admin.get(at).expect(200)).body.data;
    expect(read.outdated_translations).toEqual({});
    expect(read.question_settings.translations).toEqual(german);
  });

  it('go to a file and come back', async () => {
    const survey = await newSurvey(['en', 'de']);
    const page = await open(survey);
    for (const [name, extension] of [
      ['Download as CSV', 'csv'],
      ['Download as XLIFF', 'xlf'],
    ] as const) {
      await button(page, 'Files').click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name }).click();
      const stream = await (await download).createReadStream();
      const content = (await stream.toArray()).join('');
      expect(content).toContain('What do you drink?');
      const translated =
        extension === 'csv'
          ? content.replace('"What do you drink?",""', '"What do you drink?","Was, denn, trinken Sie?"')
          : content.replace(/(<source>Option 1<\/source>\s*<target[^>]*>)/, '$1Erste &amp; beste');
      await page.getByLabel('Upload translations').setInputFiles({
        name: `back.${extension}`,
        mimeType: 'text/plain',
        buffer: Buffer.from(translated),
      });
      await expectAnnounced(page, '1 translation saved');
    }
    await poll(async () => (await stored(survey)).questions[0].question_settings.translations.de).toEqual({
      question_text: 'Was, denn, trinken Sie?',
      options: { 1: 'Erste & beste' },
    });
    await page.getByLabel('Upload translations').setInputFiles({
      name: 'wrong.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('a,b\n1,2\n'),
    });
    await page.getByText('The first line must name the columns key and de').waitFor();
  });

  it('need a second language, on a phone too', async () => {
    const page = await open(await newSurvey(['en']), PHONE);
    await page.getByText('The survey has one language').waitFor();
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
  });
});
