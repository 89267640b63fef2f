import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
} from '../support/browser.ts';
import { button, waitForHeading, waitForText } from '../support/respondent-page.ts';
import { questionCard, savePicture, visitEditor, waitUntilSaved } from '../support/survey-editor.ts';
import { draftSurvey } from '../support/surveys.ts';
import { useSurveyPage } from '../support/survey-page.ts';

describe.skipIf(browserSkipReason() !== null)('a calculated value', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Costs',
    pages: [
      {
        questions: [
          {
            question_type: 'number',
            question_code: 'CUPS',
            question_text: 'How many cups?',
            question_settings: { decimals: 1 },
          },
          {
            question_type: 'calculated',
            question_code: 'TOTAL',
            question_text: 'They cost you:',
            question_settings: { expression: 'CUPS * 2.5', decimals: 2, prefix: '€' },
          },
          {
            question_type: 'text',
            question_code: 'WHY',
            question_text: 'Why do you spend € {{TOTAL}}?',
            question_settings: {
              logic: { display: { left: { type: 'question', code: 'TOTAL' }, operator: 'gt', right: 10 } },
            },
          },
        ],
      },
    ],
  });

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ])('follows the answers on its page: %s', async (_, options) => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`, options);
    const value = page.getByRole('status', { name: 'They cost you:' });
    await expect.poll(() => value.textContent()).toBe('–');
    await page.getByLabel('How many cups?').fill('4');
    await expect.poll(() => value.textContent()).toBe('10.00');
    await page.getByLabel('How many cups?').fill('5');
    await expect.poll(() => value.textContent()).toBe('12.50');
    await page.getByLabel('Why do you spend € 12.50?').fill('Taste');
    await savePicture(page, `calculated-${page.viewportSize()?.width}`);
    await expectAccessible(page);
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    expect(await fixture.storedAnswers()).toEqual({ CUPS: 5, TOTAL: 12.5, WHY: 'Taste' });
  });

  it('is edited in the studio, which says what is wrong with the expression', async () => {
    const { author, browser } = fixture;
    const { surveyId } = await draftSurvey(author, [
      [
        { question_type: 'number', question_code: 'A' },
        { question_type: 'text', question_code: 'B' },
      ],
    ]);
    const page = await visitEditor(browser, author, surveyId);
    const card = questionCard(page, 2);
    await card.getByRole('button', { name: /^Answer type/ }).click();
    await page.getByRole('menuitemradio', { name: 'Calculated value', exact: true }).click();
    await card.getByText('Settings', { exact: true }).click();
    const expression = card.getByLabel('Expression');
    await expression.fill('A * (2');
    await card.getByText('this parenthesis is not closed (at character 5)').waitFor();
    await expression.fill('A * 2');
    await card.getByLabel('Text after').fill('points');
    await card.getByRole('switch', { name: 'Required' }).waitFor({ state: 'detached' });
    await waitUntilSaved(page);
    await savePicture(page, 'calculated-editor');
    await expectAccessible(page);
    const saved = await author.get(`/api/surveys/${surveyId}`).expect(200);
    expect(saved.body.data.questions[1]).toMatchObject({
      question_type: 'calculated',
      question_settings: { expression: 'A * 2', suffix: 'points' },
    });
    await expression.fill('NOPE * 2');
    await card
      .getByText(/there is no column|NOPE/)
      .first()
      .waitFor();
  });

  it('groups the digits of large numbers', async () => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`, DESKTOP);
    await page.getByLabel('How many cups?').fill('500.5');
    await waitForText(page, '1,251.25');
  });
});
