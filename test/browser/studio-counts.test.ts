import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { BROWSER_TEST_OPTIONS, browserSkipReason, DESKTOP, useBrowser } from '../support/browser.ts';
import { button, expectAnnounced } from '../support/settings-page.ts';
import { choice, text } from '../support/questions.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

const poll = <T>(read: () => T) => expect.poll(read, { timeout: 8_000 });

const OPTIONS = ['Price', 'Taste', 'Place'].map((option_label, index) => ({
  option_label,
  option_value: String(index + 1),
}));

const PAGES = [
  [
    { question_type: 'ranking', question_code: 'R', question_text: 'Rank these.', options: OPTIONS },
    choice('C', {
      question_text: 'Where do you buy?',
      options: [
        { option_label: 'Shop', option_value: '1' },
        { option_label: 'Elsewhere', option_value: '2', option_other: true },
      ],
    }),
    {
      question_type: 'matrix',
      question_code: 'M',
      question_text: 'Rate these.',
      question_settings: { rows: [{ row_code: 'r1', row_label: 'Coffee' }] },
      options: [
        { option_label: 'Good', option_value: '1' },
        { option_label: 'I do not know', option_value: '9', option_missing: true },
      ],
    },
    text('T', { question_settings: { logic: { display: { C: '2' } } } }),
  ],
];

/** One of five ranks, one of two who named another place wrote it. */
const ANSWERS = [
  { R: ['1', '2', '3'], C: { value: '2', other: 'Market' }, M: { r1: '1' }, T: 'Fine' },
  { C: '2', M: { r1: '9' } },
  { C: '1', M: { r1: '9' } },
  { C: '1', M: null },
  { C: '1', M: null },
];

describe.skipIf(browserSkipReason() !== null)('studio: what figures count', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  let survey: PublishedSurvey;
  beforeAll(async () => {
    organization = await newOrganization(test);
    survey = await publishedSurvey(organization.admin, PAGES);
    await organization.admin
      .post(`/api/responses/${survey.surveyId}/rows`, { rows: ANSWERS.map((answers) => ({ answers })) })
      .expect(201);
  });

  const visit = (tab: string) =>
    browser.visitAs(organization.admin, `/surveys/${survey.surveyId}/${tab}`, DESKTOP);
  const bases = async (page: Page, question: string) => {
    const card = page.getByRole('list', { name: 'Questions' }).locator('> li', { hasText: question });
    await card.scrollIntoViewIfNeeded();
    return card.locator('.result-base').allTextContents();
  };

  it('names who answered, who skipped and who was not asked', async () => {
    const page = await visit('results');
    await poll(() => bases(page, 'Rank these')).toEqual([
      '1 answer · 4 skipped · mean rank (1 is best); percentages of the 5 people who were asked',
    ]);
    // The second line is that of the text of the option.
    await poll(() => bases(page, 'Where do you buy?')).toEqual([
      '5 answers',
      '1 answer · 1 skipped · 3 not asked',
    ]);
    await poll(() => bases(page, 'Rate these')).toEqual(['1 answer · 2 skipped · 2 without an opinion']);
    await poll(() => bases(page, 'Why T?')).toEqual(['1 answer · 1 skipped · 3 not asked']);
  });

  it('says that the results hide test responses when some are added', async () => {
    const page = await visit('collect');
    await page.getByText('The survey has real responses, so its results leave out test responses.').waitFor();
    await button(page, 'Add 50 test responses').click();
    await expectAnnounced(
      page,
      '50 test responses added. The results hide them, because the survey has real responses.',
    );
    await organization.admin.delete(`/api/responses/${survey.surveyId}/seed`).expect(204);
  });

  it('says that test responses are hidden, and counts them on request', async () => {
    await organization.admin.post(`/api/responses/${survey.surveyId}/seed`, { count: 50 }).expect(201);
    const page = await visit('results');
    await page.getByText('50 test responses are hidden, because the survey has real responses.').waitFor();
    await poll(() => bases(page, 'Where do you buy?')).toContain('5 answers');
    await button(page, 'Show test responses').click();
    await page.getByText('50 test responses are counted.').waitFor();
    await page.getByText(/^55 responses/).waitFor();
    expect(new URL(page.url()).searchParams.get('show')).toBe('with_tests');
    await poll(() => bases(page, 'Where do you buy?')).not.toContain('5 answers');
    await button(page, 'Hide test responses').click();
    await poll(() => bases(page, 'Where do you buy?')).toContain('5 answers');
    await organization.admin.delete(`/api/responses/${survey.surveyId}/seed`).expect(204);
  });

  it('says what was done with responses', async () => {
    const page = await visit('responses');
    await page
      .getByLabel(/^Select response/)
      .first()
      .check();
    await button(page, 'Delete').click();
    await page
      .getByRole('dialog', { name: 'Delete 1 response' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await expectAnnounced(page, '1 response deleted');
    await button(page, 'Undo').click();
    await poll(() => page.locator('.grid-row').count()).toBe(5);
  });
});
