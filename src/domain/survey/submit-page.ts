import type { ErrorDetail } from '../../lib/errors.ts';
import type { StoredAnswers } from '../answers/codec.ts';
import type { RespondentContext } from './logic/respondent-context.ts';
import type { PreparedDefinition } from './prepared-definition.ts';
import { AnswerInputReader } from './logic/answer-input-reader.ts';
import { evaluateLogic, type SurveyPath, type SurveyEnd } from './logic/evaluate-logic.ts';

export interface SubmittedPage {
  /** Problems that prevent continuing. */
  problems: ErrorDetail[];
  /** null: no pages are left. */
  nextPageId: number | null;
  /** The skip of this page, or of a previous one, that ends the response. */
  end: SurveyEnd | null;
  /** Answers of the visited questions only. */
  answers: StoredAnswers;
}

/**
 * Validates a submitted page as complete and evaluates skips up to it. `answers` are all stored answers of the response. A page that the
 * answers now skip has no required questions.
 */
export function submitPage(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  pageId: number,
  context: RespondentContext,
): SubmittedPage {
  const drafts = new AnswerInputReader(answers);
  const complete = new AnswerInputReader(answers);
  const route = evaluateLogic(
    prepared,
    (preparedQuestion, offered) =>
      preparedQuestion.question.pageId === pageId
        ? complete.read(preparedQuestion, offered, 'answer')
        : drafts.read(preparedQuestion, offered, 'draft'),
    context,
  );
  const page = route.pages.find((visited) => visited.page.id === pageId);
  const problems = [...complete.problems, ...complete.findMissingAnswers(page?.questions ?? [])];
  const isReached =
    route.end !== null && pageIndexOf(prepared, route.end.afterPageId) <= pageIndexOf(prepared, pageId);
  return {
    problems,
    nextPageId: isReached ? null : nextPageIdAfter(prepared, route, pageId),
    end: isReached ? route.end : null,
    answers: route.answers,
  };
}

/** Returns the first page not yet submitted; null: all are submitted. */
export function resumePageId(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  lastPageId: number | null,
  context: RespondentContext,
): number | null {
  const drafts = new AnswerInputReader(answers);
  const route = evaluateLogic(
    prepared,
    (preparedQuestion, offered) => drafts.read(preparedQuestion, offered, 'draft'),
    context,
  );
  return lastPageId === null
    ? (route.pages[0]?.page.id ?? null)
    : nextPageIdAfter(prepared, route, lastPageId);
}

function nextPageIdAfter(prepared: PreparedDefinition, route: SurveyPath, pageId: number): number | null {
  const index = pageIndexOf(prepared, pageId);
  return route.pages.find(({ page }) => pageIndexOf(prepared, page.id) > index)?.page.id ?? null;
}

/** A deleted page sorts before all others. */
const pageIndexOf = (prepared: PreparedDefinition, pageId: number): number =>
  prepared.positions.pageIndexById.get(pageId) ?? -1;
