import { expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { deckOf } from '../../support/report-deck.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;

const drink = (question_text: string, labels: string[]) => ({
  question_type: 'single_choice',
  question_code: 'drink',
  question_text,
  options: labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) })),
});

it('uses published labels in charts, tables, sources and the appendix of a report', async () => {
  const survey = await publishedSurvey(admin, {
    survey_name: 'Published name',
    pages: [[drink('Tea or coffee?', ['Tea', 'Coffee'])]],
  });
  const { surveyId: survey_id } = survey;
  const rows = Array.from({ length: 12 }, (_, n) => ({ answers: { drink: String(1 + (n % 2)) } }));
  await admin.post(`/api/responses/${survey_id}/rows`, { rows }).expect(201);
  await admin.put(`/api/surveys/${survey_id}`, { survey_name: 'Draft name' }).expect(200);
  const edited = drink('Chai or coffee??', ['Chai', 'Coffee', 'Water']);
  await admin.put(`/api/surveys/${survey_id}/questions/${survey.questionIds.drink!}`, edited).expect(200);

  const chart_config = { survey_id, dimension: 'drink' };
  const slides = await deckOf(app, organization, [
    { slide_type: 'chart', slide_content: { charts: [{ chart_type: 'bar', chart_config }] } },
    { slide_type: 'table', slide_content: { survey_id, rows: ['drink'], columns: ['drink'] } },
    { slide_type: 'appendix', slide_content: { parts: ['questions'] } },
  ]);
  expect(slides.length).toBeGreaterThanOrEqual(3);
  const text = JSON.stringify(slides);
  for (const words of ['Tea or coffee?', '"Tea"', '"Coffee"', 'Published name'])
    expect(text).toContain(words);
  for (const words of ['Chai', 'Water', 'Draft name']) expect(text).not.toContain(words);
});
