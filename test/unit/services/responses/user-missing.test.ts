import { expect, test } from 'vitest';
import { userMissing } from '../../../../src/services/responses/export/sav-column.ts';

const values = (valid: number[], missing: number[]) =>
  [...valid, ...missing].map((code) => ({
    code,
    value: String(code),
    number: code,
    label: '',
    missing: missing.includes(code),
  }));

test.each([
  ['none', [1, 2], [], {}],
  ['three codes as single values', [1, 2, 98], [97, 99, -1], { missing: [-1, 97, 99] }],
  ['four consecutive codes as a range', [1, 2], [96, 97, 98, 99], { missingRange: { low: 96, high: 99 } }],
  [
    'a range and a separate value',
    [1, 2],
    [97, 98, 99, -1],
    { missingRange: { low: 97, high: 99 }, missing: [-1] },
  ],
  [
    'more than that, with the rest reported',
    [1, 20, 40],
    [10, 30, 97, 98, 99],
    { missingRange: { low: 97, high: 99 }, missing: [10, 30] },
  ],
  ['scattered codes without a useful range', [2, 4, 6], [1, 3, 5, 7], { missing: [1, 3, 5, 7] }],
])('user-missing codes: %s', (_, valid, missing, expected) => {
  expect(userMissing(values(valid, missing))).toEqual(expected);
});
