import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  protectionFor,
  roundedCount,
  roundedMeasure,
  roundedPercent,
} from '../../../../../src/domain/charts/disclosure/protection.ts';

test('members see everything, and clients see all of a survey that is not confidential', () => {
  const confidential = { confidential: true, min_base: 7, dominance_percent: 50 };
  expect(protectionFor('member', confidential, 5)).toBeNull();
  expect(protectionFor('client', confidential, 9)).toEqual({
    minBase: 7,
    isRounded: true,
    dominancePercent: 50,
  });
  expect(protectionFor('client', { confidential: false, min_base: 7, dominance_percent: 50 }, 5)).toBeNull();
});

test('small groups of every survey are suppressed in public, unless the dashboard shows them', () => {
  const open = { confidential: false, min_base: 7, dominance_percent: 50 };
  expect(protectionFor('public', open, 5)).toEqual({ minBase: 5, isRounded: false, dominancePercent: null });
  expect(protectionFor('public', open, 1)).toBeNull();
  const confidential = { confidential: true, min_base: 7, dominance_percent: 50 };
  expect(protectionFor('public', confidential, 1)).toEqual({
    minBase: 7,
    isRounded: true,
    dominancePercent: 50,
  });
  expect(protectionFor('public', confidential, 9)).toEqual({
    minBase: 9,
    isRounded: true,
    dominancePercent: 50,
  });
});

test('percents reveal no more than the disclosed counts', () => {
  fc.assert(
    fc.property(fc.nat(3_000), fc.nat(3_000), fc.nat(2), fc.nat(2), (whole, given, more, others) => {
      const part = Math.min(whole, given);
      const [near, nearWhole] = [part + more, whole + others];
      if (roundedCount(near) !== roundedCount(part) || roundedCount(nearWhole) !== roundedCount(whole))
        return;
      expect(roundedPercent(near, nearWhole)).toBe(roundedPercent(part, whole));
    }),
  );
});

test('one respondent more or less rarely changes a figure', () => {
  const counts = Array.from({ length: 200 }, (_, index) => index + 10);
  const same = counts.filter((count) => roundedCount(count) === roundedCount(count + 1));
  expect(same.length / counts.length).toBeGreaterThan(0.75);
});

test.each([
  [3.4567, 0.19, 3.5],
  [3.4567, 0.03, 3.46],
  [41_234.5, 900, 41_000],
  [3.4567, null, 3.4567],
  [7, 0, 7],
])('rounds a measure of %d with standard error %d to %d', (value, se, disclosed) => {
  expect(roundedMeasure(value, se)).toBe(disclosed);
});
