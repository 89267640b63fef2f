import { texts } from '../../texts.ts';
import type {
  AnswerSketch,
  ComparedSide,
  LabelListTexts,
  Operator,
  QuestionSettings,
  SettingField,
} from './question-type.ts';

const settingTexts = texts.editor.settings;
type SettingName = keyof typeof settingTexts.names;

export const textField = (name: SettingName): SettingField => ({
  name,
  label: settingTexts.names[name],
  control: 'text',
});
export const expressionField = (name: SettingName): SettingField => ({
  name,
  label: settingTexts.names[name],
  control: 'expression',
});
export const numberField = (name: SettingName): SettingField => ({
  name,
  label: settingTexts.names[name],
  control: 'number',
});
export const wholeNumberField = (name: SettingName): SettingField => ({
  name,
  label: settingTexts.names[name],
  control: 'number',
  isWhole: true,
});
export const switchField = (name: SettingName): SettingField => ({
  name,
  label: settingTexts.names[name],
  control: 'switch',
});
export const selectField = (name: SettingName, choices: Readonly<Record<string, string>>): SettingField => ({
  name,
  label: settingTexts.names[name],
  control: 'select',
  choices: Object.entries(choices),
});

export const SHUFFLE_FIELD = selectField('shuffle', settingTexts.shuffle);

/** What figures can say of the answers. */
export const MEASURE_FIELD = selectField('measure', settingTexts.measure);

export const OPTION_TEXTS: LabelListTexts = {
  title: texts.editor.options,
  item: texts.editor.option,
  actions: texts.editor.optionActions,
  add: texts.editor.addOption,
};

/** Two options, whose values stay when their labels change. */
export const TWO_OPTIONS = {
  options: [1, 2].map((code) => ({
    option_code: code,
    option_value: String(code),
    option_label: texts.editor.newOption(code),
  })),
};

export const ANSWERED: readonly Operator[] = ['answered', 'not_answered'];

/** Whether there is an answer, and nothing else. */
export const ONLY_ANSWERED: ComparedSide = {
  operators: ANSWERED,
  value: { kind: 'text', inputType: 'text' },
};
export const ONE_CHOICE: ComparedSide = {
  operators: ['in', 'not_in', ...ANSWERED],
  value: { kind: 'options' },
};
export const SEVERAL_CHOICES: ComparedSide = {
  operators: ['includes_any', 'includes_all', 'includes_none', ...ANSWERED],
  value: { kind: 'options' },
};
export const NUMBER: ComparedSide = {
  operators: ['equals', 'not_equals', 'gte', 'lte', 'gt', 'lt', 'between', ...ANSWERED],
  value: { kind: 'number' },
};

const HEAD_REM = 6.25;
const BAR_REM = 2.15;

/** Height of a card with a bar for each option. */
export const barsHeightRem = ({ options }: { options: readonly unknown[] }): number =>
  HEAD_REM + BAR_REM * options.length;
/** Height of a card with columns. */
export const columnsHeightRem = (): number => 19;

export const textSetting = (settings: QuestionSettings, name: string): string => {
  const value = settings[name];
  return typeof value === 'string' ? value : '';
};
export const numberSetting = (settings: QuestionSettings, name: string, fallback: number): number => {
  const value = settings[name];
  return typeof value === 'number' ? value : fallback;
};

/** A box to type in, with the texts around it. */
export const sketchBox =
  (placeholder: string) =>
  (settings: QuestionSettings): AnswerSketch => ({
    kind: 'box',
    before: textSetting(settings, 'prefix'),
    placeholder: textSetting(settings, 'placeholder') || placeholder,
    after: textSetting(settings, 'suffix'),
    isTall: settings.multiline === true,
  });
