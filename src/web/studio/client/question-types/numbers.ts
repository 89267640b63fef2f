import { texts } from '../../texts.ts';
import { NUMBER_FILTER, pointsFilter, pointValue } from './filter-sides.ts';
import type {
  AnswerSketch,
  FilterValue,
  QuestionSettings,
  QuestionType,
  StudioQuestionType,
} from './question-type.ts';
import {
  columnsHeightRem,
  NUMBER,
  numberField,
  numberSetting,
  wholeNumberField,
  sketchBox,
  textField,
  textSetting,
} from './shared-parts.ts';

const NUMBERS: readonly QuestionType[] = ['scale', 'nps', 'slider', 'number'];
/** More points are cut off. */
const MAX_POINTS = 21;

const { names } = texts.editor.settings;

interface PointRange {
  min: number;
  max: number;
  step: number;
}

const scaleRange = (settings: QuestionSettings): PointRange => ({
  min: numberSetting(settings, 'min', 1),
  max: numberSetting(settings, 'max', 5),
  step: Math.max(1, numberSetting(settings, 'step', 1)),
});

const NPS_RANGE: PointRange = { min: 0, max: 10, step: 1 };
const { detractors, passives, promoters } = texts.results.npsGroups;
const NPS_GROUPS = [
  { label: detractors, values: ['0', '1', '2', '3', '4', '5', '6'] },
  { label: passives, values: ['7', '8'] },
  { label: promoters, values: ['9', '10'] },
];

const NUMERIC = {
  related: NUMBERS,
  initial: {},
  options: null,
  hasRows: false,
  comparison: { whole: () => NUMBER, parts: null },
  filter: { whole: () => NUMBER_FILTER, parts: null },
  results: { figureOfPoints: null, reservedHeightRem: columnsHeightRem, canSplit: false },
  isSet: false,
} as const;

export const number: StudioQuestionType = {
  ...NUMERIC,
  ...texts.editor.types.number,
  icon: 'M9 4 7 20M17 4l-2 16M4.5 9h16M3.5 15h16',
  settingFields: [
    numberField('min'),
    numberField('max'),
    wholeNumberField('decimals'),
    textField('prefix'),
    textField('suffix'),
  ],
  sketch: (settings) =>
    sketchBox(texts.editor.numberSketch(numberSetting(settings, 'decimals', 0)))(settings),
};

export const scale: StudioQuestionType = {
  ...NUMERIC,
  ...texts.editor.types.scale,
  icon: 'M4 12h16M4 9v6M9.3 10v4M14.6 10v4M20 9v6',
  settingFields: [wholeNumberField('min'), wholeNumberField('max'), wholeNumberField('step')],
  sketch: (settings) => sketchPoints(settings, ['min_label', 'mid_label', 'max_label'], scaleRange(settings)),
  filter: {
    whole: ({ question_settings: settings }) => pointsFilter(listPoints(settings, scaleRange(settings))),
    parts: null,
  },
  results: { ...NUMERIC.results, figureOfPoints: 'scale' },
};

export const nps: StudioQuestionType = {
  ...NUMERIC,
  ...texts.editor.types.nps,
  icon: 'M4 17a8 8 0 1 1 16 0M12 17l4-6',
  initial: { question_text: texts.editor.npsQuestion, question_settings: texts.editor.npsEnds },
  settingFields: [],
  sketch: (settings) => sketchPoints(settings, ['min_label', 'max_label'], NPS_RANGE),
  filter: {
    whole: ({ question_settings: settings }) => pointsFilter(listPoints(settings, NPS_RANGE), NPS_GROUPS),
    parts: null,
  },
  results: { ...NUMERIC.results, figureOfPoints: 'nps', reservedHeightRem: () => 25 },
};

export const slider: StudioQuestionType = {
  ...NUMERIC,
  ...texts.editor.types.slider,
  icon: 'M4 12h6M15 12h5M12.5 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  settingFields: [numberField('min'), numberField('max'), numberField('step'), numberField('start')],
  sketch: (settings) => ({
    kind: 'track',
    lowest: numberSetting(settings, 'min', 0),
    highest: numberSetting(settings, 'max', 100),
  }),
  filter: {
    whole: ({ question_settings: settings }) =>
      pointsFilter(
        listPoints(
          {},
          {
            min: numberSetting(settings, 'min', 0),
            max: numberSetting(settings, 'max', 100),
            step: numberSetting(settings, 'step', 1),
          },
        ),
      ),
    parts: null,
  },
};

/** Rounds to 12 digits, because three steps of 0.1 are 0.30000000000000004. */
function pointsIn({ min, max, step }: PointRange): number[] {
  const count = Math.min(MAX_POINTS, Math.max(0, Math.floor((max - min) / step + 1e-9) + 1));
  return Array.from({ length: count }, (_, index) => Number((min + index * step).toPrecision(12)));
}

/** The points with their labels, such as "5 – Very satisfied". */
function listPoints(settings: QuestionSettings, range: PointRange): FilterValue[] {
  const points = pointsIn(range);
  const labelOf = (point: number, index: number): string => {
    const own = (settings.point_labels as Partial<Record<string, string>> | null | undefined)?.[
      String(point)
    ];
    if (own !== undefined && own !== '') return own;
    if (index === 0) return textSetting(settings, 'min_label');
    if (index === points.length - 1) return textSetting(settings, 'max_label');
    return index * 2 === points.length - 1 ? textSetting(settings, 'mid_label') : '';
  };
  return points.map((point, index) => pointValue(point, labelOf(point, index)));
}

function sketchPoints(
  settings: QuestionSettings,
  labels: readonly ('min_label' | 'mid_label' | 'max_label')[],
  range: PointRange,
): AnswerSketch {
  return {
    kind: 'points',
    points: pointsIn(range),
    labels: labels.map((setting) => ({
      setting,
      name: names[setting],
      text: textSetting(settings, setting),
    })),
  };
}
