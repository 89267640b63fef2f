import { describe, expect, it } from 'vitest';
import { findSpeederFlag, speederThreshold } from '../../../../src/domain/quality/speeder.ts';
import { qualitySettingsOf } from '../../../../src/domain/survey/settings/quality-settings.ts';

const settings = (changes: object = {}) => qualitySettingsOf({ speeder: changes }).speeder;

describe('the line under which a response is too fast', () => {
  it.each<[string, object, { count: number; medianSeconds: number | null }, number | null]>([
    ['half the median of ten completes', {}, { count: 10, medianSeconds: 300 }, 150],
    ['nowhere with nine', {}, { count: 9, medianSeconds: 300 }, null],
    ['nowhere without a known duration', {}, { count: 40, medianSeconds: null }, null],
    ['the floor from the first response on', { min_seconds: 20 }, { count: 0, medianSeconds: null }, 20],
    ['the floor where it is above', { min_seconds: 200 }, { count: 10, medianSeconds: 300 }, 200],
    ['not lowered by the floor', { min_seconds: 20 }, { count: 10, medianSeconds: 300 }, 150],
    ['another share', { ratio: 0.3, min_completes: 2 }, { count: 2, medianSeconds: 100 }, 30],
  ])('is %s', (_, changes, durations, expected) => {
    expect(speederThreshold(settings(changes), durations)).toBe(expected);
  });
});

describe('a speeder', () => {
  const durations = { count: 10, medianSeconds: 300 };

  it('was faster than the line, and much faster weighs more', () => {
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

  it('is nobody on the line, of unknown duration, or where the setting is off', () => {
    expect(findSpeederFlag(150, settings(), durations)).toBeNull();
    expect(findSpeederFlag(null, settings({ min_seconds: 60 }), durations)).toBeNull();
    expect(findSpeederFlag(1, settings({ enabled: false }), durations)).toBeNull();
  });
});
