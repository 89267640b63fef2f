import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  stringWidth,
  assignVariableNames,
  foldName,
  ShortNames,
} from '../../../src/exporters/sav/sav-layout.ts';
import { parseDateSeconds, parseTimeSeconds } from '../../../src/exporters/sav/sav-file.ts';

it.each([
  ['Q1', 'Q1'],
  ['Q3_row_a', 'Q3_row_a'],
  ['возраст', 'возраст'],
  ['first name', 'first_name'],
  ['1st', 'V1st'],
  ['_x', 'V_x'],
  ['$sum', 'V$sum'],
  ['ends.', 'ends'],
  ['with', 'with_1'],
  ['NOT', 'NOT_1'],
  ['', 'V'],
  ['ж'.repeat(40), 'ж'.repeat(32)],
])('the requested variable name %j becomes %j', (wish, name) => {
  expect(assignVariableNames([wish])).toEqual([name]);
});

it('a valid requested name is kept even if an earlier invalid one resolves to it', () => {
  expect(assignVariableNames(['a b', 'a_b', 'A_B'])).toEqual(['a_b_2', 'a_b', 'A_B_3']);
});

it('any requested names become valid and unique ignoring case', () => {
  const wish = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom('a', 'A', 'by', 'BY', 'V1', 'v1', 'x'.repeat(70), 'X'.repeat(71), 'ß', 'SS'),
  );
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 30 }), (wishes) => {
      const names = assignVariableNames(wishes);
      expect(new Set(names.map(foldName)).size).toBe(wishes.length);
      for (const name of names) {
        expect(name).toMatch(/^[\p{L}@][\p{L}\p{M}\p{N}._$#@]*$/u);
        expect(name).not.toMatch(/\.$|^(all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with)$/i);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(64);
      }
      const shortNames = new ShortNames(names);
      const short = names.map((name) => shortNames.assign(name));
      expect(new Set(short).size).toBe(names.length);
      // A short name equals its variable's long name or no long name.
      short.forEach((each, i) => {
        expect(names.every((name, j) => i === j || foldName(name) !== foldName(each))).toBe(true);
      });
    }),
  );
});

it('converts timestamps to seconds since 14 October 1582', () => {
  expect(parseDateSeconds('1582-10-14')).toBe(0);
  expect(parseDateSeconds('1970-01-01')).toBe(12_219_379_200);
  expect(parseDateSeconds('2024-02-29T23:59')).toBe(12_219_379_200 + Date.UTC(2024, 1, 29, 23, 59) / 1000);
  expect(parseDateSeconds('2024-02-29T23:59:58.5Z')).toBe(parseDateSeconds('2024-02-29')! + 86_398.5);
  expect(parseDateSeconds('0050-01-01')).toBeLessThan(0);
  expect(parseTimeSeconds('13:05')).toBe(47_100);
});

it.each(['2023-02-29', '2024-13-01', '2024-01-01T24:00', '01.02.2024', '2024-01', ''])(
  '%j is not a timestamp',
  (text) => {
    expect(parseDateSeconds(text)).toBeNull();
  },
);

it('widths increase in a few steps', () => {
  expect([0, 16, 17, 255, 256, 4097, 99_999].map(stringWidth)).toEqual([16, 16, 64, 255, 1024, 32767, 32767]);
});
