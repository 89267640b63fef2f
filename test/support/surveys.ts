import type { Actor } from './actors.ts';
import { choice, type QuestionInput } from './questions.ts';

/** Pages as their questions, or in detail. */
type PagesInput = readonly (
  readonly object[] | { questions?: readonly object[]; [field: string]: unknown }
)[];

/** The pages of a survey, or any fields of a survey file. */
export type SurveyInput = PagesInput | { pages: PagesInput; [field: string]: unknown };

export interface TestSurvey {
  surveyId: number;
  /** In order. */
  pageIds: number[];
  /** By question code. */
  questionIds: Record<string, number>;
}

export interface PublishedSurvey extends TestSurvey {
  version: number;
  /** Of its open link. */
  linkId: number;
  linkToken: string;
}

/** Creates a draft over the API, by default with one empty page. Questions without a text get a default. */
export async function draftSurvey(
  author: Actor,
  survey: SurveyInput = [[]],
  { workspaceId }: { workspaceId?: number } = {},
): Promise<TestSurvey> {
  const { pages, ...fields } = 'pages' in survey ? survey : { pages: survey };
  const { body } = await author
    .post(`/api/surveys/import${workspaceId === undefined ? '' : `?workspace_id=${workspaceId}`}`, {
      format: 'canvass.survey',
      version: 1,
      survey: { survey_name: 'A survey', ...fields, pages: pages.map(pageInput) },
    })
    .expect(201);
  const surveyId: number = body.data.survey_id;
  const read = await author.get(`/api/surveys/${surveyId}`).expect(200);
  const created = read.body.data.pages as {
    page_id: number;
    questions: { question_id: number; question_code: string }[];
  }[];
  return {
    surveyId,
    pageIds: created.map((page) => page.page_id),
    questionIds: Object.fromEntries(
      created.flatMap((page) =>
        page.questions.map((question) => [question.question_code, question.question_id]),
      ),
    ),
  };
}

function pageInput(page: PagesInput[number]) {
  const detailed = 'slice' in page ? { questions: page } : page;
  const questions = (detailed.questions ?? []) as readonly QuestionInput[];
  return { ...detailed, questions: questions.map(withText) };
}

const withText = (question: QuestionInput): QuestionInput => ({
  question_text: `A ${question.question_type} question`,
  ...question,
});

/** Creates and publishes a survey, by default with one question. */
export async function publishedSurvey(
  author: Actor,
  survey: SurveyInput = [[choice('Q1')]],
): Promise<PublishedSurvey> {
  const created = await draftSurvey(author, survey);
  return { ...created, ...(await publish(author, created.surveyId)) };
}

/** Publishes the current draft and returns the new version and the survey's open link. */
export async function publish(
  author: Actor,
  surveyId: number,
): Promise<Omit<PublishedSurvey, keyof TestSurvey>> {
  const { body } = await author.post(`/api/surveys/${surveyId}/publish`).expect(200);
  const links = body.data.links as { link_type: string; link_id: number; link_token: string }[];
  const open = links.find((link) => link.link_type === 'open')!;
  return { version: body.data.version, linkId: open.link_id, linkToken: open.link_token };
}

/** Adds a question at the end of a page and returns the API's reply. */
export async function addQuestion(
  author: Actor,
  surveyId: number,
  pageId: number,
  question: QuestionInput,
): Promise<{ question_id: number; question_code: string }> {
  const { body } = await author
    .post(`/api/surveys/${surveyId}/questions`, { page_id: pageId, ...withText(question) })
    .expect(201);
  return body.data;
}
