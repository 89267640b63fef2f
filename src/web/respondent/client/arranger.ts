import type { SurveyDefinition } from '../../../domain/survey/definition.ts';
import {
  type ArrangerOf,
  type PreparedDefinition,
  prepareDefinitionWith,
} from '../../../domain/survey/prepared-definition.ts';
import { loadFields } from './fields/registry.ts';

let arrangerOf: ArrangerOf | null = null;

/** Loads the parts of the page that a survey needs. */
export async function loadParts(definition: SurveyDefinition): Promise<void> {
  const { arrangement, blocks, pages } = definition;
  if (arrangement || blocks.length > 0 || pages.some((page) => page.arrangement))
    ({ arrangerOf } = await import('../../../domain/survey/logic/arrange.ts'));
  await loadFields(definition);
}

/** Prepares a definition whose parts are loaded. */
export const prepareDefinition = (definition: SurveyDefinition): PreparedDefinition =>
  prepareDefinitionWith(definition, arrangerOf);
