import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatEventId, parseEventId } from '../../../../src/domain/chat/event-id.ts';
import { recentHistory } from '../../../../src/domain/chat/history.ts';
import { buildSystemPrompt } from '../../../../src/domain/chat/system-prompt.ts';
import { splitIntoChunks, TextSanitizer } from '../../../../src/domain/chat/chunks.ts';
import { wordSimilarity } from '../../../../src/domain/chat/word-matching.ts';
import { shopVocabulary } from './shop-survey.ts';

describe('the id of an event', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e14 }), fc.nat(999_999), (messageId, number) => {
        expect(parseEventId(formatEventId({ messageId, number }))).toEqual({ messageId, number });
      }),
    );
  });
  it.each(['', '1', '1-', '-1', '0-1', '01-1', '1-1-1', ' 1-1', '1-1 ', '1.5-1', '1-1234567', '1-x'])(
    'is not "%s"',
    (text) => expect(parseEventId(text)).toBeNull(),
  );
});

describe('pieces of a text', () => {
  it('are the text, and short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect([...splitIntoChunks(text)].join('')).toBe(text);
      }),
    );
    expect([...splitIntoChunks('one two three', 8)]).toEqual(['one two', ' three']);
  });
});

describe('what a model says', () => {
  it('is put together from halves of characters, and holds nothing that cannot be kept', () => {
    const text = new TextSanitizer(100);
    expect(text.push('a\ud83d')).toBe('a');
    expect(text.push('\ude00b\0c')).toBe('😀bc');
    expect(text.push('\ude00')).toBe('\ufffd');
  });
  it('ends where it is too long', () => {
    const text = new TextSanitizer(5);
    expect(text.push('abc') + text.push('defg')).toBe('abcde');
    expect(text.isFull).toBe(true);
    expect(text.push('h')).toBe('');
  });
});

describe('the history that a model is told', () => {
  const exchange = (n: number, length = 10) => [
    { role: 'user' as const, content: `Q${n}`.padEnd(length, '.') },
    { role: 'assistant' as const, content: `A${n}`.padEnd(length, '.') },
  ];
  it('is the last exchanges, each whole', () => {
    const all = Array.from({ length: 30 }, (_, n) => exchange(n)).flat();
    expect(recentHistory(all)).toEqual(all.slice(-20));
    expect(recentHistory([...all, { role: 'user', content: 'open' }])).toEqual(all.slice(-20));
  });
  it('leaves out what was never answered', () => {
    const [question] = exchange(1);
    expect(recentHistory([question!, ...exchange(2), question!, { role: 'assistant', content: '' }])).toEqual(
      exchange(2),
    );
  });
  it('is bounded in characters', () => {
    const all = Array.from({ length: 10 }, (_, n) => exchange(n, 3_000)).flat();
    const kept = recentHistory(all);
    expect(kept).toEqual(all.slice(-4));
    expect(recentHistory(exchange(1, 100_000)).every(({ content }) => content.length < 4_100)).toBe(true);
  });
});

describe('what a model is told of a survey', () => {
  const counts = { total: 5, complete: 4, partial: 1, screened_out: 0, test: 0, quality_confirmed: 0 };
  it('is its questions with codes and options, and how many responses there are', () => {
    const text = buildSystemPrompt({ name: 'Shop', counts, vocabulary: shopVocabulary() });
    const data = JSON.parse(text.slice(text.indexOf('{"survey_name"')));
    expect(data).toMatchObject({ survey_name: 'Shop', responses: counts, questions_not_listed: 0 });
    expect(data.questions[0]).toEqual({
      code: 'Q1',
      kind: 'choice',
      text: 'Which region do you live in?',
      options: ['North', 'South', 'East', 'West'],
    });
    expect(data.questions.map(({ code }: { code: string }) => code)).not.toContain('Q11');
  });
  it('is bounded, and says what it leaves out', () => {
    const [first] = shopVocabulary().variables;
    const variables = Array.from({ length: 500 }, (_, n) => ({
      ...first!,
      code: `V${n}`,
      label: 'x'.repeat(2_000),
    }));
    const text = buildSystemPrompt({
      name: 'n'.repeat(5_000),
      counts,
      vocabulary: { variables, hasWaves: false },
    });
    expect(text.length).toBeLessThan(12_000);
    const data = JSON.parse(text.slice(text.indexOf('{"survey_name"')));
    expect(data.questions.length + data.questions_not_listed).toBe(500);
  });
});

it.each([
  ['recommend', 'recommendation', true],
  ['satisfied', 'satisfaction', true],
  ['price', 'prices', true],
  ['price', 'pricing', true],
  ['age', 'agent', false],
  ['men', 'women', false],
  ['north', 'south', false],
  ['delivery', 'delivered', true],
])('%s and %s: alike is %s', (a, b, alike) => expect(wordSimilarity(a, b) > 0).toBe(alike));
