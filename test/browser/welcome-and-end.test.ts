import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  expectAccessible,
  expectNoHorizontalScroll,
} from '../support/browser.ts';
import { button, waitForHeading, waitForText } from '../support/respondent-page.ts';
import { PNG } from '../support/sample-files.ts';
import { useSurveyPage } from '../support/survey-page.ts';
import { publish, publishedSurvey } from '../support/surveys.ts';

const WORD = 'W'.repeat(300);
const SENTENCE = 'A sentence of a few words. '.repeat(11);
const LONG = `${WORD} ${SENTENCE}`;

describe.skipIf(browserSkipReason() !== null)('the welcome page and the end', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Project 17, wave 4',
    survey_description: 'About the coffee that you drink at work.',
    settings: {
      title: 'Your coffee',
      welcome_title: 'Welcome',
      welcome_text: 'We ask about coffee.',
      welcome_minutes: 5,
      welcome_button: 'Begin now',
      consent_text: 'We keep your answers.',
      end_title: 'All done',
      completion_message: 'The next coffee is on us.',
      end_button: 'See the results',
      end_url: 'https://www.example.org/results',
      languages: ['de'],
      translations: {
        de: {
          survey_name: 'Projekt 17',
          title: 'Ihr Kaffee',
          welcome_title: 'Willkommen',
          end_title: 'Fertig',
        },
      },
    },
    pages: [{ questions: [{ question_type: 'text', question_code: 'T1', question_text: 'Which coffee?' }] }],
  });
  const upload = async (surveyId: number): Promise<string> => {
    const reply = await fixture.author
      .post(`/api/surveys/${surveyId}/images`)
      .attach('image', PNG, { filename: 'cup.png' })
      .expect(201);
    return reply.body.data.image_url as string;
  };

  it('show the texts of the survey, and its title instead of the name of the project', async () => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`);
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    expect(await page.title()).toBe('Your coffee');
    await waitForText(page, 'It takes about 5 minutes.');
    await expectAccessible(page);
    await button(page, 'Begin now').click();
    const focused = () => page.evaluate('document.activeElement.textContent');
    await expect.poll(focused).toBe('Before you begin');
    await page.getByRole('checkbox').check();
    await button(page, 'Start').click();
    await expect.poll(focused).toBe('Page 1 of 1');
    await page.getByLabel('Which coffee?').fill('Filter');
    await waitForText(page, 'Your coffee');
    await page.reload();
    // A response that has begun does not begin with the welcome page again.
    expect(await page.getByLabel('Which coffee?').inputValue()).toBe('Filter');
    await page.waitForTimeout(600);
    await button(page, 'Submit').click();
    await waitForHeading(page, 'All done');
    await waitForText(page, 'The next coffee is on us.');
    const link = page.getByRole('link', { name: 'See the results' });
    expect(await link.getAttribute('href')).toBe('https://www.example.org/results');
    await expectAccessible(page);
    expect(await page.content()).not.toContain('Project 17');
  });

  it('are translated', async () => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}?lang=de`);
    await page.getByRole('heading', { level: 1, name: 'Willkommen' }).waitFor();
    expect(await page.title()).toBe('Ihr Kaffee');
    await waitForText(page, 'Dauer: etwa 5 Minuten.');
    expect(await page.content()).not.toContain('Projekt 17');
  });

  it('have images, and the link has an icon and a preview', async () => {
    const survey = await publishedSurvey(fixture.author, {
      survey_name: 'Images <b>&',
      pages: [{ questions: [{ question_type: 'text', question_code: 'T1', question_text: 'Which?' }] }],
    });
    const image = await upload(survey.surveyId);
    await fixture.author
      .put(`/api/surveys/${survey.surveyId}`, {
        survey_settings: {
          welcome_image: image,
          welcome_image_alt: 'A cup',
          end_image: image,
          icon: image,
          share_description: 'Five minutes "about" coffee',
        },
      })
      .expect(200);
    const page = await fixture.browser.visit(`/s/${survey.linkToken}`);
    await page.getByAltText('A cup').waitFor();
    const head = await page.evaluate<Record<string, string>>(
      `Object.fromEntries([...document.querySelectorAll('meta[property],meta[name=description]')]
        .map((each) => [each.getAttribute('property') ?? each.name, each.content]))`,
    );
    expect(head).toMatchObject({
      'og:title': 'Images <b>&',
      'og:description': 'Five minutes "about" coffee',
      'og:image': `${fixture.browser.origin}${image}`,
      description: 'Five minutes "about" coffee',
    });
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe(image);
    await button(page, 'Start').click();
    await page.waitForTimeout(600);
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    expect(await page.locator('main img').getAttribute('src')).toBe(image);
  });

  it('shows image cards in as many columns as set, and each image alone', async () => {
    const survey = await publishedSurvey(fixture.author, {
      survey_name: 'Cards',
      pages: [
        {
          questions: [
            {
              question_type: 'single_choice',
              question_code: 'C1',
              question_text: 'Which cup?',
              question_settings: { display: 'cards', columns: 3 },
              options: ['Red cup', 'Blue cup', 'Green cup', 'Gray cup'],
            },
          ],
        },
      ],
    });
    const image = await upload(survey.surveyId);
    const path = `/api/surveys/${survey.surveyId}/questions/${survey.questionIds.C1!}`;
    const { body } = await fixture.author.get(path).expect(200);
    const options = (body.data.options as object[]).map((option) => ({ ...option, option_image: image }));
    await fixture.author.put(path, { options }).expect(200);
    await publish(fixture.author, survey.surveyId);
    for (const [width, columns] of [
      [390, 2],
      [1440, 3],
    ] as const) {
      const page = await fixture.browser.visit(`/s/${survey.linkToken}`, {
        viewport: { width, height: 800 },
      });
      await page.getByText('Red cup').waitFor();
      const lefts = await page.evaluate<number[]>(
        `[...document.querySelectorAll('.option')].map((each) => each.getBoundingClientRect().left)`,
      );
      expect(new Set(lefts).size).toBe(columns);
      const enlarge = page.getByRole('button', { name: 'Enlarge image: Blue cup' });
      await enlarge.click();
      const dialog = page.getByRole('dialog', { name: 'Blue cup' });
      expect(await dialog.locator('img').getAttribute('src')).toBe(image);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      // Looking at an image is no answer.
      expect(await page.locator('input:checked').count()).toBe(0);
    }
  });

  it.each([390, 1024, 1440])('fit the width with texts of 300 characters (%d px)', async (width) => {
    const options = [WORD, SENTENCE, 'Short'];
    const questions = [
      ['single_choice', { options }],
      ['multiple_choice', { options, question_settings: { display: 'cards', columns: 4 } }],
      ['single_choice', { options, question_settings: { display: 'buttons' } }],
      ['dropdown', { options }],
      ['ranking', { options }],
      ['constant_sum', { options, question_settings: { prefix: 'W'.repeat(20), suffix: 'M'.repeat(20) } }],
      ['number', { question_settings: { prefix: 'W'.repeat(20), suffix: 'M'.repeat(20) } }],
      ['scale', { question_settings: { min_label: WORD, max_label: SENTENCE, max: 10 } }],
      ['nps', { question_settings: { min_label: WORD, max_label: SENTENCE } }],
      ['file_upload', {}],
      [
        'matrix',
        {
          options,
          question_settings: {
            rows: [
              { row_code: 'a', row_label: WORD },
              { row_code: 'b', row_label: SENTENCE },
            ],
          },
        },
      ],
    ] as const;
    const survey = await publishedSurvey(fixture.author, {
      survey_name: WORD,
      settings: {
        languages: ['de'],
        show_page_number: true,
        welcome_title: WORD,
        welcome_button: WORD.slice(0, 100),
        end_title: WORD,
        end_button: WORD.slice(0, 100),
        end_url: 'https://www.example.org',
        completion_message: LONG,
      },
      pages: [
        {
          page_title: WORD,
          page_description: LONG,
          questions: questions.map(([question_type, more], index) => ({
            question_type,
            question_code: `L${index}`,
            question_text: LONG,
            ...more,
          })),
        },
      ],
    });
    const page = await fixture.browser.visit(`/s/${survey.linkToken}`, { viewport: { width, height: 800 } });
    await page.locator('button.primary').waitFor();
    await expectNoHorizontalScroll(page);
    await page.locator('button.primary').click();
    await page.locator('[data-code=L0]').waitFor();
    await expectNoHorizontalScroll(page);
    await page.waitForTimeout(600);
    await page.locator('button.primary').click();
    await page.getByRole('link', { name: WORD.slice(0, 100) }).waitFor();
    await expectNoHorizontalScroll(page);
  });
});
