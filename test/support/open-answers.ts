import type { Actor } from './actors.ts';
import { choice, number, text } from './questions.ts';
import { publishedSurvey } from './surveys.ts';

export interface OpenAnswers {
  surveyId: number;
  /** Of the open question Q2. */
  questionId: number;
  questionIds: Record<string, number>;
  responseIds: number[];
  /** The address of an operation on its texts. */
  at: (operation: string) => string;
}

/** A survey with a choice (Q1, in turns), an open question (Q2) that was answered so, and a number (Q3). */
export async function createOpenAnswers(
  author: Actor,
  texts: readonly (string | null)[],
): Promise<OpenAnswers> {
  const { surveyId, questionIds } = await publishedSurvey(author, [
    [choice('Q1', { question_required: false }), text('Q2'), number('Q3')],
  ]);
  const rows = texts.map((Q2, index) => ({ answers: { Q1: String((index % 2) + 1), Q2, Q3: index } }));
  const responseIds: number[] = [];
  for (let start = 0; start < rows.length; start += 500) {
    const added = await author
      .post(`/api/responses/${surveyId}/rows`, { rows: rows.slice(start, start + 500) })
      .expect(201);
    responseIds.push(...(added.body.data.response_ids as number[]));
  }
  return {
    surveyId,
    questionId: questionIds.Q2!,
    questionIds,
    responseIds,
    at: (operation) => `/api/responses/${surveyId}/ai/${operation}`,
  };
}
