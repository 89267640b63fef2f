import type { ComponentChildren } from 'preact';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SelectField, SwitchField, TextAreaField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { useState } from 'preact/hooks';
import { privacyTexts, surveySettingsTexts as t } from '../../texts/survey-settings.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import { PreviousSurveyField } from './previous-survey-field.tsx';
import { PrivacyFields, privacySettingsOf } from './privacy-fields.tsx';
import { ImageUpload } from './image-upload.tsx';

type Survey = Schema<'SurveyWithPages'>;

/** How a setting is entered. */
type Control = 'line' | 'text' | 'image' | 'number';

/** The settings of each group of the dialog, besides the controls that only one setting has. */
const GROUPS = {
  layout: [],
  look: [
    ['background_color', 'line'],
    ['logo', 'image'],
    ['logo_alt', 'line'],
    ['imprint_url', 'line'],
    ['privacy_url', 'line'],
  ],
  welcome: [
    ['welcome_title', 'line'],
    ['welcome_text', 'text'],
    ['welcome_image', 'image'],
    ['welcome_image_alt', 'line'],
    ['welcome_minutes', 'number'],
    ['welcome_button', 'line'],
    ['consent_text', 'text'],
  ],
  end: [
    ['end_title', 'line'],
    ['completion_message', 'text'],
    ['end_image', 'image'],
    ['end_image_alt', 'line'],
    ['end_button', 'line'],
    ['end_url', 'line'],
    ['redirect_url', 'line'],
  ],
  otherEnds: [
    ['screened_out_message', 'text'],
    ['over_quota_message', 'text'],
    ['closed_message', 'text'],
  ],
  sharing: [
    ['icon', 'image'],
    ['share_description', 'line'],
    ['share_image', 'image'],
  ],
} as const satisfies Record<string, readonly (readonly [string, Control])[]>;
type Group = keyof typeof GROUPS;
type GroupSetting = (typeof GROUPS)[Group][number];
const GROUP_NAMES = Object.keys(GROUPS) as Group[];
const GROUP_SETTINGS: readonly GroupSetting[] = Object.values(GROUPS).flat();

/** Languages of the world by their code, in the language of the studio. */
const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** The default language and further ones, as pairs of code and name. */
const languageOptions = (codes: readonly string[]) =>
  codes.map((code) => [code, `${languageNames.of(code) ?? code} (${code})`] as const);

/** The color of the design system. */
const DEFAULT_COLOR = '#4f46e5';

/** Changes the text of another field of the form. */
function writeField(
  { form }: HTMLInputElement | HTMLSelectElement,
  name: string,
  change: (text: string) => string,
): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = change(field.value);
}

function addLanguage({ currentTarget: list }: { currentTarget: HTMLSelectElement }): void {
  const { value: code } = list;
  if (code !== '')
    writeField(list, 'survey_settings.languages', (text) =>
      [...new Set([...splitNames(text), code])].join(', '),
    );
  list.value = '';
}

/** Language codes, or names of values, separated by commas or spaces. */
const splitNames = (text: string): string[] => text.split(/[\s,;]+/).filter((code) => code !== '');

