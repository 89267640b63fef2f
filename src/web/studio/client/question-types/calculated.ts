import { texts } from '../../texts.ts';
import { dateFilter, listFilter, NUMBER_FILTER, TEXT_FILTER } from './filter-sides.ts';
import { DAY_SIDE, TEXT_SIDE } from './open-answers.ts';
import type { ComparedSide, FilterSide, QuestionContent, StudioQuestionType } from './question-type.ts';
import {
  ANSWERED,
  columnsHeightRem,
  expressionField,
  NUMBER,
  selectField,
  textField,
  textSetting,
  wholeNumberField,
} from './shared-parts.ts';

const { calculatedResult } = texts.editor.settings;

type Result = keyof typeof calculatedResult;

const FLAG_SIDE: ComparedSide = {
  operators: ['equals', 'not_equals', ...ANSWERED],
  value: { kind: 'number' },
};

const SIDES: Readonly<Record<Result, ComparedSide>> = {
  number: NUMBER,
  text: TEXT_SIDE,
  boolean: FLAG_SIDE,
  date: DAY_SIDE,
};

const resultOf = ({ question_settings: { result } }: QuestionContent): Result =>
  typeof result === 'string' && result in calculatedResult ? (result as Result) : 'number';

function filterOf(question: QuestionContent): FilterSide {
  const { question_settings: settings } = question;
  switch (resultOf(question)) {
    case 'number':
      return NUMBER_FILTER;
    case 'text':
      return TEXT_FILTER;
    case 'date':
      return dateFilter('date');
    case 'boolean': {
      const values = [
        { value: '1', label: textSetting(settings, 'yes_label') || texts.responses.yes },
        { value: '0', label: textSetting(settings, 'no_label') || texts.responses.no },
      ];
      return listFilter(values, ['in', 'not_in', ...ANSWERED]);
    }
  }
}

export const calculated: StudioQuestionType = {
  ...texts.editor.types.calculated,
  isCalculated: true,
  icon: 'M6 4h12v16H6zM9 8h6M9 12h.01M12 12h.01M15 12h.01M9 16h.01M12 16h.01M15 16h.01',
  related: ['calculated'],
  initial: { question_required: false },
  settingFields: [
    expressionField('expression'),
    selectField('result', calculatedResult),
    wholeNumberField('decimals'),
    textField('prefix'),
    textField('suffix'),
    textField('yes_label'),
    textField('no_label'),
  ],
  options: null,
  hasRows: false,
  sketch: (settings) => ({
    kind: 'box',
    before: textSetting(settings, 'prefix'),
    placeholder: textSetting(settings, 'expression') || texts.editor.types.calculated.label,
    after: textSetting(settings, 'suffix'),
    isTall: false,
  }),
  comparison: { whole: (question) => SIDES[resultOf(question)], parts: null },
  filter: { whole: filterOf, parts: null },
  results: { figureOfPoints: null, reservedHeightRem: columnsHeightRem, canSplit: true },
  isSet: false,
};
