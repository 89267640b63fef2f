import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Actor } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  DESKTOP,
  expectAccessible,
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  SMALL_PHONE,
  useBrowser,
} from '../support/browser.ts';
import { COFFEE_SURVEY } from '../support/coffee-survey.ts';
import { choice } from '../support/questions.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';
import { waitForHeading, button, waitForText } from '../support/respondent-page.ts';

describe.skipIf(browserSkipReason() !== null)('end pages of a survey', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let admin: Actor;
  beforeAll(async () => {
    ({ admin } = await newOrganization(test));
  });
  afterEach(() => {
    expect(browser.problems()).toEqual([]);
  });
  const short = (settings: object = {}): Promise<PublishedSurvey> =>
    publishedSurvey(admin, { survey_name: 'Short', settings, pages: [{ questions: [choice('Q1')] }] });

  it('thanks a screened-out respondent and shows no more questions', async () => {
    const survey = await publishedSurvey(admin, COFFEE_SURVEY);
    const page = await browser.visit(`/s/${survey.linkToken}`, SMALL_PHONE);
    await page.getByLabel('Nothing at all').check();
    await button(page, 'Next').tap();
    await waitForHeading(page, 'Thank you for your interest');
    await expectAccessible(page);
    expect(await readStoredResponses(test, survey.surveyId)).toMatchObject([
      { response_status: 'screened_out', status_reason: 'screen_out', answers: { drink: '5' } },
    ]);
  });

  const OUT = {
    default_language: 'en',
    languages: ['de'],
    screened_out_message: 'We are looking for tea drinkers this time.',
    over_quota_message: 'All places are taken.',
    closed_message: 'The bar is closed.',
    completion_message: 'Cheers!',
    translations: {
      de: {
        screened_out_message: 'Diesmal suchen wir Teetrinker.',
        over_quota_message: 'Alle Plätze sind vergeben.',
        closed_message: 'Die Bar ist zu.',
      },
    },
  };
  const screened = (settings: object = {}) =>
    publishedSurvey(admin, {
      survey_name: 'Short',
      settings: { ...OUT, ...settings },
      pages: [
        {
          questions: [
            choice('Q1', {
              question_settings: {
                logic: {
                  skip: [
                    {
                      when: { left: { code: 'Q1' }, operator: 'equals', right: '3' },
                      action: 'screen_out',
                      reason: 'Too young for this',
                    },
                  ],
                },
              },
            }),
          ],
        },
      ],
    });

  it('shows the end text in the language of the respondent, without the reason of the rule', async () => {
    const survey = await screened();
    const page = await browser.visit(`/s/${survey.linkToken}?lang=de`, SMALL_PHONE);
    await page.getByLabel('Option 3').check();
    await button(page, 'Weiter').tap();
    await waitForText(page, 'Diesmal suchen wir Teetrinker.');
    await expectAccessible(page);
    await page.reload();
    await waitForText(page, 'Diesmal suchen wir Teetrinker.');
    expect(await page.content()).not.toContain('Too young for this');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Too young');

    await admin.post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: '1' } }).expect(201);
    await test.database.db.raw('UPDATE links SET link_quota = 1 WHERE link_id = ?', [survey.linkId]);
    const full = await browser.visit(`/s/${survey.linkToken}?lang=de`, SMALL_PHONE);
    await waitForText(full, 'Alle Plätze sind vergeben.');
    await admin.put(`/api/surveys/${survey.surveyId}`, { survey_status: 3 }).expect(200);
    const closed = await browser.visit(`/s/${survey.linkToken}?lang=de`, SMALL_PHONE);
    await waitForText(closed, 'Die Bar ist zu.');
  });

  it('shows an end text without a translation in its own language and direction', async () => {
    const survey = await short({ languages: ['ar'], completion_message: 'Thanks, and see you!' });
    const page = await browser.visit(`/s/${survey.linkToken}?lang=ar`, SMALL_PHONE);
    await button(page, 'إرسال').tap();
    const text = page.getByText('Thanks, and see you!');
    await text.waitFor();
    expect(await text.getAttribute('dir')).toBe('auto');
    expect(await text.getAttribute('lang')).toBe('en');
  });

  it('offers a restart only if the survey allows it', async () => {
    for (const allow of [false, true]) {
      const survey = await short(allow ? { allow_restart: true } : {});
      const page = await browser.visit(`/s/${survey.linkToken}`, SMALL_PHONE);
      await button(page, 'Submit').tap();
      await waitForHeading(page, 'Thank you!');
      expect(await button(page, 'Fill in the survey again').count()).toBe(allow ? 1 : 0);
    }
  });

  it('offers a restart after a screen-out too, so that the next person can answer on the device', async () => {
    const survey = await screened({ allow_restart: true });
    const page = await browser.visit(`/s/${survey.linkToken}?lang=de`, SMALL_PHONE);
    await page.getByLabel('Option 3').check();
    await button(page, 'Weiter').tap();
    await waitForText(page, 'Diesmal suchen wir Teetrinker.');
    await page.getByRole('button').tap();
    await page.getByLabel('Option 3').waitFor();
    expect(await page.getByLabel('Option 3').isChecked()).toBe(false);
  });

  it('explains unknown, paused and full links', async () => {
    const page = await browser.visit('/s/no-such-link-here', SMALL_PHONE);
    await waitForText(page, 'Survey not found');
    await expectAccessible(page);
    await page.context().close();

    const survey = await short();
    await test.database.db.raw("UPDATE links SET link_state = 'paused' WHERE link_id = ?", [survey.linkId]);
    const paused = await browser.visit(`/s/${survey.linkToken}`, SMALL_PHONE);
    await waitForText(paused, 'This survey is paused');
    await expectAccessible(paused);
    await paused.context().close();

    const one = await short();
    await test.database.db.raw('UPDATE links SET link_quota = 1 WHERE link_id = ?', [one.linkId]);
    await admin.post(`/api/public/s/${one.linkToken}/responses`, { answers: { Q1: '1' } }).expect(201);
    const full = await browser.visit(`/s/${one.linkToken}`, SMALL_PHONE);
    await waitForText(full, 'This survey has enough responses');
    await expectAccessible(full);
  });

  it('shows the opening time of a future wave and the end of a past one', async () => {
    const survey = await short();
    const at = '/api/surveys/waves';
    const wave = { survey_id: survey.surveyId, wave_name: 'Spring', wave_start_date: '2031-03-01T12:00:00Z' };
    const created = await admin.post(at, wave).expect(201);
    const soon = await browser.visit(`/s/${survey.linkToken}?lang=en`, SMALL_PHONE);
    await waitForText(soon, 'This survey is not open yet');
    await waitForText(soon, /It opens on .*March.*2031/);
    await expectAccessible(soon);
    await soon.context().close();

    const past = { wave_start_date: null, wave_end_date: '2021-03-01' };
    await admin.put(`${at}/${created.body.data.wave_id}`, past).expect(200);
    const over = await browser.visit(`/s/${survey.linkToken}`, SMALL_PHONE);
    await waitForText(over, 'This round of the survey has ended');
    await expectAccessible(over);
  });

  it('accepts started responses after closing and shows the closed message to new respondents', async () => {
    const survey = await short({ closed_message: 'The bar is shut. See you in spring!' });
    const page = await browser.visit(`/s/${survey.linkToken}`);
    await page.getByLabel('Option 1').check();
    await button(page, 'Continue later').click();
    await page.getByLabel('Your link').waitFor();
    await button(page, 'Close').click();
    await admin.put(`/api/surveys/${survey.surveyId}`, { survey_status: 3 }).expect(200);
    await page.reload();
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');

    const late = await browser.visit(`/s/${survey.linkToken}`);
    await waitForText(late, 'The bar is shut. See you in spring!');
    await expectAccessible(late);
  });

  it('tells a respondent whose page is open that the survey has closed, with the next saved page', async () => {
    const survey = await publishedSurvey(admin, { pages: [[choice('Q1')], [choice('Q2')], [choice('Q3')]] });
    const page = await browser.visit(`/s/${survey.linkToken}`);
    const notice = page.getByText('This survey is closed to new responses.');
    await page.getByLabel('Option 1').check();
    await button(page, 'Next').click();
    await waitForText(page, 'Which for Q2?');
    expect(await notice.count()).toBe(0);
    await admin.put(`/api/surveys/${survey.surveyId}`, { survey_status: 3 }).expect(200);
    await page.getByLabel('Option 1').check();
    await button(page, 'Next').click();
    await notice.waitFor();
    await expectAccessible(page);
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
  });

  it('asks for consent first and redirects after completion', async () => {
    const survey = await short({
      consent_text: 'We keep your answers for a year.',
      anonymous: true,
      redirect_url: `${browser.origin}/api/health`,
    });
    const page = await browser.visit(`/s/${survey.linkToken}`, DESKTOP);
    await waitForText(page, 'We keep your answers for a year.');
    await button(page, 'Start').click();
    await waitForText(page, 'Please select the box to agree');
    await expectAccessible(page);
    await page.getByLabel(/I have read this/).check();
    await button(page, 'Start').click();
    await waitForText(page, 'This survey is anonymous');
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    await expectAccessible(page);
    await page.waitForURL('**/api/health');
  });

  it('marks a preview and stores its response as a test', async () => {
    const survey = await short();
    const preview = await admin.post(`/api/surveys/${survey.surveyId}/preview`).expect(201);
    const page = await browser.visit(new URL(preview.body.data.preview_url as string).pathname);
    await waitForText(page, 'Preview: answers are not counted');
    await expectAccessible(page);
    await page.getByLabel('Option 3').check();
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    expect(await readStoredResponses(test, survey.surveyId)).toMatchObject([
      { is_preview: true, answers: { Q1: '3' } },
    ]);
  });

  it('aligns right-to-left languages to the right', async () => {
    const survey = await short({ default_language: 'ar' });
    const page = await browser.visit(`/s/${survey.linkToken}`, SMALL_PHONE);
    await button(page, 'إرسال').waitFor();
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl');
    await expectAccessible(page);
  });
});
