/**
 * The condition tree used by display logic, skips, filters and quota cells.
 *
 * A comparison with a missing left side is false, also for negative operators; use `not_answered` to test for missing. Text is compared
 * ignoring case, choices by option_value.
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
  /**
   * `question`: a question's answer (a matrix row by row_code); `column`: a column of the dataset; `hidden`: a hidden value from the link;
   * `attribute`: an attribute of the personal link's respondent, by name.
   */
  left: {
    type: 'question' | 'column' | 'hidden' | 'attribute';
    code: string;
    row_code?: string | undefined;
  };
  operator: Operator;
  /** Absent for answered and not_answered; an array for between, in, not_in and includes_*. */
  right?: ConditionScalar | ConditionScalar[] | undefined;
}

export interface ConditionGroup {
  connector: 'and' | 'or';
  /** An empty group is true. */
  conditions: Condition[];
}

export type Condition = Comparison | ConditionGroup;

export function isGroup(condition: Condition): condition is ConditionGroup {
  return 'conditions' in condition;
}

/** Every comparison in the tree, depth first. */
export function comparisonsIn(condition: Condition): Comparison[] {
  return isGroup(condition) ? condition.conditions.flatMap(comparisonsIn) : [condition];
}
