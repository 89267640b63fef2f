import { CheckField, Field, SelectField } from '../../../shared/client/fields.tsx';
import type { Schema } from '../data/api.ts';
import { parseCount } from '../collect/field-values.ts';
import { privacyTexts as t } from '../../texts/survey-settings.ts';

type Survey = Schema<'SurveyWithPages'>;

/** What responses keep of respondents, what viewers see, and the time zone. */
export function PrivacyFields({ survey: { survey_settings: settings } }: { survey: Survey }) {
  return (
    <>
      <CheckField name="survey_settings.anonymous" label={t.anonymous} checked={settings.anonymous} />
      <p class="hint">{t.anonymousAbout}</p>
      <CheckField
        name="survey_settings.confidential"
        label={t.confidential}
        checked={settings.confidential}
      />
      <p class="hint">{t.confidentialAbout}</p>
      <Field
        name="survey_settings.min_base"
        label={t.minBase}
        hint={t.minBaseHint}
        inputMode="numeric"
        value={String(settings.min_base)}
      />
      <SelectField
        name="survey_settings.timezone"
        label={t.timezone}
        value={settings.timezone}
        options={listTimeZones(settings.timezone).map((zone): [string, string] => [
          zone,
          zone.replaceAll('_', ' '),
        ])}
      />
      <p class="hint">{t.timezoneAbout}</p>
      <Field
        name="survey_settings.sender_name"
        label={t.senderName}
        hint={t.senderNameHint}
        value={settings.sender_name ?? ''}
      />
    </>
  );
}

const listTimeZones = (current: string): string[] => [
  ...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')]),
];

/** Returns the settings of these fields. Throws the problem of a number. */
export const privacySettingsOf = (values: ReadonlyMap<string, string>) => ({
  anonymous: values.has('survey_settings.anonymous'),
  confidential: values.has('survey_settings.confidential'),
  min_base: parseCount(values, 'survey_settings.min_base'),
  timezone: values.get('survey_settings.timezone') ?? null,
  sender_name: values.get('survey_settings.sender_name')?.trim() || null,
});
