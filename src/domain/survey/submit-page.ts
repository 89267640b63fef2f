import type { ErrorDetail } from '../../lib/errors.ts';
import type { StoredAnswers } from '../answers/codec.ts';
import type { RespondentContext } from './logic/respondent-context.ts';
import type { PreparedDefinition } from './prepared-definition.ts';
import { AnswerInputReader } from './logic/answer-input-reader.ts';
import { evaluateLogic, type SurveyPath, type SurveyEnd } from './logic/evaluate-logic.ts';

export interface SubmittedPage {
  /** What keeps the page from being left. */
  problems: ErrorDetail[];
  /** null: nothing is left to ask. */
  nextPageId: number | null;
  /** A skip of this page, or of one before it, ended the response. */
  end: SurveyEnd | null;
  /** What counts if it ends here: answers to what was not reached are left out. */
  answers: StoredAnswers;
}

/**
 * A page is handed in: its shown questions are judged as complete, the skips up to it are taken. `answers` are all that the response
 * has, in their stored form. A page that the answers now lead past demands nothing.
 */
export function submitPage(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  pageId: number,
  background: RespondentContext,
): SubmittedPage {
  const drafts = new AnswerInputReader(answers);
  const complete = new AnswerInputReader(answers);
  const route = evaluateLogic(
    prepared,
    (known, offered) =>
      known.question.pageId === pageId
        ? complete.read(known, offered, 'answer')
        : drafts.read(known, offered, 'draft'),
    background,
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

/** Where a response that was left goes on: the first page it has not handed in. null: it has handed in all of them. */
export function resumePageId(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  lastPageId: number | null,
  background: RespondentContext,
): number | null {
  const drafts = new AnswerInputReader(answers);
  const route = evaluateLogic(prepared, (known, offered) => drafts.read(known, offered, 'draft'), background);
  return lastPageId === null
    ? (route.pages[0]?.page.id ?? null)
    : nextPageIdAfter(prepared, route, lastPageId);
}

function nextPageIdAfter(prepared: PreparedDefinition, route: SurveyPath, pageId: number): number | null {
  const place = pageIndexOf(prepared, pageId);
  return route.pages.find(({ page }) => pageIndexOf(prepared, page.id) > place)?.page.id ?? null;
}

/** A page that is gone stands before all others. */
const pageIndexOf = (prepared: PreparedDefinition, pageId: number): number =>
  prepared.positions.pageIndexById.get(pageId) ?? -1;