/** Name, description, languages, look and messages of a survey. */
export function SurveySettingsDialog({ survey, onClose }: { survey: Survey; onClose: () => void }) {
  const settings = survey.survey_settings;
  const [showsProgress, setShowsProgress] = useState(settings.show_progress);
  const [showsNumber, setShowsNumber] = useState(settings.show_page_number);
  const [allowsBack, setAllowsBack] = useState(settings.allow_back);
  const save = async (values: ReadonlyMap<string, string>) => {
    const textOf = (name: string): string => values.get(name)?.trim() ?? '';
    const orNull = (name: string): string | null => (textOf(name) === '' ? null : textOf(name));
    await changeApi('put', '/api/surveys/{id}', {
      path: { id: survey.survey_id },
      body: {
        survey_name: textOf('survey_name'),
        survey_description: orNull('survey_description'),
        survey_settings: {
          default_language: textOf('survey_settings.default_language'),
          languages: [
            ...new Set([
              textOf('survey_settings.default_language'),
              ...splitNames(textOf('survey_settings.languages')),
            ]),
          ],
          color: orNull('survey_settings.color'),
          typeface: choiceOf(textOf('survey_settings.typeface'), t.typefaces),
          made_with_canvass: readMadeWith(textOf('survey_settings.made_with_canvass')),
          layout: textOf('survey_settings.layout') === 'one_question' ? 'one_question' : 'pages',
          show_progress: showsProgress,
          show_page_number: showsNumber,
          allow_back: allowsBack,
          hidden_values: [...new Set(splitNames(textOf('survey_settings.hidden_values')))],
          previous_survey_id: Number(textOf('survey_settings.previous_survey_id')) || null,
          ...privacySettingsOf(values),
          title: orNull('survey_settings.title'),
          ...Object.fromEntries(
            GROUP_SETTINGS.map(([name, control]) => {
              const text = orNull(`survey_settings.${name}`);
              // What is no number is sent as it is, so that the API says what would be one.
              const isNumber = control === 'number' && text !== null && /^\d+$/.test(text);
              return [name, isNumber ? Number(text) : text];
            }),
          ),
        },
      },
    });
    await reloadQueries('/api/surveys');
    onClose();
    announce(t.saved);
  };
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form submit={t.save} onSubmit={save} otherButtons={<CancelButton onClose={onClose} />}>
        <Field name="survey_name" label={t.name} hint={t.nameHint} value={survey.survey_name} />
        <Field
          name="survey_settings.title"
          label={t.respondentTitle}
          hint={t.respondentTitleHint}
          value={settings.title ?? ''}
        />
        <TextAreaField
          name="survey_description"
          label={t.description}
          hint={t.descriptionHint}
          value={survey.survey_description ?? ''}
        />
        <SelectField
          name="survey_settings.default_language"
          label={t.defaultLanguage}
          value={settings.default_language}
          options={languageOptions([
            ...new Set([settings.default_language, ...settings.languages, ...t.commonLanguages]),
          ])}
        />
        <Field
          name="survey_settings.languages"
          label={t.languages}
          hint={t.languagesHint}
          value={settings.languages.filter((code) => code !== settings.default_language).join(', ')}
        />
        <select class="field" aria-label={t.addLanguage} value="" onChange={addLanguage}>
          <option value="">{t.addLanguage}</option>
          {languageOptions(t.commonLanguages).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
        {GROUP_NAMES.map((group) => (
          <SettingsGroup key={group} title={t.groups[group]}>
            {group === 'layout' && (
              <>
                <SelectField
                  name="survey_settings.layout"
                  label={t.layout}
                  hint={t.layoutHint}
                  value={settings.layout}
                  options={Object.entries(t.layouts)}
                />
                <SwitchField
                  name="shows_progress"
                  label={t.showProgress}
                  checked={showsProgress}
                  onChange={setShowsProgress}
                />
                <SwitchField
                  name="shows_number"
                  label={t.showPageNumber}
                  checked={showsNumber}
                  onChange={setShowsNumber}
                />
                <SwitchField
                  name="allows_back"
                  label={t.allowBack}
                  checked={allowsBack}
                  onChange={setAllowsBack}
                />
              </>
            )}
            {group === 'look' && <LookChoices settings={settings} />}
            {GROUPS[group].map(([name, control]) => (
              <GroupField key={name} survey={survey} name={name} control={control} />
            ))}
          </SettingsGroup>
        ))}
        <SettingsGroup title={t.dataGroup}>
          <Field
            name="survey_settings.hidden_values"
            label={t.hiddenValues}
            hint={t.hiddenValuesHint}
            value={settings.hidden_values.join(', ')}
          />
          <PreviousSurveyField survey={survey} />
        </SettingsGroup>
        <SettingsGroup title={privacyTexts.title}>
          <PrivacyFields survey={survey} />
        </SettingsGroup>
      </Form>
    </Dialog>
  );
}

function SettingsGroup({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details class="settings-group">
      <summary>{title}</summary>
      <div class="settings-group-fields">{children}</div>
    </details>
  );
}

/** Returns the chosen value; null: as in the workspace. */
const choiceOf = <T extends string>(value: string, choices: Readonly<Record<T, string>>): T | null =>
  value in choices ? (value as T) : null;

const readMadeWith = (value: string): boolean | null => (value === '' ? null : value === 'true');

/** The settings of the look that are chosen from a list. */
function LookChoices({ settings }: { settings: Survey['survey_settings'] }) {
  return (
    <>
      <div class="color-field">
        <Field name="survey_settings.color" label={t.color} hint={t.colorHint} value={settings.color ?? ''} />
        <input
          type="color"
          aria-label={t.pickColor}
          defaultValue={settings.color ?? DEFAULT_COLOR}
          onInput={({ currentTarget: picker }) =>
            writeField(picker, 'survey_settings.color', () => picker.value)
          }
        />
      </div>
      <SelectField
        name="survey_settings.typeface"
        label={t.typeface}
        value={settings.typeface ?? ''}
        options={[['', t.asInWorkspace], ...Object.entries(t.typefaces)]}
      />
      <SelectField
        name="survey_settings.made_with_canvass"
        label={t.madeWith}
        value={String(settings.made_with_canvass ?? '')}
        options={[
          ['', t.asInWorkspace],
          ['true', t.shown],
          ['false', t.notShown],
        ]}
      />
    </>
  );
}

function GroupField({
  survey,
  name,
  control,
}: {
  survey: Survey;
  name: GroupSetting[0];
  control: GroupSetting[1];
}): ComponentChildren {
  const value = survey.survey_settings[name];
  const field = {
    name: `survey_settings.${name}`,
    label: t.groupLabels[name],
    hint: t.groupHints[name],
    value: value === null ? '' : String(value),
  };
  if (control === 'text') return <TextAreaField {...field} />;
  if (control === 'image') return <ImageField {...field} surveyId={survey.survey_id} />;
  return <Field {...field} {...(control === 'number' ? { inputMode: 'numeric' } : {})} />;
}

/** The address of an image, and a button that uploads one. */
function ImageField({
  surveyId,
  ...field
}: {
  surveyId: number;
  name: string;
  label: string;
  hint: string;
  value: string;
}) {
  const [uploaded, setUploaded] = useState(field.value);
  return (
    <div class="image-setting">
      <Field key={uploaded} {...field} value={uploaded} />
      <ImageUpload surveyId={surveyId} label={field.label} onUploaded={setUploaded} />
    </div>
  );
}
