import { texts } from '../../texts.ts';
import { formatOptionCode } from '../../../../domain/questions/answers/codec.ts';
import {
  oneChoiceFilter,
  ONLY_ANSWERED_FILTER,
  pointsFilter,
  pointValue,
  severalChoicesFilter,
} from './filter-sides.ts';
import { OPTION_FLAGS, type QuestionType, type StudioQuestionType } from './question-type.ts';
import {
  barsHeightRem,
  MEASURE_FIELD,
  wholeNumberField,
  ONE_CHOICE,
  ONLY_ANSWERED,
  OPTION_TEXTS,
  selectField,
  SEVERAL_CHOICES,
  SHUFFLE_FIELD,
  switchField,
  textField,
  TWO_OPTIONS,
} from './shared-parts.ts';

const CHOICES: readonly QuestionType[] = ['single_choice', 'multiple_choice', 'dropdown', 'ranking'];

const LIST_FIELDS = [
  SHUFFLE_FIELD,
  selectField('display', texts.editor.settings.display),
  wholeNumberField('columns'),
  switchField('searchable'),
  textField('other_label'),
];

const CHOICE = {
  related: CHOICES,
  initial: TWO_OPTIONS,
  hasRows: false,
  sketch: null,
  comparison: { whole: () => ONE_CHOICE, parts: null },
  filter: { whole: oneChoiceFilter, parts: null },
  results: { figureOfPoints: null, reservedHeightRem: barsHeightRem, canSplit: true },
  isSet: false,
} as const;

const LIST_OPTIONS = { texts: OPTION_TEXTS, hasTitle: false, hasImages: true, hasLogic: true } as const;

export const singleChoice: StudioQuestionType = {
  ...CHOICE,
  ...texts.editor.types.single_choice,
  icon: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  settingFields: [...LIST_FIELDS, MEASURE_FIELD],
  options: { ...LIST_OPTIONS, mark: 'radio', flags: ['option_other', 'option_missing', 'option_anchor'] },
};

export const multipleChoice: StudioQuestionType = {
  ...CHOICE,
  ...texts.editor.types.multiple_choice,
  icon: 'M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Zm2 8 3 3 5-6',
  settingFields: [wholeNumberField('min_selections'), wholeNumberField('max_selections'), ...LIST_FIELDS],
  options: { ...LIST_OPTIONS, mark: 'box', flags: OPTION_FLAGS },
  comparison: { whole: () => SEVERAL_CHOICES, parts: null },
  filter: { whole: severalChoicesFilter, parts: null },
  isSet: true,
};

export const dropdown: StudioQuestionType = {
  ...CHOICE,
  ...texts.editor.types.dropdown,
  icon: 'M4 7h16v10H4zM13 11l2 2 2-2',
  settingFields: [textField('placeholder'), SHUFFLE_FIELD, MEASURE_FIELD],
  options: {
    ...LIST_OPTIONS,
    mark: 'plain',
    flags: ['option_other', 'option_missing', 'option_anchor'],
    hasImages: false,
  },
};

export const ranking: StudioQuestionType = {
  ...CHOICE,
  ...texts.editor.types.ranking,
  icon: 'M10 6h10M10 12h10M10 18h10M4 5l1-.5V8M4 11h2l-2 3h2M4 16.5h2v4H4',
  settingFields: [wholeNumberField('min_ranked'), wholeNumberField('max_ranked'), SHUFFLE_FIELD],
  options: {
    ...LIST_OPTIONS,
    mark: 'plain',
    flags: ['option_missing', 'option_anchor'],
    hasImages: false,
  },
  comparison: { whole: () => ONLY_ANSWERED, parts: null },
  filter: {
    whole: () => ONLY_ANSWERED_FILTER,
    parts: {
      label: texts.filters.rankOf,
      list: ({ question_code: question, options }) =>
        options.map(({ option_code: code, option_label: label }) => ({
          code: `${question}_${formatOptionCode(code)}`,
          part: null,
          label,
        })),
      side: ({ options }) => pointsFilter(options.map((_, index) => pointValue(index + 1))),
    },
  },
  results: { ...CHOICE.results, canSplit: false },
};
