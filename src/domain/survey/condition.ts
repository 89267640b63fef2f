import { z } from 'zod';

/**
 * The condition tree: one language for display logic, skips, filters and quota cells.
 *
 * A comparison with a missing left side is false, for negative operators too; `not_answered` is how one asks for it.
 * Text is compared ignoring case. Choices are compared by option_value.
 */
export const OPERATORS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'in',
  'not_in',
  'includes_any',
  'includes_all',
  'includes_none',
  'answered',
  'not_answered',
  'before',
  'after',
] as const;
export type Operator = (typeof OPERATORS)[number];

export type ConditionScalar = string | number | boolean;

export interface Comparison {
  /** `question`: a question's answer (a matrix row by row_code); `column`: a column of the dataset; `hidden`: a value the link brought. */
  left: { type: 'question' | 'column' | 'hidden'; code: string; row_code?: string | undefined };
  operator: Operator;
  /** Absent for answered and not_answered; an array for between, in, not_in and includes_*. */
  right?: ConditionScalar | ConditionScalar[] | undefined;
}

export interface ConditionGroup {
  connector: 'and' | 'or';
  /** An empty group holds. */
  conditions: Condition[];
}

export type Condition = Comparison | ConditionGroup;

export function isGroup(condition: Condition): condition is ConditionGroup {
  return 'conditions' in condition;
}

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
    left: z.strictObject({
      type: z.enum(['question', 'column', 'hidden']).default('question'),
      code: codeSchema,
      row_code: codeSchema.optional(),
    }),
    operator: z.enum(OPERATORS),
    right: z.union([scalarSchema, z.array(scalarSchema).max(MAX_VALUES)]).optional(),
  })
  .superRefine(({ operator, right }, context) => {
    const complain = (message: string) => context.addIssue({ code: 'custom', path: ['right'], message });
    if (BARE_OPERATORS.has(operator)) {
      if (right !== undefined) complain(`${operator} takes no right side`);
    } else if (right === undefined) {
      complain(`${operator} needs a right side`);
    } else if (LIST_OPERATORS.has(operator) !== Array.isArray(right)) {
      complain(
        LIST_OPERATORS.has(operator) ? `${operator} needs an array` : `${operator} needs a single value`,
      );
    } else if (operator === 'between' && Array.isArray(right) && right.length !== 2) {
      complain('between needs two values, the lowest and the highest');
    }
  });

/** One comparison, or a group of them; groups nest. */
export const conditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    comparisonSchema,
    z.strictObject({
      connector: z.enum(['and', 'or']).default('and'),
      conditions: z.array(conditionSchema).max(MAX_CONDITIONS),
    }),
  ]),
);

/** Every comparison in the tree, depth first. */
export function comparisonsIn(condition: Condition): Comparison[] {
  return isGroup(condition) ? condition.conditions.flatMap(comparisonsIn) : [condition];
}
