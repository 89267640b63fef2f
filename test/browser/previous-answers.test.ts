import { beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  expectAccessible,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { personalLink } from '../support/personal-links.ts';
import { choice, text } from '../support/questions.ts';
import { button } from '../support/settings-page.ts';
import { publishedSurvey } from '../support/surveys.ts';
import { createWave } from '../support/waves.ts';

const test = useApp();

describe.skipIf(browserSkipReason() !== null)('earlier answers', BROWSER_TEST_OPTIONS, () => {
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });

  it('of the wave before are shown through a personal link, and after a reload', async () => {
    const { admin } = organization;
    const survey = await publishedSurvey(admin, [
      [
        choice('Q1', {
          question_text: 'Last time: {{previous.Q1|nothing}}. And now?',
          options: [
            { option_value: 'tea', option_label: 'Green tea' },
            { option_value: 'coffee', option_label: 'Coffee' },
          ],
        }),
      ],
      [
        text('Q2', {
          question_text: 'What has changed since the tea?',
          question_settings: {
            logic: { display: { left: { type: 'previous', code: 'Q1' }, operator: 'equals', right: 'tea' } },
          },
        }),
      ],
    ]);
    const linkOf = async (wave_name: string, wave_start_date: string): Promise<string> => {
      const { wave_id } = await createWave(admin, survey.surveyId, { wave_name, wave_start_date });
      const { body } = await admin.post(`/api/surveys/${survey.surveyId}/links`, { wave_id }).expect(201);
      return personalLink(
        test,
        admin,
        { ...survey, linkId: body.data.link_id },
        {
          email: 'ana@people.example',
          name: 'Ana',
        },
      );
    };

    const first = await browser.visit(await linkOf('Spring', '2025-03-01'), PHONE);
    await first.getByText('Last time: nothing. And now?').waitFor();
    await first.getByText('Green tea').click();
    await button(first, 'Submit').click();
    await first.getByText('Thank you').first().waitFor();

    const second = await browser.visit(await linkOf('Autumn', '2025-09-01'), PHONE);
    await second.getByText('Last time: Green tea. And now?').waitFor();
    await expectAccessible(second);
    await second.getByText('Coffee').click();
    await button(second, 'Next').click();
    await second.getByText('What has changed since the tea?').waitFor();
    await second.reload();
    await second.getByText('What has changed since the tea?').waitFor();
    await second.getByRole('textbox').fill('The weather');
    await button(second, 'Submit').click();
    await second.getByText('Thank you').first().waitFor();
    const { body } = await admin.get(`/api/responses/${survey.surveyId}/grid`).expect(200);
    const answered = body.data.rows.map(({ values }: { values: Record<string, string> }) => values);
    expect(JSON.stringify(answered)).toContain('The weather');
  });
});
