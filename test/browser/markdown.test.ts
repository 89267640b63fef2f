import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  PHONE,
} from '../support/browser.ts';
import { choice } from '../support/questions.ts';
import { button, waitForHeading, waitForText } from '../support/respondent-page.ts';
import { useSurveyPage } from '../support/survey-page.ts';

describe.skipIf(browserSkipReason() !== null)('texts with Markdown', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Coffee',
    settings: {
      welcome_text: '# About this survey\n\n- **Anonymous**\n- [Privacy](https://privacy.example/a)',
      consent_text: 'I read the _terms_.\n\n1. one\n2. two',
      completion_message: 'See [our site](https://a.example)\n\n## Bye',
      languages: ['de'],
    },
    pages: [
      {
        questions: [
          {
            question_type: 'statement',
            question_code: 'S1',
            question_text: '# A new cup\n\nIt keeps coffee **hot**.\n\n- two hours\n  - at 60 °C\n- no cable',
          },
          choice('Q1', {
            question_text: 'What do you drink in the _morning_?',
            question_settings: {
              description: 'See <b>this</b>:\n- hot\n- cold',
              translations: { de: { question_text: 'Was trinken Sie **morgens**?' } },
            },
            options: [
              { option_label: '**Tea** <img src=x onerror=alert(1)>' },
              { option_label: 'Kund*innen und 2 * 3 * 4' },
            ],
          }),
        ],
      },
      {
        questions: [{ question_type: 'text', question_code: 'T1', question_text: 'Say something' }],
      },
      {
        questions: [
          {
            question_type: 'text',
            question_code: 'T2',
            question_text: 'You said **{{T1}}** about {{Q1}}: [why?](https://a.example/?q={{T1}})',
          },
        ],
      },
    ],
  });

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ])('are shown with their format, and answers in them as text: %s', async (name, options) => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}?lang=en`, options);
    const picture = async (step: string) => {
      const folder = process.env.SCREENSHOTS;
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/markdown-${name}-${step}.png`, fullPage: true });
    };
    await page.getByRole('heading', { name: 'About this survey', level: 2 }).waitFor();
    const privacy = page.getByRole('link', { name: 'Privacy (opens in a new tab)' });
    expect(await privacy.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await privacy.getAttribute('target')).toBe('_blank');
    await expectAccessible(page);
    await picture('welcome');
    await button(page, 'Start').click();
    await page.locator('em', { hasText: 'terms' }).waitFor();
    expect(await page.locator('.prose ol > li').allTextContents()).toEqual(['one', 'two']);
    await picture('consent');
    await page.getByRole('checkbox').check();
    await button(page, 'Start').click();

    await page.getByRole('heading', { name: 'A new cup', level: 2 }).waitFor();
    expect(await page.locator('.type-statement li').count()).toBe(3);
    const question = page.getByRole('radiogroup', { name: 'What do you drink in the morning?' });
    expect(await question.locator('legend em').textContent()).toBe('morning');
    expect(await question.locator('.description').innerText()).toContain('See <b>this</b>:');
    expect(await question.locator('.description li').allTextContents()).toEqual(['hot', 'cold']);
    expect(await question.locator('img').count()).toBe(0);
    await waitForText(page, 'Kund*innen und 2 * 3 * 4');
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
    await picture('questions');
    await page.getByRole('radio', { name: 'Tea <img src=x onerror=alert(1)>' }).check();
    await button(page, 'Next').click();

    const said = '</b>*x* [y](https://evil.example) <script>';
    await page.getByLabel('Say something').fill(said);
    await button(page, 'Next').click();
    const asked = page.locator('.question-text');
    await asked.waitFor();
    expect(await asked.locator('strong').textContent()).toBe(said);
    expect(await asked.innerText()).toContain('about Tea <img src=x onerror=alert(1)>:');
    expect(await asked.getByRole('link').getAttribute('href')).toBe(
      `https://a.example/?q=${encodeURIComponent(said)}`,
    );
    await expectAccessible(page);
    await picture('answers');
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    await page.getByRole('heading', { name: 'Bye' }).waitFor();
    await picture('end');
  });

  it('keep the format of a translation', async () => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}?lang=de`, PHONE);
    await page.getByRole('button', { name: 'Beginnen' }).click();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Beginnen' }).click();
    await page.locator('legend strong', { hasText: 'morgens' }).waitFor();
  });

  it('are plain text in data', async () => {
    const { surveyId } = fixture.survey;
    const { columns } = (await fixture.author.get(`/api/responses/${surveyId}/grid`).expect(200)).body.data;
    const drink = columns.find(({ column_code: code }: { column_code: string }) => code === 'Q1');
    expect(drink.label).toBe('What do you drink in the morning?');
    expect(drink.values[0].label).toBe('Tea <img src=x onerror=alert(1)>');
  });
});
