import { expect, test } from 'vitest';
import { userMissing } from '../../../src/exporters/sav/user-missing.ts';

const values = (valid: number[], missing: number[]) =>
  [...valid, ...missing].map((code) => ({
    ...{ code, value: String(code), label: '' },
    missing: missing.includes(code),
  }));

test.each([
  ['none', [1, 2], [], {}],
  ['three, as they are', [1, 2, 98], [97, 99, -1], { missing: [-1, 97, 99] }],
  ['four side by side, as a range', [1, 2], [96, 97, 98, 99], { missingRange: { low: 96, high: 99 } }],
  [
    'a run and one apart, as a range and one value',
    [1, 2],
    [97, 98, 99, -1],
    { missingRange: { low: 97, high: 99 }, missing: [-1] },
  ],
  [
    'more than that, leaving the rest to be reported',
    [1, 20, 40],
    [10, 30, 97, 98, 99],
    { missingRange: { low: 97, high: 99 }, missing: [10, 30] },
  ],
  ['scattered ones, where a range gains nothing', [2, 4, 6], [1, 3, 5, 7], { missing: [1, 3, 5, 7] }],
])('codes that count as missing: %s', (_, valid, missing, expected) => {
  expect(userMissing(values(valid, missing))).toEqual(expected);
});
