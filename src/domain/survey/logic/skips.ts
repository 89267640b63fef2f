import type { Condition } from './condition.ts';
import type { Skip } from './logic.ts';

/** Where pages and questions stand among the pages that are asked. */
export interface SkipMap {
  pageIndexById: ReadonlyMap<number, number>;
  questionPlaceById: ReadonlyMap<number, { pageIndex: number; questionIndex: number }>;
}

export type SkipOutcome =
  /** Questions before `fromQuestion` on that page are passed over. */
  | { kind: 'jump'; pageIndex: number; fromQuestion: number }
  | { kind: 'end'; end: 'complete' | 'screened_out'; reason: string | null };

/** What the first skip that holds does; null: on to the next page. A jump that leads nowhere, or not forward, is no skip. */
export function firstSkip(
  skips: Iterable<Skip>,
  pageIndex: number,
  map: SkipMap,
  holds: (condition: Condition) => boolean,
): SkipOutcome | null {
  for (const skip of skips) {
    const outcome = holds(skip.when) ? outcomeOf(skip, map) : null;
    if (outcome === null || (outcome.kind === 'jump' && outcome.pageIndex <= pageIndex)) continue;
    return outcome;
  }
  return null;
}

function outcomeOf({ action, target_id: target, reason }: Skip, map: SkipMap): SkipOutcome | null {
  switch (action) {
    case 'end_survey':
      return { kind: 'end', end: 'complete', reason: reason ?? null };
    case 'screen_out':
      return { kind: 'end', end: 'screened_out', reason: reason ?? null };
    case 'jump_to_page': {
      const pageIndex = target === undefined ? undefined : map.pageIndexById.get(target);
      return pageIndex === undefined ? null : { kind: 'jump', pageIndex, fromQuestion: 0 };
    }
    case 'jump_to_question': {
      const place = target === undefined ? undefined : map.questionPlaceById.get(target);
      return place === undefined
        ? null
        : { kind: 'jump', pageIndex: place.pageIndex, fromQuestion: place.questionIndex };
    }
  }
}
