import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  PHONE,
} from '../support/browser.ts';
import { button, waitForHeading, waitForText } from '../support/respondent-page.ts';
import { questionCard, savePicture, visitEditor, waitUntilSaved } from '../support/survey-editor.ts';
import { useSurveyPage } from '../support/survey-page.ts';
import { draftSurvey } from '../support/surveys.ts';

const ROWS = [
  { row_code: 'coffee', row_label: 'Coffee' },
  { row_code: 'more', row_label: 'Something else' },
];
const matrix = (rows: readonly object[]) => ({
  question_type: 'matrix',
  question_code: 'M1',
  question_text: 'How do you like these drinks?',
  question_settings: { rows },
  options: ['Bad', 'Fair', 'Good'],
});

describe.skipIf(browserSkipReason() !== null)('rows that respondents name', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Drinks',
    pages: [{ questions: [matrix([ROWS[0]!, { ...ROWS[1]!, row_other: true }])] }],
  });

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ])('have a text box, and need an answer once they have a name: %s', async (name, options) => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`, options);
    const row = (label: RegExp) => page.getByRole('radiogroup', { name: label });
    await row(/^Coffee$/)
      .getByRole('radio', { name: 'Good' })
      .check();
    await page.getByRole('textbox', { name: 'Something else' }).fill('Tea');
    await button(page, 'Submit').click();
    await waitForText(page, 'Please answer every row.');
    await savePicture(page, `named-row-${name}`);
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
    await row(/Something else/)
      .getByRole('radio', { name: 'Fair' })
      .check();
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    expect(await fixture.storedAnswers()).toEqual({
      M1: { coffee: 'Good', more: 'Fair', 'more.other': 'Tea' },
    });
  });

  it('are made in the studio', async () => {
    const { author, browser } = fixture;
    const { surveyId } = await draftSurvey(author, [[matrix(ROWS)]]);
    const page = await visitEditor(browser, author, surveyId);
    const card = questionCard(page, 1);
    const toggle = async () => {
      await card.getByRole('button', { name: 'Actions for row 2' }).click();
      await page.getByRole('menuitem', { name: /Has a text box/ }).click();
      await waitUntilSaved(page);
    };
    const savedRows = async () =>
      (await author.get(`/api/surveys/${surveyId}`).expect(200)).body.data.questions[0].question_settings
        .rows;
    await toggle();
    await card.getByText('Text box', { exact: true }).waitFor();
    await expect.poll(savedRows).toEqual([ROWS[0], { ...ROWS[1], row_other: true }]);
    await expectAccessible(page);
    await toggle();
    await expect.poll(savedRows).toEqual(ROWS);
  });
});
