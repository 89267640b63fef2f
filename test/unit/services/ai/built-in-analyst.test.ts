import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CreditReservation } from '../../../../src/domain/credits/credit-reservation.ts';
import { LanguageResources } from '../../../../src/providers/lexicons/language-resources.ts';
import { ANALYSIS_OPERATIONS } from '../../../../src/services/ai/analysis/text-analyzer.ts';
import { BuiltInTextAnalyzer } from '../../../../src/services/ai/analysis/built-in-text-analyzer.ts';

const analyzer = new BuiltInTextAnalyzer(new LanguageResources());
const { signal } = new AbortController();
const HOSTILE = [
  '',
  ' ',
  '👍👍👍',
  '\ud800',
  '\u200b\u200e',
  'שירות גרוע',
  'a'.repeat(32_000),
  '很好',
  '\0',
  '__proto__',
];

test('describes the method of every operation', () => {
  for (const operation of ANALYSIS_OPERATIONS)
    expect(analyzer.describeMethod(operation)).toMatch(/\w{3,}.*\.$/);
});

test('estimates token usage within the maximum computed beforehand', async () => {
  const reservation = new CreditReservation(1);
  const texts = ['Great service', 'Too slow'];
  const maxTokens = analyzer.maxTokens({ operation: 'sentiment' }, texts);
  expect(await analyzer.detectSentiments(reservation, texts, signal)).toHaveLength(2);
  expect(reservation.isEstimated).toBe(true);
  expect(reservation.usage.input_tokens + reservation.usage.output_tokens).toBeLessThanOrEqual(maxTokens);
  expect(reservation.usage.input_tokens).toBe(6);
});

test('returns one result for each hostile text in every operation', async () => {
  const reservation = new CreditReservation(1);
  expect(await analyzer.detectSentiments(reservation, HOSTILE, signal)).toHaveLength(HOSTILE.length);
  expect(
    await analyzer.classify(reservation, HOSTILE, [{ name: '' }, { name: '__proto__' }], signal),
  ).toHaveLength(HOSTILE.length);
  const themes = await analyzer.proposeThemes(reservation, HOSTILE, 5, signal);
  expect(await analyzer.assignThemes(reservation, HOSTILE, themes, signal)).toHaveLength(HOSTILE.length);
  expect(await analyzer.proposeCategories(reservation, HOSTILE, 5, signal)).toEqual(themes);
  expect((await analyzer.summarize(reservation, HOSTILE, signal)).points).toBeInstanceOf(Array);
});

test('returns empty results without texts', async () => {
  const reservation = new CreditReservation(1);
  expect(await analyzer.detectSentiments(reservation, [], signal)).toEqual([]);
  expect(await analyzer.proposeThemes(reservation, [], 5, signal)).toEqual([]);
  expect(await analyzer.summarize(reservation, [], signal)).toEqual({ summary: '', points: [] });
});

test('rejects translation', async () => {
  await expect(analyzer.translate()).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'ai_provider_required',
  });
});

test('uses the statement of a fact as its explanation', async () => {
  const statement = 'Wave 3 is 12 points below wave 2.';
  const facts = [
    { id: 'a', kind: 'trend_break', statement, figures: {} },
    { id: 'b', kind: 'constructor', statement, figures: {} },
  ];
  const [known, unknown] = await analyzer.wordFacts(new CreditReservation(1), facts, signal);
  expect(known).toMatchObject({
    explanation: statement,
    suggestion: expect.stringContaining('wave') as string,
  });
  expect(unknown!.suggestion).toBeNull();
});

test('rejects when its signal aborts', async () => {
  const abortController = new AbortController();
  const texts = Array.from({ length: 5_000 }, (_, index) =>
    `The ${index} staff were friendly, but slow. `.repeat(20),
  );
  const pending = analyzer.detectSentiments(new CreditReservation(1), texts, abortController.signal);
  await sleep(1);
  abortController.abort();
  await expect(pending).rejects.toThrow(/abort/i);
});
