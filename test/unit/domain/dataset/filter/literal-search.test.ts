import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLiteralSearch } from '../../../../../src/domain/dataset/edit-cells.ts';

const replaced = (text: string, find: string, replace: string, options: object = {}) =>
  createLiteralSearch({ find, replace, matchCase: false, matchEntireCell: false, ...options }).replaceAll(
    text,
  );

describe('a literal search', () => {
  test.each([
    ['a.b axb', 'a.b', '!', '! axb'],
    ['cost: (a+)+$', '(a+)+$', 'none', 'cost: none'],
    ['one two', 'two', '$& $1 \\1 $`', 'one $& $1 \\1 $`'],
    ['[x] {1,2} a|b ^ / \\d - *?', '[x] {1,2} a|b ^ / \\d - *?', 'all', 'all'],
    ['aaaa', 'aa', 'a', 'aa'],
    ['abc', 'x', 'y', 'abc'],
    ['abc', 'b', '', 'ac'],
    ['line\none', '\r\n', ' ', 'line one'],
  ])('%j: %j becomes %j: %j', (text, find, replace, expected) => {
    expect(replaced(text, find, replace)).toBe(expected);
    expect(
      createLiteralSearch({ find, replace, matchCase: true, matchEntireCell: false }).replaceAll(text),
    ).toBe(expected);
  });

  test.each([
    ['İstanbul FOO', 'foo', 'bar', 'İstanbul bar'],
    ['Straße STRASSE', 'straße', 'Weg', 'Weg STRASSE'],
    ['GROẞ und groß', 'Groß', 'klein', 'klein und klein'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος', 'x', 'x'],
    ['МОСКВА москва', 'Москва', 'M', 'M M'],
    ['İİ i ı I', 'i', '_', 'İİ _ ı _'],
    ['😀 Ab 😀', 'aB', '😀', '😀 😀 😀'],
  ])('ignores case and keeps its position: %j, %j', (text, find, replace, expected) => {
    expect(replaced(text, find, replace)).toBe(expected);
    const finds = createLiteralSearch({ find, replace, matchCase: false, matchEntireCell: false });
    expect(finds.matches(text)).toBe(true);
  });

  test('finds a letter in any Unicode form of its accent', () => {
    expect(replaced('café', 'cafe\u0301', 'tea')).toBe('tea');
    expect(replaced('café', 'cafe', 'tea')).toBe('café');
  });

  test('does not replace parts when matching entire cells', () => {
    expect(replaced('a\na', 'A', 'x', { matchEntireCell: true })).toBe('a\na');
    expect(replaced('A', 'a', 'x', { matchEntireCell: true })).toBe('x');
    expect(replaced('A', 'a', 'x', { matchEntireCell: true, matchCase: true })).toBe('A');
    expect(replaced('', '', 'x', { matchEntireCell: true })).toBe('x');
    expect(replaced('a', '', 'x', { matchEntireCell: true })).toBe('a');
  });

  test('refuses to expand a short text to gigabytes', () => {
    expect(replaced('a'.repeat(10_000), 'a', 'x'.repeat(10_000))).toBeNull();
  });

  test('equals splitting at the text and joining', () => {
    const signs = fc.array(fc.constantFrom('a', 'A', '.', '$', '&', '(', '\\', '1', 'ß', 'İ', '😀'), {
      maxLength: 12,
    });
    const text = signs.map((all) => all.join(''));
    fc.assert(
      fc.property(
        text,
        text.filter((find) => find !== ''),
        text,
        (whole, find, replace) => {
          const search = createLiteralSearch({ find, replace, matchCase: true, matchEntireCell: false });
          expect(search.replaceAll(whole)).toBe(whole.split(find).join(replace));
          expect(search.matches(whole)).toBe(whole.includes(find));
        },
      ),
    );
  });
});
