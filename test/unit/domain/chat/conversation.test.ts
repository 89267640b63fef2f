import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatEventId,
  parseEventId,
  splitIntoChunks,
  TextSanitizer,
} from '../../../../src/domain/chat/answer-stream.ts';
import { buildSystemPrompt, recentHistory } from '../../../../src/domain/chat/system-prompt.ts';
import { wordSimilarity } from '../../../../src/domain/chat/find-variables.ts';
import { shopVocabulary } from './shop-survey.ts';

describe('an event id', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e14 }), fc.nat(999_999), (messageId, number) => {
        expect(parseEventId(formatEventId({ messageId, number }))).toEqual({ messageId, number });
      }),
    );
  });
  it.each(['', '1', '1-', '-1', '0-1', '01-1', '1-1-1', ' 1-1', '1-1 ', '1.5-1', '1-1234567', '1-x'])(
    'rejects "%s"',
    (text) => expect(parseEventId(text)).toBeNull(),
  );
});

describe('chunks of a text', () => {
  it('are short and join to the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect([...splitIntoChunks(text)].join('')).toBe(text);
      }),
    );
    expect([...splitIntoChunks('one two three', 8)]).toEqual(['one two', ' three']);
  });
});

describe("a model's reply", () => {
  it('joins split characters and drops characters that cannot be stored', () => {
    const text = new TextSanitizer(100);
    expect(text.push('a\ud83d')).toBe('a');
    expect(text.push('\ude00b\0c')).toBe('😀bc');
    expect(text.push('\ude00')).toBe('\ufffd');
  });
  it('ends at its maximum length', () => {
    const text = new TextSanitizer(5);
    expect(text.push('abc') + text.push('defg')).toBe('abcde');
    expect(text.isFull).toBe(true);
    expect(text.push('h')).toBe('');
  });
});

describe('the history sent to a model', () => {
  const exchange = (n: number, length = 10) => [
    { role: 'user' as const, content: `Q${n}`.padEnd(length, '.') },
    { role: 'assistant' as const, content: `A${n}`.padEnd(length, '.') },
  ];
  it('has the last exchanges, each complete', () => {
    const all = Array.from({ length: 30 }, (_, n) => exchange(n)).flat();
    expect(recentHistory(all)).toEqual(all.slice(-20));
    expect(recentHistory([...all, { role: 'user', content: 'open' }])).toEqual(all.slice(-20));
  });
  it('omits unanswered questions', () => {
    const [question] = exchange(1);
    expect(recentHistory([question!, ...exchange(2), question!, { role: 'assistant', content: '' }])).toEqual(
      exchange(2),
    );
  });
  it('is limited in characters', () => {
    const all = Array.from({ length: 10 }, (_, n) => exchange(n, 3_000)).flat();
    const kept = recentHistory(all);
    expect(kept).toEqual(all.slice(-4));
    expect(recentHistory(exchange(1, 100_000)).every(({ content }) => content.length < 4_100)).toBe(true);
  });
});

describe('the survey description sent to a model', () => {
  const counts = { total: 5, complete: 4, partial: 1, screened_out: 0, test: 0, quality_confirmed: 0 };
  it('lists questions with codes and options, and the number of responses', () => {
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
  it('is limited in length and states how much it omits', () => {
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
])('similarity of %s and %s is %s', (a, b, alike) => expect(wordSimilarity(a, b) > 0).toBe(alike));
