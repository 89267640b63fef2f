import { z } from 'zod';
import { attributeNameProblem } from '../../respondents/attributes.ts';
import { OPERATORS, type Condition, type Operator } from './condition.ts';
import { notAllowedFor } from '../../../lib/error-messages.ts';

const MAX_VALUES = 1_000;
const MAX_CONDITIONS = 200;

const scalarSchema = z.union([z.string().max(2_000), z.number(), z.boolean()]);
const codeSchema = z.string().min(1).max(120);

const LIST_OPERATORS: ReadonlySet<Operator> = new Set([
  'between',
  'in',
  'not_in',
  'includes_any',
  'includes_all',
  'includes_none',
]);
const BARE_OPERATORS: ReadonlySet<Operator> = new Set(['answered', 'not_answered']);

export const comparisonSchema = z
  .strictObject({
    left: z
      .strictObject({
        type: z.enum(['question', 'column', 'hidden', 'attribute']).default('question'),
        code: codeSchema,
        row_code: codeSchema.optional(),
      })
      .superRefine(({ type, code, row_code: rowCode }, context) => {
        if (type !== 'attribute') return;
        const message = attributeNameProblem(code);
        if (message !== null) context.addIssue({ code: 'custom', path: ['code'], message });
        if (rowCode !== undefined)
          context.addIssue({ code: 'custom', path: ['row_code'], message: notAllowedFor('an attribute') });
      }),
    operator: z.enum(OPERATORS),
    right: z.union([scalarSchema, z.array(scalarSchema).max(MAX_VALUES)]).optional(),
  })
  .superRefine(({ operator, right }, context) => {
    const addIssue = (message: string) => context.addIssue({ code: 'custom', path: ['right'], message });
    if (BARE_OPERATORS.has(operator)) {
      if (right !== undefined) addIssue(`${operator} takes no right side`);
    } else if (right === undefined) {
      addIssue(`${operator} needs a right side`);
    } else if (LIST_OPERATORS.has(operator) !== Array.isArray(right)) {
      addIssue(
        LIST_OPERATORS.has(operator) ? `${operator} needs an array` : `${operator} needs a single value`,
      );
    } else if (operator === 'between' && Array.isArray(right) && right.length !== 2) {
      addIssue('between needs two values, the lowest and the highest');
    }
  })
  .meta({ id: 'Comparison' });

/** One comparison, or a group of them; groups nest. */
export const conditionSchema: z.ZodType<Condition> = z
  .lazy(() => z.union([comparisonSchema, conditionGroupSchema]))
  .meta({ id: 'Condition' });

const conditionGroupSchema = z
  .strictObject({
    connector: z.enum(['and', 'or']).default('and'),
    conditions: z.array(conditionSchema).max(MAX_CONDITIONS),
  })
  .meta({ id: 'ConditionGroup' });
