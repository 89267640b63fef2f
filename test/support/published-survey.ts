import type { Actor } from './actors.ts';

export interface PublishedSurvey {
  surveyId: number;
  linkToken: string;
  /** By question code. */
  questionIds: Record<string, number>;
  pageIds: number[];
}

/** Authors a survey over the API, as pages of questions (or pages in detail), and publishes it. */
export async function publishedSurvey(
  author: Actor,
  pages: (object[] | { page_id?: number; questions: object[] })[],
  name = 'A survey',
): Promise<PublishedSurvey> {
  const imported = await author
    .post('/api/surveys/import', {
      format: 'canvass.survey',
      version: 1,
      survey: {
        survey_name: name,
        pages: pages.map((page) => (Array.isArray(page) ? { questions: page } : page)),
      },
    })
    .expect(201);
  const surveyId: number = imported.body.data.survey_id;
  await author.post(`/api/surveys/${surveyId}/publish`).expect(200);
  const links = await author.get(`/api/surveys/${surveyId}/links`).expect(200);
  const survey = await author.get(`/api/surveys/${surveyId}`).expect(200);
  const made = survey.body.data.pages as {
    page_id: number;
    questions: { question_id: number; question_code: string }[];
  }[];
  return {
    surveyId,
    linkToken: links.body.data[0].link_token,
    questionIds: Object.fromEntries(
      made.flatMap((page) =>
        page.questions.map((question) => [question.question_code, question.question_id]),
      ),
    ),
    pageIds: made.map((page) => page.page_id),
  };
}

export const choice = (question_code: string, extra: object = {}): object => ({
  question_type: 'single_choice',
  question_code,
  question_text: `Which for ${question_code}?`,
  options: ['1', '2', '3'].map((option_value) => ({ option_label: `Option ${option_value}`, option_value })),
  ...extra,
});

export const number = (question_code: string, extra: object = {}): object => ({
  question_type: 'number',
  question_code,
  question_text: `How many for ${question_code}?`,
  ...extra,
});

export const text = (question_code: string, extra: object = {}): object => ({
  question_type: 'text',
  question_code,
  question_text: `Why ${question_code}?`,
  ...extra,
});

export const multiple = (question_code: string, extra: object = {}): object => ({
  ...choice(question_code, extra),
  question_type: 'multiple_choice',
});
