import type { SurveyDefinition } from './definition.ts';
import { expandLoops } from './loops.ts';
import { writeOutTables } from './tables.ts';

/**
 * Returns the definition as whatever collects or shows data reads it: the cells of tables are questions, and loops are blocks with a block
 * for each item. The same object if there are neither.
 */
export const expandDefinition = (definition: SurveyDefinition): SurveyDefinition =>
  expandLoops(writeOutTables(definition));
