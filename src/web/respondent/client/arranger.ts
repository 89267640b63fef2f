import { questionsOf, type SurveyDefinition } from '../../../domain/survey/definition.ts';
import {
  type LogicParts,
  type PreparedDefinition,
  prepareDefinitionWith,
} from '../../../domain/survey/prepared-definition.ts';
import { loadFields } from './fields/registry.ts';

const parts: LogicParts = { arrangerOf: null, calculatorOf: null };

/** Loads the parts of the page that a survey needs. */
export async function loadParts(definition: SurveyDefinition): Promise<void> {
  const { arrangement, blocks, pages } = definition;
  if (arrangement || blocks.length > 0 || pages.some((page) => page.arrangement))
    parts.arrangerOf = (await import('../../../domain/survey/logic/arrange.ts')).arrangerOf;
  if (questionsOf(definition).some(({ type }) => type === 'calculated'))
    parts.calculatorOf = (await import('../../../domain/survey/logic/calculate.ts')).calculatorOf;
  await loadFields(definition);
}

/** Prepares a definition whose parts are loaded. */
export const prepareDefinition = (definition: SurveyDefinition): PreparedDefinition =>
  prepareDefinitionWith(definition, parts);
