import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { BROWSER_TEST_OPTIONS, browserSkipReason, DESKTOP, expectAccessible } from '../support/browser.ts';
import { choice, EVERY_TYPE, multiple, text } from '../support/questions.ts';
import { button, waitForHeading, waitForText } from '../support/respondent-page.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { useSurveyPage } from '../support/survey-page.ts';
import { publishedSurvey } from '../support/surveys.ts';

const ONE_QUESTION = { layout: 'one_question', show_page_number: true };
const other = { option_label: 'Another', option_value: 'x', option_other: true };
const condition = (code: string, value: string) => ({
  logic: { display: { left: { type: 'question', code }, operator: 'equals', right: value } },
});

const focused = (page: Page) => page.evaluate('document.activeElement.textContent');
const progress = async (page: Page) =>
  Number(await page.getByRole('progressbar').getAttribute('aria-valuenow'));
/** Waits until a question is shown alone and has the focus, and its page is no longer new. */
async function waitForQuestion(page: Page, question: string): Promise<void> {
  await page.locator('.question').getByText(question).waitFor();
  // Cells of a table are within its question.
  expect(await page.locator('.question:not(.question *)').count()).toBe(1);
  await page.locator('footer .button.primary:not([aria-disabled])').waitFor();
}

describe.skipIf(browserSkipReason() !== null)('one question at a time', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Mornings',
    settings: ONE_QUESTION,
    pages: [
      {
        questions: [
          choice('Q1', { question_text: 'Tea or coffee?', question_required: true }),
          text('Q2', { question_text: 'Why option two?', question_settings: condition('Q1', '2') }),
          choice('Q3', { question_text: 'How?', options: ['Black', other] }),
        ],
      },
      {
        page_title: 'Your home',
        page_description: 'A few words about it.',
        questions: [
          multiple('Q4', { question_text: 'Which rooms?' }),
          { question_type: 'nps', question_code: 'Q5', question_text: 'Recommend?' },
        ],
      },
      { page_title: 'Nearly done', page_description: 'One more.', questions: [] },
      { questions: [text('Q6', { question_text: 'Anything else?' })] },
    ],
  });
  const visit = (options?: object) => fixture.browser.visit(`/s/${fixture.survey.linkToken}`, options);

  it('is answered with the keyboard alone', async () => {
    const page = await visit(DESKTOP);
    await waitForQuestion(page, 'Tea or coffee?');
    await waitForText(page, 'Question 1 of');
    await page.keyboard.press('Enter');
    await waitForText(page, 'Please answer this question.');
    // A letter chooses and goes on. The answer shows a question of the same page.
    await page.locator('.question').getByText('Option 1').waitFor();
    await page.keyboard.press('b');
    await waitForQuestion(page, 'Why option two?');
    await page.keyboard.type('b is typed here');
    await page.keyboard.press('Enter');
    await waitForQuestion(page, 'How?');
    expect(await focused(page)).toContain('How?');
    // An option with a text field stays.
    await page.keyboard.press('2');
    await page.getByLabel('Please specify').fill('with milk');
    await page.keyboard.press('Enter');
    await waitForHeading(page, 'Your home');
    await waitForQuestion(page, 'Which rooms?');
    await waitForText(page, 'A few words about it.');
    await page.keyboard.press('a');
    await page.keyboard.press('c');
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2);
    await page.keyboard.press('Enter');
    await waitForQuestion(page, 'Recommend?');
    expect(await page.getByText('A few words about it.').count()).toBe(0);
    // Two digits are one number.
    await page.keyboard.press('1');
    await page.keyboard.press('0');
    await waitForHeading(page, 'Nearly done');
    await waitForText(page, 'One more.');
    await page.locator('footer .button.primary:not([aria-disabled])').waitFor();
    await page.keyboard.press('Enter');
    await waitForQuestion(page, 'Anything else?');
    await page.keyboard.type('No');
    await page.keyboard.press('Enter');
    await waitForHeading(page, 'Thank you!');
    expect(await fixture.storedAnswers()).toEqual({
      Q1: '2',
      Q2: 'b is typed here',
      Q3: { value: 'x', other: 'with milk' },
      Q4: ['1', '3'],
      Q5: 10,
      Q6: 'No',
    });
  });

  it('goes on after a tap, back to the question before, and continues after a reload', async () => {
    const page = await visit();
    await waitForQuestion(page, 'Tea or coffee?');
    expect(await page.locator('kbd').isVisible()).toBe(false);
    await page.getByText('Option 2').tap();
    await waitForQuestion(page, 'Why option two?');
    const shares = [await progress(page)];
    await page.reload();
    await waitForQuestion(page, 'Why option two?');
    await page.goBack();
    await waitForQuestion(page, 'Tea or coffee?');
    expect(await page.getByLabel('Option 2').isChecked()).toBe(true);
    // The question that depended on the answer is gone.
    await page.getByText('Option 1').tap();
    await waitForQuestion(page, 'How?');
    shares.push(await progress(page));
    await button(page, 'Next').tap();
    await waitForQuestion(page, 'Which rooms?');
    shares.push(await progress(page));
    await button(page, 'Back').tap();
    await waitForQuestion(page, 'How?');
    expect(await progress(page)).toBeLessThan(shares.at(-1)!);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(new Set(shares).size).toBe(shares.length);
    await expectAccessible(page);
  });

  it('keeps the words of its buttons whole in a narrow window of a desktop', async () => {
    const page = await visit({ viewport: { width: 380, height: 800 } });
    await waitForQuestion(page, 'Tea or coffee?');
    await page.locator('label', { hasText: 'Option 1' }).click();
    await waitForQuestion(page, 'How?');
    await button(page, 'Back').waitFor();
    const heights = await page
      .locator('footer .button')
      .evaluateAll((buttons) => buttons.map((each) => each.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(60);
  });

  it('waits where the arrow keys of radio buttons choose', async () => {
    const page = await visit(DESKTOP);
    await waitForQuestion(page, 'Tea or coffee?');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByLabel('Option 2').isChecked()).toBe(true);
    await page.waitForTimeout(1_200);
    await waitForQuestion(page, 'Tea or coffee?');
  });

  it('saves each answer, and the time of a page once', async () => {
    const page = await visit();
    await waitForQuestion(page, 'Tea or coffee?');
    await page.getByText('Option 1').tap();
    await waitForQuestion(page, 'How?');
    await waitForText(page, 'Saved');
    const stored = async () => (await readStoredResponses(fixture.test, fixture.survey.surveyId)).at(-1)!;
    expect(await stored()).toMatchObject({ answers: { Q1: '1' }, last_page_id: null });
    await button(page, 'Next').tap();
    await waitForQuestion(page, 'Which rooms?');
    const [firstPage] = fixture.survey.pageIds;
    await expect.poll(async () => (await stored()).last_page_id).toBe(firstPage);
    // The time of both questions.
    const { page_times: times } = (await stored()) as unknown as { page_times: Record<string, number> };
    expect(Object.keys(times)).toEqual([String(firstPage)]);
    expect(times[firstPage!]).toBeGreaterThan(1);
  });

  it('shows every type of question, and goes on without a mouse', async () => {
    const { linkToken, surveyId } = await publishedSurvey(fixture.author, {
      survey_name: 'Every type',
      settings: ONE_QUESTION,
      pages: [EVERY_TYPE],
    });
    const page = await fixture.browser.visit(`/s/${linkToken}`, DESKTOP);
    for (const { question_type: type } of EVERY_TYPE) {
      await waitForQuestion(page, `A ${type} question`);
      await expectAccessible(page);
      if (type === 'multiple_choice') await page.keyboard.press('a');
      if (type === 'statement') await page.waitForTimeout(2_000);
      const isLast = type === EVERY_TYPE.at(-1)!.question_type;
      const submit = button(page, isLast ? 'Submit' : 'Next');
      await submit.focus();
      await page.keyboard.press('Enter');
    }
    await waitForHeading(page, 'Thank you!');
    const [response] = await readStoredResponses(fixture.test, surveyId);
    expect(response).toMatchObject({ response_status: 'complete' });
  });
});
