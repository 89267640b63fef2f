import type { SurveyDefinition } from '../definition.ts';
import { type PreparedDefinition, prepareDefinitionWith } from '../prepared-definition.ts';
import { expandLoops } from '../loops.ts';
import { arrangerOf } from './arrange.ts';
import { calculatorOf } from './calculate.ts';

/** Prepares a definition for the evaluation of its logic, with its loops expanded. */
export const prepareDefinition = (definition: SurveyDefinition): PreparedDefinition =>
  prepareDefinitionWith(expandLoops(definition), { arrangerOf, calculatorOf });
