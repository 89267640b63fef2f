import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { text } from '../support/questions.ts';
import { draftSurvey, publish } from '../support/surveys.ts';

const BRANDS = {
  question_type: 'multiple_choice',
  question_code: 'KNOWN',
  question_text: 'Which brands do you know?',
  question_required: true,
  options: ['Oatly', 'Alpro', 'Minor Figures', { option_label: 'None of these', option_exclusive: true }],
};
const LIKING = {
  question_type: 'nps',
  question_code: 'LIKE',
  question_text: 'How likely are you to recommend {{item.label}}?',
};
const WHY = {
  ...text('WHY'),
  question_text: 'What is wrong with {{item.label}}?',
  question_settings: { logic: { display: { left: { code: 'LIKE' }, operator: 'lte', right: 6 } } },
};

describe.skipIf(browserSkipReason() !== null)('a loop', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  afterAll(() => test.container.jobWorker.stop(1_000));
  beforeAll(async () => {
    test.container.jobWorker.start();
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  it('is made by mouse and answered on a phone', async () => {
    const { admin } = organization;
    const { surveyId } = await draftSurvey(admin, [
      { page_title: 'Brands', questions: [BRANDS] },
      { page_title: 'Liking', questions: [LIKING] },
      { page_title: 'Reasons', questions: [WHY] },
      { page_title: 'Last', questions: [text('END')] },
    ]);
    const page = await browser.visitAs(admin, `/surveys/${surveyId}/edit`, DESKTOP);
    await page.getByRole('button', { name: 'Blocks' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'New block' }).click();
    await dialog.getByLabel('Name').fill('Each brand');
    await dialog.getByLabel('Code', { exact: true }).fill('BRAND');
    await dialog.getByLabel('Liking').check();
    await dialog.getByLabel('Reasons').check();
    await dialog.getByLabel('Show this block').selectOption('For each option that the person chose');
    await dialog.getByLabel('Order of the items').selectOption('Random');
    await dialog.getByLabel('At most').fill('2');
    await dialog.getByRole('button', { name: 'Add attribute' }).click();
    await dialog.getByLabel('price of item 1').fill('€2');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save block' }).click();
    await dialog
      .getByText('2 pages · repeated for what is chosen in KNOWN, at most 2, random order')
      .waitFor();
    const { body } = await admin.get(`/api/surveys/${surveyId}/blocks`).expect(200);
    expect(body.data[0].block_loop).toMatchObject({
      over: 'chosen',
      question_code: 'KNOWN',
      max_items: 2,
      order: 'random',
      items: [
        { item_code: '1', attributes: { price: '€2' } },
        { item_code: '2', attributes: { price: '' } },
        { item_code: '3' },
      ],
    });

    const survey = await publish(admin, surveyId);
    const phone = await browser.visit(`/s/${survey.linkToken}`, PHONE);
    for (const brand of ['Oatly', 'Alpro', 'Minor Figures']) await phone.getByLabel(brand).check();
    await phone.getByRole('button', { name: 'Next' }).click();
    const asked: string[] = [];
    for (const score of ['3', '10']) {
      const heading = phone.getByText('How likely are you to recommend');
      await heading.waitFor();
      asked.push(/recommend (.*)\?/.exec(await heading.innerText())?.[1] ?? '');
      await phone.getByRole('radio', { name: score, exact: true }).check({ force: true });
      await phone.getByRole('button', { name: 'Next' }).click();
      if (score === '10') continue;
      await phone.getByText(`What is wrong with ${asked[0]}?`).waitFor();
      await expectAccessible(phone);
      await phone.getByRole('textbox').fill('Dull');
      // A reload shows the same.
      await phone.reload();
      await phone.getByText(`What is wrong with ${asked[0]}?`).waitFor();
      await phone.getByRole('textbox').fill('Dull');
      await phone.getByRole('button', { name: 'Next' }).click();
      await phone.getByText(`What is wrong with ${asked[0]}?`).waitFor({ state: 'detached' });
    }
    await phone.getByText('Why END?').waitFor();
    await phone.getByRole('button', { name: 'Submit' }).click();
    await phone.getByText('Thank you').first().waitFor();
    expect(new Set(asked).size).toBe(2);
    const { rows } = (await admin.get(`/api/responses/${surveyId}/grid`).expect(200)).body.data;
    const codeOf = (brand: string) => ['Oatly', 'Alpro', 'Minor Figures'].indexOf(brand) + 1;
    expect(rows[0].values).toMatchObject({
      [`LIKE[${codeOf(asked[0]!)}]`]: 3,
      [`WHY[${codeOf(asked[0]!)}]`]: 'Dull',
      [`LIKE[${codeOf(asked[1]!)}]`]: 10,
      [`WHY[${codeOf(asked[1]!)}]`]: null,
    });

    // Results compare the items.
    const results = await browser.visitAs(admin, `/surveys/${surveyId}/results`, DESKTOP);
    const card = results.locator('.result-card', { hasText: 'How likely are you to recommend?' });
    for (const brand of ['Oatly', 'Alpro', 'Minor Figures']) await card.getByText(brand).first().waitFor();
    await results.getByRole('heading', { name: `What is wrong with ${asked[0]}?` }).waitFor();
    await expectAccessible(results);

    await results.getByLabel('Compare by').selectOption({ label: 'How likely are you to recommend Oatly?' });
    await results.getByRole('heading', { name: 'Which brands do you know?' }).waitFor();

    // The file has a row for each person and brand.
    const responses = await browser.visitAs(admin, `/surveys/${surveyId}/responses`, DESKTOP);
    await responses.locator('.grid-row').first().click();
    const panel = responses.getByRole('dialog');
    await panel.getByText(`How likely are you to recommend ${asked[1]}?`).waitFor();
    await panel.getByText('Dull').waitFor();
    await responses.keyboard.press('Escape');
    await responses.getByRole('button', { name: 'Export', exact: true }).click();
    await responses.getByLabel('One for each response and item of Each brand').check();
    await responses.getByLabel('As codes, such as 5').check();
    const download = responses.waitForEvent('download');
    await responses.getByRole('button', { name: 'Create file' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    const [head = '', ...lines] = file.trim().split(/\r?\n/);
    const at = (name: string) => head.split(',').indexOf(name);
    expect(lines.map((line) => line.split(',')[at('LIKE')]).sort()).toEqual(['10', '3']);
    expect(lines.map((line) => line.split(',')[at('BRAND_item')]).sort()).toEqual(
      asked.map((brand) => String(codeOf(brand))).sort(),
    );
  });

  it('with the least filled items first does not show the survey as done before they are known', async () => {
    const { admin } = organization;
    const { surveyId, pageIds } = await draftSurvey(admin, [[BRANDS], [LIKING], [text('END')]]);
    await admin
      .post(`/api/surveys/${surveyId}/blocks`, {
        block_loop: { question_code: 'KNOWN', order: 'least_filled', max_items: 2 },
        page_ids: [pageIds[1]],
      })
      .expect(201);
    const survey = await publish(admin, surveyId);
    const phone = await browser.visit(`/s/${survey.linkToken}`, PHONE);
    for (const brand of ['Oatly', 'Alpro', 'Minor Figures']) await phone.getByLabel(brand).check();
    const progress: number[] = [];
    const readProgress = async () =>
      progress.push(Number(await phone.getByRole('progressbar').getAttribute('aria-valuenow')));
    await readProgress();
    await phone.getByRole('button', { name: 'Next' }).click();
    for (let item = 0; item < 2; item++) {
      await phone.getByText('How likely are you to recommend').waitFor();
      const code = await phone.locator('.question').getAttribute('data-code');
      await readProgress();
      await phone.getByRole('radio', { name: '9', exact: true }).check({ force: true });
      await phone.getByRole('button', { name: 'Next' }).click();
      await phone.locator(`[data-code="${code}"]`).waitFor({ state: 'detached' });
    }
    await readProgress();
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(new Set(progress).size).toBe(4);
    expect(progress.at(-1)).toBeLessThan(100);
  });
});
