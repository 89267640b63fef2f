import type { StoredAnswers } from '../answers/codec.ts';
import { type HiddenValues, shownQuestions } from './display.ts';
import type { PreparedDefinition } from './prepared-definition.ts';

/**
 * The first page after `pageId` (null: from the beginning) that has something to show for these answers;
 * null when nothing is left.
 */
export function nextPageId(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  pageId: number | null,
  hidden: HiddenValues,
): number | null {
  const shown = shownQuestions(prepared, answers, hidden);
  const start = prepared.pages.findIndex(({ page }) => page.id === pageId) + 1;
  const next = prepared.pages
    .slice(start)
    .find(({ questions }) => questions.some(({ question }) => shown.has(question.code)));
  return next?.page.id ?? null;
}
