import type { Page } from 'playwright-core';
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

/** A questionnaire as researchers write it in a document. */
const QUESTIONNAIRE = `Store satisfaction study

SECTION A: YOUR VISITS
Thank you for taking part. It takes about five minutes.

1. How often do you visit our stores? (Select one)
Every week
Every month
Less often
Never

2. Which departments do you use? (Select all that apply)
Food
Clothing
Electronics
Other
None of these

3. Have you bought online from us? Yes / No

4. How many people live in your household?

5. When was your last visit? (date)

SECTION B: YOUR OPINION

6. Overall, how satisfied are you? 1 = Very dissatisfied … 5 = Very satisfied

7. How likely are you to recommend us to a friend? (0-10)

8. How satisfied are you with each of these?
Rows: Price; Quality; Staff
Columns: Bad / Fair / Good

9. How much do you agree with these statements?
- The store is clean
- The staff is friendly

10. How easy was it to find what you needed? (1-7)

11. How much of your shopping do you do with us? (slider 0 to 100)

12. Rank these from the most to the least important
Price
Quality
Service

ABOUT YOU

13. How old are you? (18-99)

14. What is your gender?
Female
Male
Non-binary
Prefer not to say

15. Is there anything else that you want to tell us? (open-ended)

Thank you for your answers!`;

const CONCEPT_TEST = `# Concept test of a drink
## Screening
How often do you drink juice?
- Every day
- Every week
- Never
## Concept 1
The first idea: a juice of cold-pressed apples with ginger.
How appealing is this idea? 1 = Not at all … 7 = Very
How likely are you to buy it? (1 = Definitely not, 2 = Probably not, 3 = Might or might not, 4 = Probably, 5 = Definitely)
What do you like about it?
## Concept 2
The second idea: sparkling water with a touch of pear.
How appealing is this second idea? 1 = Not at all … 7 = Very
How likely are you to buy the second one? (1 = Definitely not, 2 = Probably not, 3 = Might or might not, 4 = Probably, 5 = Definitely)
What do you like about the second one?
## Comparison
Which idea do you prefer? The first / The second / Neither`;

describe.skipIf(browserSkipReason() !== null)('a pasted questionnaire', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  /** Pastes a text, creates the survey, publishes it, and counts the actions: each click and each entry is one. */
  async function publishPasted(text: string): Promise<{ actions: number; page: Page; id: number }> {
    const page = await browser.visitAs(organization.admin, '/surveys', DESKTOP);
    let actions = 0;
    const click = async (role: 'link' | 'button', name: string | RegExp) => {
      actions += 1;
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click();
    };
    await click('link', /New survey|Create.*survey/);
    await click('link', /Paste text/);
    actions += 1;
    await page.getByLabel('Questions', { exact: true }).fill(text);
    await expectAccessible(page);
    await click('button', 'Create survey');
    await page.getByRole('heading', { name: 'Edit' }).waitFor();
    const id = Number(/\/surveys\/(\d+)/.exec(page.url())?.[1]);
    await click('button', 'Publish');
    actions += 1;
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.waitForURL(/collect/);
    return { actions, page, id };
  }

  it('of 15 questions is published with at most 30 actions', async () => {
    const { actions, id } = await publishPasted(QUESTIONNAIRE);
    expect(actions).toBeLessThanOrEqual(30);
    const { body } = await organization.admin.get(`/api/surveys/${id}`).expect(200);
    expect(body.data.survey_name).toBe('Store satisfaction study');
    expect(body.data.pages.map(({ page_title: title }: { page_title: string }) => title)).toEqual([
      'YOUR VISITS',
      'YOUR OPINION',
      'ABOUT YOU',
    ]);
    expect(body.data.survey_settings.completion_message).toBe('Thank you for your answers!');
    expect(body.data.questions.map(({ question_type: type }: { question_type: string }) => type)).toEqual([
      ...['single_choice', 'multiple_choice', 'single_choice', 'number', 'date'],
      ...['scale', 'nps', 'matrix', 'matrix', 'scale', 'slider', 'ranking'],
      ...['number', 'single_choice', 'text'],
    ]);
  });

  it('of two concepts is published with at most 40 actions', async () => {
    const { actions, id } = await publishPasted(CONCEPT_TEST);
    expect(actions).toBeLessThanOrEqual(40);
    const { body } = await organization.admin.get(`/api/surveys/${id}`).expect(200);
    expect(body.data.pages).toHaveLength(4);
    expect(body.data.pages[1].page_description).toMatch(/^The first idea/);
    expect(body.data.questions[2].question_settings.point_labels).toMatchObject({ 5: 'Definitely' });
  });

  it('has lines that become something else, or are left out and put back', async () => {
    const page = await browser.visitAs(organization.admin, '/surveys/new/text', DESKTOP);
    await page.getByLabel('Questions', { exact: true }).fill(QUESTIONNAIRE);
    const understood = page.getByRole('region', { name: 'What Canvass understood' });
    await understood.getByLabel('Type of “How old are you?”').selectOption('Open text');
    await understood.getByRole('button', { name: 'Leave out What is your gender?' }).click();
    expect(await understood.getByText('Non-binary').count()).toBe(0);
    await understood.getByRole('button', { name: /Put back .*What is your gender/ }).click();
    await understood.getByText('Non-binary').waitFor();
    await understood.getByText('Prefer not to say (counts as no answer)').waitFor();
    await understood.getByLabel('Type of “What is your gender?”').selectOption('Scale');
    await understood.getByText('Instead of an answer').waitFor();
    await understood.getByLabel('Type of “Which departments do you use?”').selectOption('Table');
    await understood.getByText('Neither agree nor disagree').first().waitFor();
    await understood.getByLabel('Type of “ABOUT YOU”').selectOption('Introduction');
    await expectAccessible(page);
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/paste.png`, fullPage: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoHorizontalScroll(page);
    await page.getByRole('button', { name: 'Create survey' }).click();
    await page.getByRole('heading', { name: 'Edit' }).waitFor();
    const id = Number(/\/surveys\/(\d+)/.exec(page.url())?.[1]);
    const { body } = await organization.admin.get(`/api/surveys/${id}`).expect(200);
    expect(body.data.pages).toHaveLength(2);
    expect(body.data.questions[12].question_type).toBe('text');
    const [, departments, , , , , , , , , , , , gender] = body.data.questions;
    expect(departments.question_settings.rows[0].row_label).toBe('Food');
    expect(gender.question_settings).toMatchObject({
      max: 3,
      no_answers: [{ reason: 'refused', label: 'Prefer not to say' }],
    });
  });
});
