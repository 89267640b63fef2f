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

test('reads five of six held-out answers correctly', () => {
  expect(heldOut.length).toBeGreaterThanOrEqual(240);
  expect(accuracy(heldOut)).toBeGreaterThan(0.82);
});

test.each(['en', 'es', 'de', 'fr', 'pt', 'it', 'ru', 'nl', 'pl'])(
  'in %s two of three at least',
  (language) => {
    expect(accuracy(heldOut.filter((one) => one.language === language))).toBeGreaterThan(0.66);
  },
);

test('answers in eleven languages to one question are read as well as apart', async () => {
  expect(accuracy(await measuredTogether(HELD_OUT_ANSWERS))).toBeGreaterThan(0.81);
});

test('praise is seldom taken for blame, or blame for praise', () => {
  const opposite = heldOut.filter(
    ({ label, result: { sentiment } }) =>
      label !== 'neutral' && sentiment !== 'neutral' && label !== sentiment,
  );
  expect(opposite.length / heldOut.length).toBeLessThan(0.04);
});

test('the surer, the more often right', () => {
  const sure = heldOut.filter(({ result }) => result.confidence >= 0.8);
  const unsure = heldOut.filter(({ result }) => result.confidence < 0.8);
  expect(accuracy(sure)).toBeGreaterThan(0.88);
  expect(accuracy(unsure)).toBeLessThan(accuracy(sure));
});

test('what the lists were tuned on is read rightly', async () => {
  expect(accuracy(await measuredByLanguage(TUNING_ANSWERS))).toBeGreaterThan(0.95);
  expect(accuracy(await measuredByLanguage(MORE_TUNING_ANSWERS))).toBeGreaterThan(0.95);
});
