import { expect, test } from 'vitest';
import { canonicalCondition } from '../../../../src/domain/quota/quota.ts';
import type { Comparison, Condition, Operator } from '../../../../src/domain/questions/condition.ts';

const that = (code: string, operator: Operator, right?: Comparison['right']): Comparison => ({
  left: { type: 'question', code },
  operator,
  right,
});
const all = (...conditions: Condition[]): Condition => ({ connector: 'and', conditions });
const any = (...conditions: Condition[]): Condition => ({ connector: 'or', conditions });

test('equivalent conditions have the same canonical form', () => {
  const [a, b] = [that('Gender', 'equals', 1), that('Age', 'in', [18, 19])];
  const same = canonicalCondition(all(a, b));
  for (const other of [
    all(b, a),
    all(all(b), a, a),
    any(all(a, b)),
    all(that('Age', 'in', ['19', '18']), that('Gender', 'equals', '1')),
  ]) {
    expect(canonicalCondition(other)).toBe(same);
  }
  for (const other of [any(a, b), all(a), all(a, that('Age', 'between', [18, 19])), all()]) {
    expect(canonicalCondition(other)).not.toBe(same);
  }
  expect(canonicalCondition(all(that('Age', 'between', [34, 18])))).not.toBe(
    canonicalCondition(that('Age', 'between', [18, 34])),
  );
});
