import type { Operator } from './question-type.ts';

const WITHOUT_VALUE: ReadonlySet<Operator> = new Set<Operator>(['answered', 'not_answered']);
const WITH_LIST: ReadonlySet<Operator> = new Set<Operator>([
  'in',
  'not_in',
  'includes_any',
  'includes_all',
  'includes_none',
  'gave_reason',
]);

export const takesValue = (operator: Operator): boolean => !WITHOUT_VALUE.has(operator);
export const takesList = (operator: Operator): boolean => WITH_LIST.has(operator);
/** Whether the value has a lower and an upper limit. */
export const takesRange = (operator: Operator): boolean => operator === 'between';

/** Whether the values of one operator are values of another one. */
export const sharesValues = (operator: Operator, other: Operator): boolean =>
  arityOf(operator) === arityOf(other) && (operator === 'gave_reason') === (other === 'gave_reason');

/** How many values an operator takes. */
export const arityOf = (operator: Operator): 'list' | 'range' | 'one' | 'none' =>
  takesList(operator) ? 'list' : takesRange(operator) ? 'range' : takesValue(operator) ? 'one' : 'none';
