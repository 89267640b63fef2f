import { describe, expect, test } from 'vitest';
import { readExpression } from '../../../../src/domain/expressions/evaluate-expression.ts';

const columns = new Map([['age', { type: 'number' as const }]]);

describe('an expression part that can never have a value is rejected at its position', () => {
  test.each([
    ['9 ^ 9 ^ 9 ^ 9', 4, 9],
    ['age + 1 / 0', 6, 5],
    ['if(age > 3, ln(-1), 2)', 12, 6],
    ['exp(1000)', 0, 9],
  ])('%s', (source, position, length) => {
    const read = readExpression(source, columns);
    expect(read).toEqual({ ok: false, error: { message: 'this has no finite value', position, length } });
  });

  test.each(['age / 0', 'null + 1', '2 ^ 10', 'coalesce(null, 3)', 'sqrt(2) * age', 'mean(1, null)'])(
    'accepts %s',
    (source) => {
      expect(readExpression(source, columns).ok).toBe(true);
    },
  );
});
