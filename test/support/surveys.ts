import { expect } from 'vitest';
import type { Actor } from './actors.ts';

/** A question as the API takes it; `page`: which of the survey's pages, counted from 0. */
export interface QuestionInput {
  question_type: string;
  question_text?: string;
  question_code?: string;
  question_required?: boolean;
  question_settings?: Record<string, unknown>;
  options?: (string | Record<string, unknown>)[];
  page?: number;
}

export interface MadeSurvey {
  surveyId: number;
  /** page_ids, in order. */
  pages: number[];
  /** As the API shows them, in the order in which they were given. */
  questions: { question_id: number; question_code: string }[];
}

export interface SurveyInput {
  /** Default: the caller's current workspace. */
  workspaceId?: number;
  name?: string;
  /** How many; default 1. */
  pages?: number;
  questions?: readonly QuestionInput[];
  /** Further fields of POST /api/surveys. */
  fields?: Record<string, unknown>;
}

/** A draft made through the API. */
export async function createSurvey(actor: Actor, input: SurveyInput = {}): Promise<MadeSurvey> {
  const created = await actor.post('/api/surveys', {
    survey_name: input.name ?? 'A survey',
    ...(input.workspaceId === undefined ? {} : { workspace_id: input.workspaceId }),
    ...input.fields,
  });
  expect(created.status, created.text).toBe(201);
  const surveyId = created.body.data.survey_id as number;
  const pages: number[] = [];
  for (let i = 0; i < (input.pages ?? 1); i += 1) {
    const page = await actor.post(`/api/surveys/${surveyId}/pages`, { page_title: `Page ${i + 1}` });
    expect(page.status, page.text).toBe(201);
    pages.push(page.body.data.page_id as number);
  }
  const questions: MadeSurvey['questions'] = [];
  for (const { page = 0, ...question } of input.questions ?? []) {
    questions.push(await addQuestion(actor, surveyId, pages[page]!, question));
  }
  return { surveyId, pages, questions };
}

export async function addQuestion(
  actor: Actor,
  surveyId: number,
  pageId: number,
  question: Omit<QuestionInput, 'page'>,
): Promise<{ question_id: number; question_code: string }> {
  const reply = await actor.post(`/api/surveys/${surveyId}/questions`, {
    page_id: pageId,
    question_text: `A ${question.question_type} question`,
    ...question,
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data as { question_id: number; question_code: string };
}

/** Published: gives the new version and the token of its open link. */
export async function publish(
  actor: Actor,
  surveyId: number,
): Promise<{ version: number; linkToken: string }> {
  const reply = await actor.post(`/api/surveys/${surveyId}/publish`);
  expect(reply.status, reply.text).toBe(200);
  const links = reply.body.data.links as { link_type: string; link_token: string }[];
  const open = links.find((link) => link.link_type === 'open')!;
  return { version: reply.body.data.version as number, linkToken: open.link_token };
}

/** A survey with these questions that takes responses; without any it asks one. */
export async function publishedSurvey(
  actor: Actor,
  questions: readonly QuestionInput[] = [{ question_type: 'single_choice', options: ['Yes', 'No'] }],
  input: Omit<SurveyInput, 'questions'> = {},
): Promise<MadeSurvey & { linkToken: string }> {
  const made = await createSurvey(actor, { ...input, questions });
  const { linkToken } = await publish(actor, made.surveyId);
  return { ...made, linkToken };
}

/** One question of each type, each with settings of its own. */
export const EVERY_TYPE: readonly QuestionInput[] = [
  {
    question_type: 'single_choice',
    question_settings: { other_label: 'Which?', columns: 2 },
    options: ['Yes', 'No', { option_label: 'Other', option_other: true, option_anchor: true }],
  },
  {
    question_type: 'multiple_choice',
    question_settings: { min_selections: 1, max_selections: 2, shuffle: 'random' },
    options: [
      { option_label: 'Radio', option_value: 1 },
      { option_label: 'Television', option_value: 2 },
      { option_label: 'None of these', option_value: 9, option_exclusive: true },
    ],
  },
  { question_type: 'text', question_settings: { multiline: true, max_length: 500 } },
  { question_type: 'number', question_settings: { min: 0, max: 120, suffix: 'years' } },
  {
    question_type: 'scale',
    question_settings: { min: 1, max: 7, min_label: 'Never', point_labels: { '4': 'At times' } },
  },
  {
    question_type: 'matrix',
    question_settings: {
      rows: [
        { row_code: 'r1', row_label: 'Price' },
        { row_code: 'r2', row_label: 'Taste' },
      ],
    },
    options: ['Bad', 'Good'],
  },
  {
    question_type: 'ranking',
    question_settings: { max_ranked: 2 },
    options: ['Red', 'Green', 'Blue'],
  },
  { question_type: 'date', question_settings: { precision: 'month' } },
  { question_type: 'nps', question_settings: { min_label: 'Not at all' } },
  {
    question_type: 'dropdown',
    question_settings: { searchable: true },
    options: ['North', 'South', { option_label: 'Refused', option_missing: true }],
  },
  { question_type: 'slider', question_settings: { step: 5, start: 50 } },
  { question_type: 'file_upload', question_settings: { allowed_extensions: ['pdf', 'png'] } },
];
