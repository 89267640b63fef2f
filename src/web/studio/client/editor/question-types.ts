import { texts } from '../../texts.ts';
import type { QuestionType } from './editor-content.ts';

interface TypeDefinition {
  label: string;
  about: string;
  /** Path of the icon in a box of 24 by 24. */
  icon: string;
  /** Types that the question can become without losing its answers' shape. */
  related: readonly QuestionType[];
  hasOptions: boolean;
  /** Fields of a new question besides its text. */
  initial: Record<string, unknown>;
}

const CHOICES: readonly QuestionType[] = ['single_choice', 'multiple_choice', 'dropdown', 'ranking'];
const NUMBERS: readonly QuestionType[] = ['scale', 'nps', 'slider', 'number'];

const twoOptions = {
  options: [1, 2].map((code) => ({
    option_code: code,
    option_value: String(code),
    option_label: texts.editor.newOption(code),
  })),
};

const label = texts.editor.types;

/** What the editor knows of each type, in the order of the menu. */
export const EDITOR_TYPES: Readonly<Record<QuestionType, TypeDefinition>> = {
  single_choice: {
    ...label.single_choice,
    icon: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
    related: CHOICES,
    hasOptions: true,
    initial: twoOptions,
  },
  multiple_choice: {
    ...label.multiple_choice,
    icon: 'M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Zm2 8 3 3 5-6',
    related: CHOICES,
    hasOptions: true,
    initial: twoOptions,
  },
  text: {
    ...label.text,
    icon: 'M5 6h14M5 10h14M5 14h9M5 18h6',
    related: ['text'],
    hasOptions: false,
    initial: { question_settings: { multiline: true } },
  },
  number: {
    ...label.number,
    icon: 'M9 4 7 20M17 4l-2 16M4.5 9h16M3.5 15h16',
    related: NUMBERS,
    hasOptions: false,
    initial: {},
  },
  scale: {
    ...label.scale,
    icon: 'M4 12h16M4 9v6M9.3 10v4M14.6 10v4M20 9v6',
    related: NUMBERS,
    hasOptions: false,
    initial: {},
  },
  nps: {
    ...label.nps,
    icon: 'M4 17a8 8 0 1 1 16 0M12 17l4-6',
    related: NUMBERS,
    hasOptions: false,
    initial: {},
  },
  matrix: {
    ...label.matrix,
    icon: 'M4 5h16v14H4zM4 10h16M10 5v14M15 5v14',
    related: ['matrix'],
    hasOptions: true,
    initial: {
      options: [texts.editor.newRow(1), texts.editor.newRow(2)],
    },
  },
  dropdown: {
    ...label.dropdown,
    icon: 'M4 7h16v10H4zM13 11l2 2 2-2',
    related: CHOICES,
    hasOptions: true,
    initial: twoOptions,
  },
  ranking: {
    ...label.ranking,
    icon: 'M10 6h10M10 12h10M10 18h10M4 5l1-.5V8M4 11h2l-2 3h2M4 16.5h2v4H4',
    related: CHOICES,
    hasOptions: true,
    initial: twoOptions,
  },
  slider: {
    ...label.slider,
    icon: 'M4 12h6M15 12h5M12.5 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
    related: NUMBERS,
    hasOptions: false,
    initial: {},
  },
  date: {
    ...label.date,
    icon: 'M5 6h14v13H5zM5 10h14M9 4v4M15 4v4',
    related: ['date'],
    hasOptions: false,
    initial: {},
  },
  constant_sum: {
    ...label.constant_sum,
    icon: 'M12 4a8 8 0 1 0 8 8h-8zM15 4.5A8 8 0 0 1 19.5 9H15z',
    related: ['constant_sum'],
    hasOptions: true,
    initial: twoOptions,
  },
  file_upload: {
    ...label.file_upload,
    icon: 'M12 15V4m0 0L8 8m4-4 4 4M5 15v4h14v-4',
    related: ['file_upload'],
    hasOptions: false,
    initial: {},
  },
};

export const EDITOR_TYPE_NAMES = Object.keys(EDITOR_TYPES) as QuestionType[];

/** A field of the settings. `group` is not stored; it sets which control edits the value. */
export type SettingField =
  | { name: string; label: string; hint?: string; control: 'text' | 'number' | 'switch' }
  | {
      name: string;
      label: string;
      hint?: string;
      control: 'select';
      choices: readonly (readonly [string, string])[];
    };

const s = texts.editor.settings;
const text = (name: keyof typeof s.names): SettingField => ({ name, label: s.names[name], control: 'text' });
const number = (name: keyof typeof s.names): SettingField => ({
  name,
  label: s.names[name],
  control: 'number',
});
const toggle = (name: keyof typeof s.names): SettingField => ({
  name,
  label: s.names[name],
  control: 'switch',
});
const select = (name: keyof typeof s.names, choices: Readonly<Record<string, string>>): SettingField => ({
  name,
  label: s.names[name],
  control: 'select',
  choices: Object.entries(choices),
});

const SHUFFLE = select('shuffle', s.shuffle);
const CHOICE_FIELDS = [
  SHUFFLE,
  select('display', s.display),
  number('columns'),
  toggle('searchable'),
  text('other_label'),
];
const ENDS = [text('min_label'), text('max_label')];

/** The settings that the editor offers, by type. The remaining ones keep their values. */
export const SETTING_FIELDS: Readonly<Record<QuestionType, readonly SettingField[]>> = {
  single_choice: CHOICE_FIELDS,
  multiple_choice: [number('min_selections'), number('max_selections'), ...CHOICE_FIELDS],
  dropdown: [text('placeholder'), SHUFFLE],
  ranking: [number('min_ranked'), number('max_ranked'), SHUFFLE],
  text: [
    toggle('multiline'),
    select('format', s.format),
    number('min_length'),
    number('max_length'),
    text('placeholder'),
    text('pattern'),
  ],
  number: [number('min'), number('max'), number('decimals'), text('prefix'), text('suffix')],
  scale: [number('min'), number('max'), number('step'), ...ENDS, text('mid_label')],
  nps: ENDS,
  slider: [number('min'), number('max'), number('step'), number('start')],
  matrix: [select('matrix_type', s.matrixType), toggle('require_all_rows'), toggle('shuffle_rows')],
  date: [select('precision', s.precision), text('min'), text('max')],
  constant_sum: [number('total'), select('total_rule', s.totalRule), text('suffix'), SHUFFLE],
  file_upload: [number('max_files'), number('max_size_mb')],
};
