import { describe, expect, it } from 'vitest';
import { readTypedNumber, typedForm } from '../../../../src/web/studio/client/data/typed-number.ts';
import {
  findFilterProblem,
  normalizeFilterValue,
} from '../../../../src/web/studio/client/survey/filters/check-filter.ts';
import type { FilterSide } from '../../../../src/web/studio/client/question-types/question-type.ts';

describe('a number that an author types', () => {
  it.each([
    ['2,000', 0, 2_000],
    ['1 234,5', null, 1234.5],
    ['٢٥', null, 25],
    ['.5', null, 0.5],
  ])('%s with %s decimals is %d', (text, decimals, value) =>
    expect(readTypedNumber(text, decimals)).toEqual({ value, problem: null }),
  );

  it.each([
    ['1,500', null, '“1,500” can mean two numbers. Enter 1500 or 1.5.'],
    ['1.234', null, '“1.234” can mean two numbers. Enter 1234 or 1.2340.'],
    ['1,5', 0, 'Enter a whole number, such as 500.'],
    ['many', null, 'Enter a number, such as 18 or 2.5.'],
  ])('%s with %s decimals is refused: %s', (text, decimals, problem) =>
    expect(readTypedNumber(text, decimals)).toEqual({ value: null, problem }),
  );

  it.each([1.234, 1500, -12.345, 0.125, 1234.567])('%d is shown so that it is read again', (value) =>
    expect(readTypedNumber(typedForm(value), null).value).toBe(value),
  );
});

describe('a number in a filter', () => {
  const side: FilterSide = { input: 'number', values: [], kind: 'number', operators: [], groups: [] };

  it('is compared and stored as it is read', () => {
    expect(findFilterProblem('between', ['9,5', '1 000'], side)).toBeNull();
    expect(normalizeFilterValue('1 000,50', 'number')).toBe('1000.5');
    expect(normalizeFilterValue(' 1,500 ', 'text')).toBe('1,500');
  });

  it('is not guessed', () =>
    expect(findFilterProblem('between', ['1', '1,500'], side)).toEqual({
      index: 1,
      message: '“1,500” can mean two numbers. Enter 1500 or 1.5.',
    }));
});
