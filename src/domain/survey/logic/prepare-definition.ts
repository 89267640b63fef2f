import type { SurveyDefinition } from '../definition.ts';
import { type PreparedDefinition, prepareDefinitionWith } from '../prepared-definition.ts';
import { arrangerOf } from './arrange.ts';
import { calculatorOf } from './calculate.ts';

/** Prepares a definition for the evaluation of its logic. */
export const prepareDefinition = (definition: SurveyDefinition): PreparedDefinition =>
  prepareDefinitionWith(definition, { arrangerOf, calculatorOf });
