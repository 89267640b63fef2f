import { texts } from '../../texts.ts';
import { dateFilter, ONLY_ANSWERED_FILTER, TEXT_FILTER } from './filter-sides.ts';
import type { ComparedSide, QuestionContent, StudioQuestionType } from './question-type.ts';
import {
  ANSWERED,
  columnsHeightRem,
  wholeNumberField,
  ONLY_ANSWERED,
  selectField,
  sketchBox,
  switchField,
  textField,
} from './shared-parts.ts';

const OPEN = {
  options: null,
  hasRows: false,
  results: { figureOfPoints: null, reservedHeightRem: columnsHeightRem, canSplit: false },
  isSet: false,
} as const;

export const TEXT_SIDE: ComparedSide = {
  operators: ['contains', 'not_contains', 'equals', 'not_equals', 'starts_with', 'ends_with', ...ANSWERED],
  value: { kind: 'text', inputType: 'text' },
};

/** Answers that a card lists at first. */
export const FIRST_ANSWERS = 10;

/** Height of a card with open answers: not more than there are responses, and some respondents give none. */
const textsHeightRem = (_: unknown, responses: number): number =>
  11 + 1.6 * Math.min(FIRST_ANSWERS, responses);

export const text: StudioQuestionType = {
  ...OPEN,
  ...texts.editor.types.text,
  icon: 'M5 6h14M5 10h14M5 14h9M5 18h6',
  related: ['text'],
  initial: { question_settings: { multiline: true } },
  settingFields: [
    switchField('multiline'),
    selectField('format', texts.editor.settings.format),
    wholeNumberField('min_length'),
    wholeNumberField('max_length'),
    textField('placeholder'),
    textField('pattern'),
  ],
  sketch: sketchBox(texts.editor.types.text.label),
  comparison: { whole: () => TEXT_SIDE, parts: null },
  filter: { whole: () => TEXT_FILTER, parts: null },
  results: { ...OPEN.results, reservedHeightRem: textsHeightRem },
};

/** Browsers have a control for these precisions; a year, and a day with a time, are typed. */
const DATE_INPUTS = new Map<unknown, 'date' | 'time' | 'month'>([
  ['date', 'date'],
  ['time', 'time'],
  ['month', 'month'],
]);

const DATE_PRECISIONS = ['date', 'datetime', 'time', 'month', 'year'] as const;

const dateSide = ({ question_settings: { precision } }: QuestionContent): ComparedSide => ({
  operators: ['after', 'before', 'equals', 'not_equals', 'between', ...ANSWERED],
  value: { kind: 'text', inputType: DATE_INPUTS.get(precision) ?? 'text' },
});

export const DAY_SIDE = dateSide({
  question_type: 'date',
  question_settings: { precision: 'date' },
  options: [],
});

export const date: StudioQuestionType = {
  ...OPEN,
  ...texts.editor.types.date,
  icon: 'M5 6h14v13H5zM5 10h14M9 4v4M15 4v4',
  related: ['date'],
  initial: {},
  settingFields: [
    selectField('precision', texts.editor.settings.precision),
    textField('min'),
    textField('max'),
  ],
  sketch: sketchBox(texts.editor.types.date.label),
  comparison: { whole: dateSide, parts: null },
  filter: {
    whole: ({ question_settings: { precision } }) =>
      dateFilter(DATE_PRECISIONS.find((each) => each === precision) ?? 'date'),
    parts: null,
  },
};

export const fileUpload: StudioQuestionType = {
  ...OPEN,
  ...texts.editor.types.file_upload,
  icon: 'M12 15V4m0 0L8 8m4-4 4 4M5 15v4h14v-4',
  related: ['file_upload'],
  initial: {},
  settingFields: [wholeNumberField('max_files'), wholeNumberField('max_size_mb')],
  sketch: sketchBox(texts.editor.types.file_upload.label),
  comparison: { whole: () => ONLY_ANSWERED, parts: null },
  filter: { whole: () => ONLY_ANSWERED_FILTER, parts: null },
};

export const statement: StudioQuestionType = {
  ...OPEN,
  ...texts.editor.types.statement,
  isReadOnly: true,
  icon: 'M5 7h14M5 12h14M5 17h8',
  related: ['statement'],
  initial: { question_required: false },
  settingFields: [wholeNumberField('min_seconds')],
  sketch: null,
  comparison: { whole: () => ONLY_ANSWERED, parts: null },
  filter: { whole: () => ONLY_ANSWERED_FILTER, parts: null },
};
