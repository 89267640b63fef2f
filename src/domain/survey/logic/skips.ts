import { unknownObject } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { questionsOf, type SurveyDefinition } from '../definition.ts';
import type { Condition } from './condition.ts';
import type { PageLogic, Skip } from './logic-schema.ts';

/** Positions of live pages and questions. */
export interface QuestionPositions {
  pageIndexById: ReadonlyMap<number, number>;
  questionPositionById: ReadonlyMap<number, { pageIndex: number; questionIndex: number }>;
}

type SkipOutcome =
  /** Questions before `fromQuestion` on that page are skipped. */
  | { kind: 'jump'; pageIndex: number; fromQuestion: number }
  | { kind: 'end'; end: 'complete' | 'screened_out'; reason: string | null };

/**
 * Evaluates skips in order and returns the first that applies; null: continue with the next page. Jumps backward or to unknown targets are
 * ignored.
 */
export function evaluateSkips(
  skips: Iterable<Skip>,
  {
    pageIndex,
    positions,
    evaluateCondition,
  }: {
    pageIndex: number;
    positions: QuestionPositions;
    evaluateCondition: (condition: Condition) => boolean;
  },
): SkipOutcome | null {
  for (const skip of skips) {
    const outcome = evaluateCondition(skip.when) ? outcomeOf(skip, positions) : null;
    if (outcome === null || (outcome.kind === 'jump' && outcome.pageIndex <= pageIndex)) continue;
    return outcome;
  }
  return null;
}

function outcomeOf(
  { action, target_id: target, reason }: Skip,
  positions: QuestionPositions,
): SkipOutcome | null {
  switch (action) {
    case 'end_survey':
      return { kind: 'end', end: 'complete', reason: reason ?? null };
    case 'screen_out':
      return { kind: 'end', end: 'screened_out', reason: reason ?? null };
    case 'jump_to_page': {
      const pageIndex = target === undefined ? undefined : positions.pageIndexById.get(target);
      return pageIndex === undefined ? null : { kind: 'jump', pageIndex, fromQuestion: 0 };
    }
    case 'jump_to_question': {
      const position = target === undefined ? undefined : positions.questionPositionById.get(target);
      return position === undefined
        ? null
        : { kind: 'jump', pageIndex: position.pageIndex, fromQuestion: position.questionIndex };
    }
  }
}

/**
 * Returns jumps to targets that do not exist. Ignores jumps already in `before`: the publish check reports them, and clients may send back
 * what they received. Fields are relative to the logic.
 */
export function findUnknownSkipTargets(
  logic: PageLogic | null,
  before: PageLogic | null,
  definition: SurveyDefinition,
): ErrorDetail[] {
  const existingTargets = new Set((before?.skip ?? []).map(keyOf));
  for (const page of definition.pages) if (!page.retired) existingTargets.add(`jump_to_page ${page.id}`);
  for (const question of questionsOf(definition)) existingTargets.add(`jump_to_question ${question.id}`);
  return (logic?.skip ?? []).flatMap((skip, index) => {
    if (skip.target_id === undefined || !skip.action.startsWith('jump_') || existingTargets.has(keyOf(skip)))
      return [];
    const noun = skip.action === 'jump_to_page' ? 'page' : 'question';
    return [
      { field: `skip[${index}].target_id`, message: unknownObject(noun, skip.target_id, 'in this survey') },
    ];
  });
}

const keyOf = (skip: Skip): string => `${skip.action} ${skip.target_id}`;
