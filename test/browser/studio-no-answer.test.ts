import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  useBrowser,
} from '../support/browser.ts';
import { questionCard, savePicture, visitEditor, waitUntilSaved } from '../support/survey-editor.ts';
import { draftSurvey } from '../support/surveys.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

describe.skipIf(browserSkipReason() !== null)('reasons in the studio', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => {
    expect(browser.problems()).toEqual([]);
  });

  it.each([
    ['narrow', NARROW],
    ['desktop', DESKTOP],
  ])('are offered with code and text, and asked for by a condition: %s', async (name, view) => {
    const { admin } = organization;
    const { surveyId } = await draftSurvey(admin, [
      [
        { question_type: 'slider', question_code: 'warmth', question_text: 'How warm is it?' },
        { question_type: 'text', question_code: 'why', question_text: 'Why?' },
      ],
    ]);
    const settings = async () => {
      const { body } = await admin.get(`/api/surveys/${surveyId}`).expect(200);
      const [first] = body.data.pages as { questions: { question_settings: Record<string, unknown> }[] }[];
      return first!.questions.map(({ question_settings }) => question_settings);
    };
    const page = await visitEditor(browser, admin, surveyId, view);
    const card = questionCard(page, 1);
    await card.getByRole('textbox').first().click();
    await card.getByText('Settings', { exact: true }).click();
    const reasons = card.getByRole('group', { name: 'Instead of an answer' });
    await reasons.getByRole('checkbox', { name: 'Prefer not to say' }).check();
    await reasons.getByRole('checkbox', { name: 'Don’t know' }).check();
    await reasons.getByLabel('Text for respondents: Prefer not to say').fill('I keep it to myself');
    await reasons.getByLabel('Code in files: Don’t know').fill('97');
    await reasons.getByText('answers are from 0 to 100').waitFor();
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
    await reasons.scrollIntoViewIfNeeded();
    await savePicture(page, `no-answer-fields-${name}`);
    await reasons.getByLabel('Code in files: Don’t know').fill('997');
    await waitUntilSaved(page);
    expect((await settings())[0]!.no_answers).toEqual([
      { reason: 'dont_know', code: 997, label: null },
      { reason: 'refused', code: -98, label: 'I keep it to myself' },
    ]);

    const second = questionCard(page, 2);
    await second.getByRole('textbox').first().click();
    await second.getByText('Logic', { exact: true }).first().click();
    await second.getByRole('button', { name: 'Add condition', exact: true }).first().click();
    await second.getByLabel('Comparison').selectOption('gave_reason');
    await second.getByRole('checkbox', { name: 'I keep it to myself' }).check();
    await second.getByRole('checkbox', { name: 'Don’t know' }).check();
    await waitUntilSaved(page);
    await savePicture(page, `no-answer-condition-${name}`);
    await expect
      .poll(async () => (await settings())[1]!.logic)
      .toMatchObject({
        display: {
          left: { type: 'question', code: 'warmth' },
          operator: 'gave_reason',
          right: ['refused', 'dont_know'],
        },
      });
  });
});
