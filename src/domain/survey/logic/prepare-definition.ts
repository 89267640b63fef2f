import type { SurveyDefinition } from '../definition.ts';
import { type PreparedDefinition, prepareDefinitionWith } from '../prepared-definition.ts';
import { expandDefinition } from '../expand-definition.ts';
import { arrangerOf } from './arrange.ts';
import { calculatorOf } from './calculate.ts';

/** Prepares a definition for the evaluation of its logic, with its loops and tables written out. */
export const prepareDefinition = (definition: SurveyDefinition): PreparedDefinition =>
  prepareDefinitionWith(expandDefinition(definition), { arrangerOf, calculatorOf });
