import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import {
  evaluateExpression,
  readExpression,
} from '../../../../src/domain/expressions/evaluate-expression.ts';

function valueOf(source: string): number | undefined {
  const read = readExpression(source, new Map());
  if (!read.ok) throw new Error(read.error.message);
  const result = evaluateExpression(read.value, new Map(), 1);
  return result.kind === 'numbers' ? result.values[0] : undefined;
}

describe('decimal numbers in expressions', () => {
  test.each<[string, number]>([
    ['0.1 + 0.2 = 0.3', 1],
    ['0.3 != 0.1 + 0.2', 0],
    ['0.1 + 0.2 <= 0.3', 1],
    ['0.1 + 0.2 > 0.3', 0],
    ['0.1 + 0.2 - 0.3', 0],
    ['0.3 in (1, 0.1 + 0.2)', 1],
    ['1.1 * 3 = 3.3', 1],
    ['0.3 = 0.30001', 0],
    ['1 < 1.0000000001', 1],
    ['9007199254740992 = 9007199254740991', 0],
    ['floor((0.1 + 0.7) * 10)', 8],
    ['ceil(1.1 * 10)', 11],
    ['0.3 % 0.1', 0],
    ['7 % 3', 1],
    ['-7.5 % 2', -1.5],
    ['1234567890123456 % 10', 6],
    // Excel: =ROUND(1.005;2)
    ['round(1.005, 2)', 1.01],
    ['round(2.675, 2)', 2.68],
    ['round(-1.005, 2)', -1.01],
    ['round(0.285 * 100)', 29],
    ['round(1.0049999, 2)', 1],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(1250, -2)', 1300],
    ['round(1.23456789, 15)', 1.23456789],
    ['round(123456789012345680)', 123456789012345680],
  ])('%s is %d', (source, expected) => expect(valueOf(source)).toBe(expected));

  test('round as decimal arithmetic does, for any number of thousandths', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), (thousandths) => {
        const sign = Math.sign(thousandths);
        const hundredths = sign * Math.floor((Math.abs(thousandths) + 5) / 10);
        expect(valueOf(`round(${thousandths / 1000}, 2)`)).toBeCloseTo(hundredths / 100, 10);
      }),
    );
  });
});
