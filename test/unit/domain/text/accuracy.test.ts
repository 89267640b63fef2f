import { beforeAll, expect, test } from 'vitest';
import { HELD_OUT_ANSWERS } from './held-out-answers.ts';
import { accuracy, type Measured, measuredByLanguage, measuredTogether } from './measured.ts';
import { MORE_TUNING_ANSWERS } from './more-tuning-answers.ts';
import { TUNING_ANSWERS } from './tuning-answers.ts';

// Thresholds slightly below the figures in docs/explanation/text-analysis.md.
let heldOut: Measured[];
beforeAll(async () => {
  heldOut = await measuredByLanguage(HELD_OUT_ANSWERS);
});

test('classifies five of six held-out answers correctly', () => {
  expect(heldOut.length).toBeGreaterThanOrEqual(240);
  expect(accuracy(heldOut)).toBeGreaterThan(0.82);
});

test.each(['en', 'es', 'de', 'fr', 'pt', 'it', 'ru', 'nl', 'pl'])(
  'classifies at least two of three answers in %s correctly',
  (language) => {
    expect(accuracy(heldOut.filter((measured) => measured.language === language))).toBeGreaterThan(0.66);
  },
);

test('classifies mixed answers in eleven languages as well as separate ones', async () => {
  expect(accuracy(await measuredTogether(HELD_OUT_ANSWERS))).toBeGreaterThan(0.81);
});

test('rarely confuses positive and negative answers', () => {
  const opposite = heldOut.filter(
    ({ label, result: { sentiment } }) =>
      label !== 'neutral' && sentiment !== 'neutral' && label !== sentiment,
  );
  expect(opposite.length / heldOut.length).toBeLessThan(0.04);
});

test('is more often right with higher confidence', () => {
  const sure = heldOut.filter(({ result }) => result.confidence >= 0.8);
  const unsure = heldOut.filter(({ result }) => result.confidence < 0.8);
  expect(accuracy(sure)).toBeGreaterThan(0.88);
  expect(accuracy(unsure)).toBeLessThan(accuracy(sure));
});

test('classifies the tuning answers correctly', async () => {
  expect(accuracy(await measuredByLanguage(TUNING_ANSWERS))).toBeGreaterThan(0.95);
  expect(accuracy(await measuredByLanguage(MORE_TUNING_ANSWERS))).toBeGreaterThan(0.95);
});
