import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  attributeNameProblem,
  parseAttributeCell,
  attributesProblem,
  attributeValueProblem,
  lineProblem,
  hasSameAttributes,
} from '../../../../src/domain/respondents/attributes.ts';

describe('an attribute name', () => {
  test.each(['segment', 'Größe', 'Customer segment', 'a.b-c_d', '_x', '2026', '年齢', 'a'.repeat(60)])(
    'accepts %s',
    (name) => {
      expect(attributeNameProblem(name)).toBeNull();
    },
  );
  test.each([
    '',
    ' ',
    ' a',
    'a ',
    'a.',
    '.a',
    'a:b',
    '{{a}}',
    'a\nb',
    'a\u2028b',
    '=a',
    "a'b",
    'a"b',
    '\u200b',
    'a'.repeat(61),
    '__proto__',
    'constructor',
    'prototype',
    'email',
    'EMAIL',
    'opted_out',
  ])('rejects %j', (name) => {
    expect(attributeNameProblem(name)).not.toBeNull();
  });
});

describe('an attribute value', () => {
  test.each(['', 'x', '=1+1', 'x'.repeat(1_000), 0, -1.5, true, false])('accepts %j', (value) => {
    expect(attributeValueProblem(value)).toBeNull();
  });
  test.each([null, undefined, {}, [], NaN, Infinity, 'a\r\nb', 'a\u0085b', '\ud800', 'x'.repeat(1_001)])(
    'rejects %j',
    (value) => {
      expect(attributeValueProblem(value)).not.toBeNull();
    },
  );
});

test('a single-line text rejects line breaks and control characters', () => {
  const pieces = fc.string({
    unit: fc.constantFrom('a', 'é', '\r', '\n', '\0', '\u0085', '\u2028', '\u2029', '\ud800'),
  });
  fc.assert(
    fc.property(pieces, (text) => {
      expect(lineProblem(text) === null).toBe(/^[aé]*$/.test(text));
    }),
  );
});

test('accepts 100 attributes and rejects 101, or 100 long ones', () => {
  const many = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, value]));
  expect(attributesProblem(many(100, 'x'))).toBeNull();
  expect(attributesProblem(many(101, 'x'))).toBe('has 101 attributes; at most 100 are kept');
  expect(attributesProblem(many(100, 'x'.repeat(300)))).toMatch(
    /^takes \d+ characters as JSON; at most 20000 are kept$/,
  );
});

describe('parsing a cell', () => {
  test.each([
    ['42', 42],
    ['-1.5', -1.5],
    ['0', 0],
    ['true', true],
    ['false', false],
    [7, 7],
    ['007', '007'],
    ['1e5', '1e5'],
    ['+49', '+49'],
    ['1.50', '1.50'],
    ['-0', '-0'],
    ['.5', '.5'],
    ['12345678901234567890', '12345678901234567890'],
    ['Infinity', 'Infinity'],
    ['TRUE', 'TRUE'],
    [' A ', 'A'],
    ['=1+1', '=1+1'],
  ])('reads %j as %j', (cell, value) => {
    expect(parseAttributeCell(cell)).toBe(value);
  });

  test('reads the same value after it is written again', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789.-+eE, ') });
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits), (text) => {
        expect(String(parseAttributeCell(text))).toBe(text.trim());
      }),
    );
  });
});

test('attributes are equal in any order, unless a name is missing or a type differs', () => {
  expect(hasSameAttributes({ a: 1, b: 'x' }, { b: 'x', a: 1 })).toBe(true);
  expect(hasSameAttributes({ a: 1 }, { a: '1' })).toBe(false);
  expect(hasSameAttributes({ a: 1 }, { b: 1 })).toBe(false);
  expect(hasSameAttributes({ toString: 1 }, {})).toBe(false);
  expect(hasSameAttributes({}, { a: 1 })).toBe(false);
});
