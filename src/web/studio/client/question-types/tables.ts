import { texts } from '../../texts.ts';
import {
  NUMBER_FILTER,
  oneChoiceFilter,
  ONLY_ANSWERED_FILTER,
  severalChoicesFilter,
} from './filter-sides.ts';
import type { QuestionContent, StudioQuestionType } from './question-type.ts';
import {
  barsHeightRem,
  MEASURE_FIELD,
  NUMBER,
  numberField,
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

export interface MatrixRow {
  row_code: string;
  row_label: string;
  row_other?: boolean;
}

/** The rows of a question whose settings have them. */
export const rowsOf = ({ question_settings: { rows } }: QuestionContent): readonly MatrixRow[] =>
  Array.isArray(rows) ? (rows as MatrixRow[]) : [];

/** Height of a card with a stacked bar for each row. */
export const matrixHeightRem = ({
  question_settings: { rows },
}: Pick<QuestionContent, 'question_settings'>): number => 8 + 4.25 * (Array.isArray(rows) ? rows.length : 0);

export const matrix: StudioQuestionType = {
  ...texts.editor.types.matrix,
  icon: 'M4 5h16v14H4zM4 10h16M10 5v14M15 5v14',
  related: ['matrix'],
  // Without rows in the settings, the API takes the options as rows and adds five columns.
  initial: { options: [texts.editor.newRow(1), texts.editor.newRow(2)] },
  settingFields: [
    selectField('matrix_type', texts.editor.settings.matrixType),
    switchField('require_all_rows'),
    switchField('shuffle_rows'),
    MEASURE_FIELD,
  ],
  options: {
    texts: {
      title: texts.editor.columns,
      item: texts.editor.column,
      actions: texts.editor.columnActions,
      add: texts.editor.addColumn,
    },
    hasTitle: true,
    mark: 'plain',
    flags: [],
    hasImages: false,
    hasLogic: true,
  },
  hasRows: true,
  sketch: null,
  comparison: {
    whole: () => ONLY_ANSWERED,
    parts: {
      label: texts.editor.logic.row,
      list: (question) => rowsOf(question).map(({ row_code: code, row_label: label }) => ({ code, label })),
      side: ({ question_settings: { matrix_type: type } }) =>
        type === 'multiple' ? SEVERAL_CHOICES : ONE_CHOICE,
    },
  },
  filter: {
    whole: () => ONLY_ANSWERED_FILTER,
    parts: {
      label: texts.editor.logic.row,
      list: (question) =>
        rowsOf(question).map(({ row_code: part, row_label: label }) => ({
          code: question.question_code,
          part,
          label,
        })),
      side: (question) =>
        question.question_settings.matrix_type === 'multiple'
          ? severalChoicesFilter(question)
          : oneChoiceFilter(question),
    },
  },
  results: { figureOfPoints: null, reservedHeightRem: matrixHeightRem, canSplit: false },
  isSet: false,
};

export const constantSum: StudioQuestionType = {
  ...texts.editor.types.constant_sum,
  icon: 'M12 4a8 8 0 1 0 8 8h-8zM15 4.5A8 8 0 0 1 19.5 9H15z',
  related: ['constant_sum'],
  initial: TWO_OPTIONS,
  settingFields: [
    numberField('total'),
    selectField('total_rule', texts.editor.settings.totalRule),
    textField('suffix'),
    SHUFFLE_FIELD,
  ],
  options: {
    texts: OPTION_TEXTS,
    hasTitle: false,
    mark: 'plain',
    flags: [],
    hasImages: true,
    hasLogic: true,
  },
  hasRows: false,
  sketch: null,
  comparison: {
    whole: () => ONLY_ANSWERED,
    parts: {
      label: texts.editor.logic.item,
      list: ({ options }) =>
        options.map(({ option_code: code, option_label: label }) => ({ code: String(code), label })),
      side: () => NUMBER,
    },
  },
  filter: {
    whole: () => ONLY_ANSWERED_FILTER,
    parts: {
      label: texts.editor.logic.item,
      list: ({ question_code: question, options }) =>
        options.map(({ option_code: code, option_label: label }) => ({
          code: question,
          part: String(code),
          label,
        })),
      side: () => NUMBER_FILTER,
    },
  },
  results: { figureOfPoints: null, reservedHeightRem: barsHeightRem, canSplit: false },
  isSet: false,
};
