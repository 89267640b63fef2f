import { describe, expect, it } from 'vitest';
import {
  compareOperands,
  type ConditionScalar,
  matchesCondition,
  type Operand,
  type Operator,
  OPERATORS,
} from '../../../../../src/domain/questions/condition.ts';

const choiceOperand: Operand = { kind: 'choice', values: ['2'] };
const several: Operand = { kind: 'choice', values: ['1', '3'] };
const seven: Operand = { kind: 'number', value: 7 };
const hello: Operand = { kind: 'text', text: 'Hello World' };
const day: Operand = { kind: 'date', text: '2024-03-05' };
const moment: Operand = { kind: 'date', text: '2024-03-05T10:00' };

describe('a comparison', () => {
  it.each(OPERATORS)(
    'with a missing operand is false for %s, unless the operator tests for that',
    (operator) => {
      expect(compareOperands(null, operator, ['between', 'in'].includes(operator) ? ['1', '2'] : '1')).toBe(
        operator === 'not_answered',
      );
    },
  );

  it.each<[Operand, Operator, ConditionScalar | ConditionScalar[] | undefined, boolean]>([
    [choiceOperand, 'answered', undefined, true],
    [choiceOperand, 'not_answered', undefined, false],
    [choiceOperand, 'equals', '2', true],
    [choiceOperand, 'equals', 2, true],
    [choiceOperand, 'equals', '02', false],
    [choiceOperand, 'not_equals', '2', false],
    [choiceOperand, 'not_equals', '3', true],
    [choiceOperand, 'in', ['1', 2], true],
    [choiceOperand, 'not_in', ['1', '3'], true],
    [choiceOperand, 'gte', 2, true],
    [choiceOperand, 'between', [1, 2], true],
    [choiceOperand, 'includes_all', ['2'], true],
    [{ kind: 'choice', values: ['yes'] }, 'gt', 1, false],
    [{ kind: 'choice', values: ['A'] }, 'equals', 'a', false],
    [several, 'equals', '1', false],
    [several, 'contains', '1', true],
    [several, 'not_contains', '2', true],
    [several, 'includes_any', ['3', '9'], true],
    [several, 'includes_all', ['1', '3'], true],
    [several, 'includes_all', ['1', '2'], false],
    [several, 'includes_none', ['2', '4'], true],
    [several, 'in', ['1'], true],
    [several, 'gt', 0, false],
    [seven, 'equals', '7', true],
    [seven, 'equals', 'seven', false],
    [seven, 'not_equals', 'seven', true],
    [seven, 'between', [7, 9], true],
    [seven, 'between', [8, 9], false],
    [seven, 'lt', '7', false],
    [seven, 'lte', '7', true],
    [seven, 'in', ['6', 7], true],
    [seven, 'equals', '', false],
    [hello, 'equals', 'hello world', true],
    [hello, 'contains', 'LO W', true],
    [hello, 'starts_with', 'hell', true],
    [hello, 'ends_with', 'WORLD', true],
    [hello, 'not_contains', 'x', true],
    [hello, 'contains', '.*', false],
    [hello, 'gt', 'a', false],
    [hello, 'in', ['HELLO WORLD'], true],
    [{ kind: 'text', text: '12' }, 'gt', 9, true],
    [day, 'before', '2024-03-06', true],
    [day, 'after', '2024-03-05', false],
    [day, 'gte', '2024-03-05', true],
    [day, 'between', ['2024-01-01', '2024-12-31'], true],
    [day, 'after', 5, false],
    [moment, 'after', '2024-03-05', false],
    [moment, 'equals', '2024-03-05', true],
    [moment, 'after', '2024-03-04', true],
  ])('%j %s %j is %s', (left, operator, right, expected) => {
    expect(compareOperands(left, operator, right)).toBe(expected);
  });
});

describe('a condition group', () => {
  const left = { type: 'question' as const, code: 'Q1' };
  const yes = { left, operator: 'answered' as const };
  const no = { left, operator: 'not_answered' as const };
  const judge = (connector: 'and' | 'or', ...conditions: (typeof yes | typeof no)[]) =>
    matchesCondition({ connector, conditions }, () => choiceOperand);
  it('is true if all parts are, if one part is, or if it is empty', () => {
    expect(judge('and', yes, yes)).toBe(true);
    expect(judge('and', yes, no)).toBe(false);
    expect(judge('or', no, yes)).toBe(true);
    expect(judge('or', no, no)).toBe(false);
    expect(judge('and')).toBe(true);
    expect(judge('or')).toBe(true);
  });
  it('can contain other groups', () => {
    const inner = { connector: 'or' as const, conditions: [no, yes] };
    expect(matchesCondition({ connector: 'and', conditions: [inner, yes] }, () => choiceOperand)).toBe(true);
  });
});
