import type { ErrorDetail } from '../../lib/errors.ts';
import type { StoredAnswers } from '../answers/codec.ts';
import type { Background } from './logic/background.ts';
import type { PreparedDefinition } from './prepared-definition.ts';
import { RouteReader } from './logic/route-reader.ts';
import { followRoute, type Route, type WalkEnd } from './logic/route.ts';

export interface SubmittedPage {
  /** What keeps the page from being left. */
  problems: ErrorDetail[];
  /** null: nothing is left to ask. */
  nextPageId: number | null;
  /** A skip of this page, or of one before it, ended the response. */
  end: WalkEnd | null;
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
  background: Background,
): SubmittedPage {
  const drafts = new RouteReader(answers);
  const complete = new RouteReader(answers);
  const route = followRoute(
    prepared,
    (known, offered) =>
      known.question.pageId === pageId
        ? complete.read(known, offered, 'answer')
        : drafts.read(known, offered, 'draft'),
    background,
  );
  const page = route.pages.find((visited) => visited.page.id === pageId);
  const problems = [...complete.problems, ...complete.missedAmong(page?.questions ?? [])];
  const isReached =
    route.end !== null && placeOf(prepared, route.end.afterPageId) <= placeOf(prepared, pageId);
  return {
    problems,
    nextPageId: isReached ? null : pageAfter(prepared, route, pageId),
    end: isReached ? route.end : null,
    answers: route.answers,
  };
}

/** Where a response that was left goes on: the first page it has not handed in. null: it has handed in all of them. */
export function resumePageId(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  lastPageId: number | null,
  background: Background,
): number | null {
  const drafts = new RouteReader(answers);
  const route = followRoute(prepared, (known, offered) => drafts.read(known, offered, 'draft'), background);
  return lastPageId === null ? (route.pages[0]?.page.id ?? null) : pageAfter(prepared, route, lastPageId);
}

function pageAfter(prepared: PreparedDefinition, route: Route, pageId: number): number | null {
  const place = placeOf(prepared, pageId);
  return route.pages.find(({ page }) => placeOf(prepared, page.id) > place)?.page.id ?? null;
}

/** A page that is gone stands before all others. */
const placeOf = (prepared: PreparedDefinition, pageId: number): number =>
  prepared.places.pageIndexById.get(pageId) ?? -1;
