import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
} from '../support/browser.ts';
import { button, waitForHeading, waitForText } from '../support/respondent-page.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { useSurveyPage } from '../support/survey-page.ts';

const ARMS = [
  { arm_code: 'A', arm_label: 'oat milk' },
  { arm_code: 'B', arm_label: 'cold brew' },
];
const text = (code: string, question_text: string) => ({
  question_type: 'text',
  question_code: code,
  question_text,
});
const brand = (code: string, name: string) => ({
  block_code: 'BRANDS',
  questions: [text(code, `What do you think of ${name}?`)],
});

describe.skipIf(browserSkipReason() !== null)('an experiment', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Concepts',
    blocks: [
      { block_code: 'CONCEPT', arms: ARMS, arm_assignment: 'least_filled' },
      { block_code: 'BRANDS', block_arrangement: { order: 'random', show: 2 } },
    ],
    pages: [
      {
        block_code: 'CONCEPT',
        shown_to_arm: 'A',
        questions: [text('CA', 'Imagine {{arm.CONCEPT}} in your coffee.')],
      },
      {
        block_code: 'CONCEPT',
        shown_to_arm: 'B',
        questions: [text('CB', 'Imagine {{arm.CONCEPT}} at noon.')],
      },
      brand('B1', 'Arla'),
      brand('B2', 'Oatly'),
      brand('B3', 'Alpro'),
      { questions: [text('LAST', 'Anything else?')] },
    ],
  });

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ])(
    'shows what chance and the server decide, the same after a reload, and its data have it: %s',
    async (_, options) => {
      const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`, options);
      const question = page.getByRole('textbox');
      await question.waitFor();
      const concept = await page.locator('.question-text').textContent();
      expect(concept).toMatch(/oat milk in your coffee|cold brew at noon/);
      await page.reload();
      await waitForText(page, concept!.replace(/\W*$/, ''));
      await expectAccessible(page);
      await question.fill('Good');
      await button(page, 'Next').click();
      const seen: string[] = [];
      for (let brands = 0; brands < 2; brands++) {
        await waitForText(page, 'What do you think of');
        seen.push((await page.locator('.question').getAttribute('data-code'))!);
        if (brands === 1) {
          await page.reload();
          await waitForText(page, 'What do you think of');
          expect(await page.locator('.question').getAttribute('data-code')).toBe(seen[1]);
        }
        await question.fill('Fine');
        await button(page, 'Next').click();
        await page.locator(`[data-code="${seen[brands]}"]`).waitFor({ state: 'detached' });
      }
      await waitForText(page, 'Anything else?');
      await button(page, 'Submit').click();
      await waitForHeading(page, 'Thank you!');
      const response = (await readStoredResponses(fixture.test, fixture.survey.surveyId)).at(-1)!;
      const shown = concept!.includes('oat milk') ? 'CA' : 'CB';
      expect(Object.keys(response.answers as object).sort()).toEqual([...seen, shown, 'LAST'].sort());
      const { rows } = await fixture.test.database.db.raw(
        'SELECT presentation FROM responses WHERE survey_id = ? ORDER BY response_id DESC LIMIT 1',
        [fixture.survey.surveyId],
      );
      const { arms, positions } = rows[0].presentation;
      expect(Object.values(arms)).toEqual([shown === 'CA' ? 'A' : 'B']);
      expect(positions).toEqual({ [shown]: 1, [seen[0]!]: 2, [seen[1]!]: 3, LAST: 4 });
    },
  );

  it('gives two respondents at a time different arms', async () => {
    const concepts = await Promise.all(
      [0, 1].map(async () => {
        const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`, PHONE);
        await page.getByRole('textbox').waitFor();
        return page.locator('.question').getAttribute('data-code');
      }),
    );
    expect(concepts.sort()).toEqual(['CA', 'CB']);
  });
});
