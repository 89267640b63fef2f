import { beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { BROWSER_TEST_OPTIONS, browserSkipReason, expectAccessible, useBrowser } from '../support/browser.ts';
import { questionCard, savePicture, visitEditor, waitUntilSaved } from '../support/survey-editor.ts';
import { draftSurvey } from '../support/surveys.ts';

describe.skipIf(browserSkipReason() !== null)(
  'side-by-side tables in the editor',
  BROWSER_TEST_OPTIONS,
  () => {
    const app = useApp();
    const browser = useBrowser(app);
    let organization: Organization;

    beforeAll(async () => {
      organization = await newOrganization(app);
    });

    it('get columns of other kinds, in another order', async () => {
      const { admin } = organization;
      const { surveyId } = await draftSurvey(admin, [
        [
          {
            question_type: 'side_by_side',
            question_code: 'Q1',
            question_text: 'How do you use these drinks?',
            question_settings: {
              rows: [{ row_code: 'r1', row_label: 'Coffee' }],
              columns: [
                { column_code: 'use', column_label: 'Use', column_type: 'single_choice', options: ['Daily'] },
                { column_code: 'spend', column_label: 'Spent', column_type: 'number' },
              ],
            },
          },
        ],
      ]);
      const page = await visitEditor(browser, admin, surveyId);
      const card = questionCard(page, 1);
      const columnAt = (number: number) => card.getByRole('group', { name: `Column ${number}`, exact: true });
      await columnAt(1).getByRole('button', { name: 'Add option' }).click();
      await columnAt(1).getByLabel('Option 2').fill('Never');
      await columnAt(1).getByRole('switch', { name: 'Every row needs an answer' }).check();
      await columnAt(2).getByLabel('Highest').fill('500');
      await columnAt(2).getByLabel('Heading').fill('Euros');
      await columnAt(2).getByRole('button', { name: 'Move Euros up' }).click();
      await card.getByRole('button', { name: 'Add column' }).click();
      await columnAt(3).getByLabel('Kind of answer').selectOption('Text');
      await columnAt(3).getByLabel('Code').fill('why');
      await card.getByLabel('Question text').click();
      await waitUntilSaved(page);
      await savePicture(page, 'side-by-side-studio');
      await expectAccessible(page);
      const { body } = await admin.get(`/api/surveys/${surveyId}/questions`).expect(200);
      expect(body.data[0].question_settings.columns).toMatchObject([
        { column_code: 'spend', column_label: 'Euros', column_number: 2, column_settings: { max: 500 } },
        {
          column_code: 'use',
          column_required: true,
          column_number: 1,
          options: [{ option_label: 'Daily' }, { option_label: 'Never' }],
        },
        { column_code: 'why', column_type: 'text' },
      ]);
    });
  },
);
