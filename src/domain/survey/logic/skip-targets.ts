import { unknownObject } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { type SurveyDefinition, questionsOf } from '../definition.ts';
import type { PageLogic, Skip } from './logic.ts';

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
