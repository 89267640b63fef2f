import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CreditReservation } from '../../../../src/domain/credits/credits.ts';
import { LanguageResources } from '../../../../src/providers/language-resources.ts';
import { ANALYSIS_OPERATIONS } from '../../../../src/services/ai/analysis/text-analyzer.ts';
import { BuiltInTextAnalyzer } from '../../../../src/services/ai/analysis/built-in-text-analyzer.ts';

const analyst = new BuiltInTextAnalyzer(new LanguageResources());
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

test('every operation describes its method', () => {
  for (const operation of ANALYSIS_OPERATIONS)
    expect(analyst.describeMethod(operation)).toMatch(/\w{3,}.*\.$/);
});

test('usage is estimated and within the earlier estimate', async () => {
  const reservation = new CreditReservation(1);
  const texts = ['Great service', 'Too slow'];
  const most = analyst.maxTokens({ operation: 'sentiment' }, texts);
  expect(await analyst.detectSentiments({ reservation, texts, signal })).toHaveLength(2);
  expect(reservation.isEstimated).toBe(true);
  expect(reservation.usage.input_tokens + reservation.usage.output_tokens).toBeLessThanOrEqual(most);
  expect(reservation.usage.input_tokens).toBe(6);
});

test('returns a result for each hostile text in every operation', async () => {
  const reservation = new CreditReservation(1);
  expect(await analyst.detectSentiments({ reservation, texts: HOSTILE, signal })).toHaveLength(
    HOSTILE.length,
  );
  expect(
    await analyst.classify({
      reservation,
      texts: HOSTILE,
      categories: [{ name: '' }, { name: '__proto__' }],
      signal,
    }),
  ).toHaveLength(HOSTILE.length);
  const themes = await analyst.proposeThemes({ reservation, texts: HOSTILE, limit: 5, signal });
  expect(await analyst.assignThemes({ reservation, texts: HOSTILE, themes, signal })).toHaveLength(
    HOSTILE.length,
  );
  expect(await analyst.proposeCategories({ reservation, texts: HOSTILE, limit: 5, signal })).toEqual(themes);
  expect((await analyst.summarize({ reservation, texts: HOSTILE, signal })).points).toBeInstanceOf(Array);
});

test('returns nothing without texts', async () => {
  const reservation = new CreditReservation(1);
  expect(await analyst.detectSentiments({ reservation, texts: [], signal })).toEqual([]);
  expect(await analyst.proposeThemes({ reservation, texts: [], limit: 5, signal })).toEqual([]);
  expect(await analyst.summarize({ reservation, texts: [], signal })).toEqual({ summary: '', points: [] });
});

test('does not support translation', async () => {
  await expect(analyst.translate()).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'ai_provider_required',
  });
});

test('describes findings in their own words', async () => {
  const statement = 'Wave 3 is 12 points below wave 2.';
  const facts = [
    { id: 'a', kind: 'trend_break', statement, figures: {} },
    { id: 'b', kind: 'constructor', statement, figures: {} },
  ];
  const [known, unknown] = await analyst.phraseFacts({
    reservation: new CreditReservation(1),
    facts,
    signal,
  });
  expect(known).toMatchObject({
    explanation: statement,
    suggestion: expect.stringContaining('wave') as string,
  });
  expect(unknown!.suggestion).toBeNull();
});

test('stops promptly after an abort', async () => {
  const stopped = new AbortController();
  const texts = Array.from({ length: 5_000 }, (_, index) =>
    `The ${index} staff were friendly, but slow. `.repeat(20),
  );
  const reading = analyst.detectSentiments({
    reservation: new CreditReservation(1),
    texts,
    signal: stopped.signal,
  });
  await sleep(1);
  stopped.abort();
  await expect(reading).rejects.toThrow(/abort/i);
});
