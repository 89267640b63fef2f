import { beforeAll, describe, expect, it } from 'vitest';
import { newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { DESKTOP, BROWSER_TEST_OPTIONS, browserSkipReason, useBrowser } from '../support/browser.ts';
import { multiple, text } from '../support/questions.ts';
import { waitForHeading, button, waitForText } from '../support/respondent-page.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';

const rows = [
  { row_code: 'r1', row_label: 'Weekday' },
  { row_code: 'r2', row_label: 'Weekend' },
];
const noneOfTwo = {
  left: { type: 'question', code: 'Q1' },
  operator: 'includes_none',
  right: ['1', '2'],
};

describe.skipIf(browserSkipReason() !== null)(
  'questions without a ticked option',
  BROWSER_TEST_OPTIONS,
  () => {
    const test = useApp();
    const browser = useBrowser(test);
    let survey: PublishedSurvey;

    beforeAll(async () => {
      const { admin } = await newOrganization(test);
      survey = await publishedSurvey(admin, [
        {
          page_title: 'First',
          questions: [
            multiple('Q1'),
            multiple('Q2', { question_settings: { min_selections: 1 } }),
            text('Q3', { question_settings: { logic: { display: noneOfTwo } } }),
            {
              ...multiple('Q4'),
              question_type: 'matrix',
              question_settings: { rows, matrix_type: 'multiple' },
            },
          ],
        },
        { page_title: 'Second', questions: [multiple('Q5', { question_required: true })] },
      ]);
    });

    it('sends an empty list for shown questions and evaluates logic that depends on it', async () => {
      const page = await browser.visit(`/s/${survey.linkToken}`, DESKTOP);
      const why = page.getByLabel('Why Q3?');
      await why.waitFor();
      const first = page.getByRole('group', { name: 'Which for Q1?' });
      await first.getByText('Option 1').click();
      expect(await why.count()).toBe(0);
      await first.getByText('Option 1').click();
      await why.waitFor();
      await page.getByRole('group', { name: 'Weekend' }).getByRole('checkbox').first().check({ force: true });
      await button(page, 'Next').click();
      await waitForHeading(page, 'Second');
      await button(page, 'Submit').click();
      await waitForText(page, 'Please answer this question.');
      const response = async () => (await readStoredResponses(test, survey.surveyId))[0]!;
      await expect
        .poll(async () => (await response()).answers)
        .toEqual({ Q1: [], Q2: null, Q3: null, Q4: { r1: [], r2: ['1'] } });
      await page.getByText('Option 2').click();
      await button(page, 'Submit').click();
      await expect.poll(async () => (await response()).response_status).toBe('complete');
      expect((await response()).answers).toEqual({
        Q1: [],
        Q2: null,
        Q3: null,
        Q4: { r1: [], r2: ['1'] },
        Q5: ['2'],
      });
      expect(browser.problems()).toEqual([]);
    });
  },
);
