import { describe, expect, it } from 'vitest';
import {
  changeQualitySettings,
  qualitySettingsChangesSchema,
  qualitySettingsOf,
  qualitySettingsSchema,
} from '../../../../../src/domain/survey/quality-settings.ts';
import { surveySettingsOf, surveySettingsSchema } from '../../../../../src/domain/survey/survey-settings.ts';

describe('survey settings', () => {
  it('are complete and valid by default', () => {
    expect(surveySettingsSchema.parse(surveySettingsOf({}))).toEqual(surveySettingsOf({}));
    expect(qualitySettingsSchema.parse(qualitySettingsOf({}))).toEqual(qualitySettingsOf({}));
  });

  it('can be sent back unchanged', () => {
    const all = qualitySettingsOf({ speeder: { ratio: 0.2 }, action: 'screen_out' });
    expect(qualitySettingsOf(changeQualitySettings({}, qualitySettingsChangesSchema.parse(all)))).toEqual(
      all,
    );
  });
});

describe('a change of quality settings', () => {
  const stored = { speeder: { ratio: 0.2, min_seconds: 9 }, action: 'screen_out' };

  it('changes only the given keys of a section', () => {
    expect(changeQualitySettings(stored, { speeder: { ratio: 0.4 } })).toEqual({
      speeder: { ratio: 0.4, min_seconds: 9 },
      action: 'screen_out',
    });
  });

  it('restores defaults with null for a key, a section or all', () => {
    expect(changeQualitySettings(stored, { speeder: { ratio: null } })).toEqual({
      speeder: { min_seconds: 9 },
      action: 'screen_out',
    });
    expect(changeQualitySettings(stored, { speeder: null, action: null })).toEqual({});
    expect(changeQualitySettings(stored, null)).toEqual({});
  });
});
