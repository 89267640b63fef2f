import { describe, expect, it } from 'vitest';
import {
  checkExpression,
  type ExpressionColumn,
} from '../../../../src/domain/expressions/check-expression.ts';
import type { ExpressionError } from '../../../../src/domain/expressions/parse-expression.ts';

const columns = new Map<string, ExpressionColumn>([
  ['AGE', { type: 'number' }],
  ['GENDER', { type: 'number', labels: new Map([[1, 'Woman']]) }],
  ['CITY', { type: 'text' }],
  ['STARTED', { type: 'date' }],
  ['MEMBER', { type: 'boolean' }],
  ['not', { type: 'number' }],
]);

function errorOf(source: string): ExpressionError {
  const result = checkExpression(source, columns);
  if (result.ok) throw new Error(`${source} was accepted`);
  return result.error;
}

describe('an expression', () => {
  it.each([
    ['AGE + 1', 'number'],
    ['AGE > 18 and not MEMBER', 'boolean'],
    ["if(AGE > 18, 'adult', null)", 'text'],
    ["STARTED >= '2026-01-01'", 'boolean'],
    ["coalesce(STARTED, '2026-01-01')", 'date'],
    ["datediff('2026-01-01', STARTED, 'weeks')", 'number'],
    ['label(GENDER)', 'text'],
    ['`not` + 1', 'number'],
    ['AGE in (1, 2, null)', 'boolean'],
    ['IN(AGE, 1, 2)', 'boolean'],
    ["CITY <> 'it''s'", 'boolean'],
    ['null', 'number'],
    ['9^9^9', 'number'],
  ])('%s is a %s', (source, type) => {
    const result = checkExpression(source, columns);
    expect(result.ok && result.value.type).toBe(type);
  });

  it('names each column it reads once', () => {
    const result = checkExpression('AGE + GENDER * AGE', columns);
    expect(result.ok && result.value.columnNames).toEqual(['AGE', 'GENDER']);
  });

  it.each([
    ['', 'a value is missing at the end', 0, 0],
    ['AGE +', 'a value is missing at the end', 5, 0],
    ['AGE + * 2', 'before "*"', 6, 1],
    ['AGE 2', 'the number 2 cannot stand here', 4, 1],
    ['(AGE', 'not closed', 0, 1],
    ['AGE)', '")" cannot stand here', 3, 1],
    ['1 < AGE < 5', 'do not chain', 8, 1],
    ["CITY = 'x", 'does not end', 7, 2],
    ['AGE + #', '"#" cannot stand here', 6, 1],
    ['1e999', 'too large', 0, 5],
    ['AGE in 1', 'list in parentheses', 4, 2],
    ['AGF + 1', 'did you mean "AGE"?', 0, 3],
    ['age + 1', 'did you mean "AGE"?', 0, 3],
    ['sun(AGE)', 'did you mean "sum"?', 0, 3],
    ['abs + 1', 'abs is a function', 0, 3],
    ['abs(1, 2)', 'abs must have at most 1 argument, not 2', 0, 3],
    ['AGE + CITY', 'this is a text where a number belongs', 6, 4],
    ['if(AGE, 1, 2)', 'this is a number where a boolean belongs', 3, 3],
    ["if(MEMBER, 1, 'x')", 'this is a text where a number belongs', 14, 3],
    ['MEMBER < true', 'this is a boolean', 0, 6],
    ["STARTED > 'soon'", '"soon" is not a date', 10, 6],
    ["datediff(STARTED, STARTED, 'moons')", 'the unit is one of', 27, 7],
    ['label(AGE)', 'whose values have labels', 6, 3],
    ['not (AGE + 1)', 'this is a number where a boolean belongs', 4, 9],
  ])('%s is rejected with its position', (source, message, position, length) => {
    const error = errorOf(source);
    expect(error.message).toContain(message);
    expect([error.position, error.length]).toEqual([position, length]);
  });

  it('must have the requested type', () => {
    const result = checkExpression('AGE + 1', columns, 'text');
    expect(result.ok).toBe(false);
    expect(checkExpression('null', columns, 'text')).toMatchObject({ ok: true, value: { type: 'text' } });
    expect(checkExpression("'2026-01-31'", columns, 'date')).toMatchObject({ value: { type: 'date' } });
  });
});

describe('an expression cannot reach outside its columns', () => {
  it.each([
    ["constructor.constructor('return process')()", 11],
    ['AGE.constructor', 3],
    ["AGE['constructor']", 3],
    ['constructor', 0],
    ['__proto__', 0],
    ['toString()', 0],
    ['hasOwnProperty(1)', 0],
    ['AGE; 1', 3],
    ['AGE = 1 ? 2 : 3', 8],
    ['() => 1', 1],
  ])('rejects %s', (source, position) => expect(errorOf(source).position).toBe(position));

  it.each([
    ['('.repeat(10_000) + ')'.repeat(10_000), 2_000, 'at most 2000 characters'],
    ['('.repeat(900) + '1' + ')'.repeat(900), 100, 'nests more than 100'],
    ['-'.repeat(1_900) + '1', 100, 'nests more than 100'],
    ['not '.repeat(400) + 'MEMBER', 400, 'nests more than 100'],
    [`2${'^2'.repeat(900)}`, 201, 'nests more than 100'],
    ['abs('.repeat(400), 403, 'nests more than 100'],
  ])('rejects endless nesting immediately (%#)', (source, position, message) => {
    const error = errorOf(source);
    expect(error.message).toContain(message);
    expect(error.position).toBe(position);
  });

  it('accepts a long but shallow sum', () => {
    expect(checkExpression(`1${'+1'.repeat(999)}`, columns).ok).toBe(true);
  });
});
