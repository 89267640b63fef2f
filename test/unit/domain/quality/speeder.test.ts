import { describe, expect, it } from 'vitest';
import { findSpeederFlag, speederThreshold } from '../../../../src/domain/quality/speeder.ts';
import { qualitySettingsOf } from '../../../../src/domain/survey/quality-settings.ts';

const settings = (changes: object = {}) => qualitySettingsOf({ speeder: changes }).speeder;

describe('the speeder threshold', () => {
  it.each<[string, object, { count: number; medianSeconds: number | null }, number | null]>([
    ['half the median of ten completes', {}, { count: 10, medianSeconds: 300 }, 150],
    ['undefined with nine completes', {}, { count: 9, medianSeconds: 300 }, null],
    ['undefined without a known duration', {}, { count: 40, medianSeconds: null }, null],
    ['the floor from the first response on', { min_seconds: 20 }, { count: 0, medianSeconds: null }, 20],
    ['the floor if it is higher', { min_seconds: 200 }, { count: 10, medianSeconds: 300 }, 200],
    ['not lowered by the floor', { min_seconds: 20 }, { count: 10, medianSeconds: 300 }, 150],
    ['another share', { ratio: 0.3, min_completes: 2 }, { count: 2, medianSeconds: 100 }, 30],
  ])('is %s', (_, changes, durations, expected) => {
    expect(speederThreshold(settings(changes), { durations, shownQuestions: 4 })).toBe(expected);
  });
});

describe('the floor per question', () => {
  const fast = { count: 10, medianSeconds: 3 };

  it.each<[string, object, number, number | null]>([
    ['a second for each of fifteen questions where most respondents are too fast', {}, 15, 15],
    ['from five questions on', {}, 5, 5],
    ['not with four', {}, 4, 1.5],
    ['as set', { min_seconds_per_question: 2 }, 15, 30],
    ['off', { min_seconds_per_question: 0 }, 15, 1.5],
    ['not lowering a higher floor', { min_seconds: 60 }, 15, 60],
  ])('is %s', (_, changes, shownQuestions, expected) => {
    expect(speederThreshold(settings(changes), { durations: fast, shownQuestions })).toBe(expected);
  });

  it('applies to the first response', () => {
    const reference = { durations: { count: 0, medianSeconds: null }, shownQuestions: 15 };
    expect(findSpeederFlag(3, settings(), reference)).toMatchObject({ threshold: 15, severity: 'high' });
    expect(findSpeederFlag(15, settings(), reference)).toBeNull();
  });
});

describe('a speeder', () => {
  const durations = { durations: { count: 10, medianSeconds: 300 }, shownQuestions: 0 };

  it('is below the threshold, with a higher severity far below it', () => {
    expect(findSpeederFlag(149, settings(), durations)).toEqual({
      check: 'speeder',
      severity: 'medium',
      metric: 'duration_seconds',
      value: 149,
      threshold: 150,
      column_codes: [],
    });
    expect(findSpeederFlag(74, settings(), durations)).toMatchObject({ severity: 'high' });
  });

  it('is not flagged at the threshold, with unknown duration, or if the check is off', () => {
    expect(findSpeederFlag(150, settings(), durations)).toBeNull();
    expect(findSpeederFlag(null, settings({ min_seconds: 60 }), durations)).toBeNull();
    expect(findSpeederFlag(1, settings({ enabled: false }), durations)).toBeNull();
  });
});
