import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TokenizedText, tokenizeText } from '../../../../src/domain/text/vocabulary.ts';
import { scoreSentiment } from '../../../../src/domain/text/sentiment.ts';
import { inLanguage } from './vocabularies.ts';

describe('the sentiment of a text', () => {
  test.each([
    ['en', 'good', 'positive'],
    ['en', 'not good', 'negative'],
    ['en', 'not bad at all', 'positive'],
    ['en', 'no problems', 'positive'],
    ['en', 'It works', 'positive'],
    ['en', 'It does not work', 'negative'],
    ['en', 'the door is at the back', 'neutral'],
    ['en', 'too long', 'negative'],
    ['en', 'The corridor is long', 'neutral'],
    ['en', 'It should be clearer', 'negative'],
    ['en', 'It is clearer', 'positive'],
    ['en', 'Good food but slow service', 'neutral'],
    ['en', 'GOOD', 'positive'],
    ['en', '👍', 'positive'],
    ['en', ':(', 'negative'],
    ['es', 'no me gusta', 'negative'],
    ['es', 'carisimo', 'negative'],
    ['de', 'gefällt mir nicht', 'negative'],
    ['de', 'Gut, nicht teuer', 'positive'],
    ['de', 'zu langsam', 'negative'],
    ['de', 'leicht zu bedienen', 'positive'],
    ['fr', 'ça marche pas', 'negative'],
    ['fr', 'je n’aime pas', 'negative'],
    ['fr', 'pas cher', 'positive'],
    ['pt', 'não funciona', 'negative'],
    ['it', 'non è male', 'positive'],
    ['ru', 'ещё не работает', 'negative'],
    ['nl', 'werkt niet', 'negative'],
    ['pl', 'nie dziala', 'negative'],
    ['zz', 'good', 'neutral'],
    ['zz', '❤️', 'positive'],
  ])('%s: “%s” is %s', async (language, text, sentiment) => {
    const [known] = await inLanguage(language, text);
    expect(scoreSentiment(known!).sentiment).toBe(sentiment);
  });

  test('is neutral with low confidence without a sentiment word', async () => {
    const [none, some] = await inLanguage(
      'en',
      'Through the door on the left side',
      'Excellent, very friendly',
    );
    expect(scoreSentiment(none!)).toEqual({ sentiment: 'neutral', confidence: 0.45 });
    expect(scoreSentiment(some!).confidence).toBeGreaterThan(0.8);
  });

  test('has less confidence for a strong word in a long text than in a short one', async () => {
    const [short, long] = await inLanguage(
      'en',
      'Excellent',
      `Excellent ${'then we went to the second floor '.repeat(5)}`,
    );
    expect(scoreSentiment(long!).confidence).toBeLessThan(scoreSentiment(short!).confidence);
  });
});

describe('sentiment of any input', () => {
  let empty: TokenizedText;
  beforeAll(async () => {
    [empty] = (await inLanguage('en', '')) as [TokenizedText];
  });

  test('is one of three values with a confidence from 0 to 1, and deterministic', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const result = scoreSentiment(tokenizeText(text, empty.vocabulary));
        expect(['negative', 'neutral', 'positive']).toContain(result.sentiment);
        expect(result.confidence).toBeGreaterThanOrEqual(0);
        expect(result.confidence).toBeLessThanOrEqual(1);
        expect(scoreSentiment(tokenizeText(text, empty.vocabulary))).toEqual(result);
      }),
    );
  });

  test('treats JavaScript property names like any other words', () => {
    for (const text of ['__proto__', 'constructor', 'toString not bad', 'hasOwnProperty'])
      expect(scoreSentiment(tokenizeText(text, empty.vocabulary)).confidence).toBeGreaterThan(0);
  });

  test('is computed fast at any length', () => {
    const texts = [
      'good '.repeat(200_000),
      'x'.repeat(1_000_000),
      '好'.repeat(300_000),
      '😀'.repeat(300_000),
      "'".repeat(500_000),
    ];
    const began = performance.now();
    for (const text of texts) scoreSentiment(tokenizeText(text, empty.vocabulary));
    // Takes milliseconds; quadratic code would take minutes.
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
