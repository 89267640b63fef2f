import { beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  DESKTOP,
  expectAccessible,
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { invite } from '../support/invitations.ts';
import { choice, text } from '../support/questions.ts';
import { button, heading } from '../support/settings-page.ts';
import { publishedSurvey } from '../support/surveys.ts';

const test = useApp();

describe.skipIf(browserSkipReason() !== null)('invited respondent', BROWSER_TEST_OPTIONS, () => {
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });

  /** The paths of the two addresses in the mail of a person. */
  async function mailTo(respondent: {
    email: string;
    [field: string]: unknown;
  }): Promise<[survey: string, optOut: string]> {
    const published = await publishedSurvey(organization.admin, [
      [choice('Q1', { question_text: 'Where in {{attribute.city}}, {{respondent.name}}?' })],
      [
        text('Q2', {
          question_text: 'Only for Porto',
          question_settings: {
            logic: {
              display: { left: { type: 'attribute', code: 'city' }, operator: 'equals', right: 'Porto' },
            },
          },
        }),
      ],
    ]);
    const { body } = await invite(organization.admin, published, [respondent]).expect(202);
    await test.container.services.campaignRunner.run(body.data.campaign_id, {
      signal: new AbortController().signal,
      progress: () => undefined,
    });
    const { body: outbox } = await organization.admin
      .get(`/api/outbox?email=${respondent.email}`)
      .expect(200);
    const [mail] = outbox.data as { link_url: string; unsubscribe_url: string }[];
    const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
    return [pathOf(mail!.link_url), pathOf(mail!.unsubscribe_url)];
  }

  it('sees personalized questions and can answer once', async () => {
    const [survey] = await mailTo({
      email: 'ana@people.example',
      name: 'Ana',
      attributes: { city: 'Porto' },
    });
    const page = await browser.visit(survey, PHONE);
    await page.getByText('Where in Porto, Ana?').waitFor();
    await page.getByText('Option 2').click();
    await button(page, 'Next').click();
    await page.getByText('Only for Porto').waitFor();
    await button(page, 'Submit').click();
    await heading(page, 'Thank you!').waitFor();
    const elsewhere = await browser.visit(survey, DESKTOP);
    await heading(elsewhere, 'You have already answered this survey').waitFor();
    expect(browser.problems()).toEqual([]);
  });

  it('unsubscribes and subscribes again', async () => {
    const [, optOut] = await mailTo({ email: 'bo@people.example', name: 'Bo', language: 'ar' });
    const page = await browser.visit(optOut, PHONE);
    await heading(page, 'إلغاء الاشتراك').waitFor();
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl');
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'أُلغي اشتراكك').waitFor();
    await expectAccessible(page);
    await page.getByRole('button').click();
    await heading(page, 'تم اشتراكك من جديد').waitFor();
    await expectAccessible(page);
    expect(browser.problems()).toEqual([]);
  });
});
