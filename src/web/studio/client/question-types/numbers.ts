import { texts } from '../../texts.ts';
import type { AnswerSketch, QuestionSettings, QuestionType, StudioQuestionType } from './question-type.ts';
import {
  columnsHeightRem,
  NUMBER,
  numberField,
  numberSetting,
  sketchBox,
  textField,
  textSetting,
} from './shared-parts.ts';

const NUMBERS: readonly QuestionType[] = ['scale', 'nps', 'slider', 'number'];
/** More points are cut off in the sketch. */
const MAX_POINTS = 21;

const { names } = texts.editor.settings;

const NUMERIC = {
  related: NUMBERS,
  initial: {},
  options: null,
  hasRows: false,
  comparison: { whole: () => NUMBER, parts: null },
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
    numberField('decimals'),
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
  settingFields: [numberField('min'), numberField('max'), numberField('step')],
  sketch: (settings) =>
    sketchPoints(settings, ['min_label', 'mid_label', 'max_label'], {
      min: numberSetting(settings, 'min', 1),
      max: numberSetting(settings, 'max', 5),
      step: Math.max(1, numberSetting(settings, 'step', 1)),
    }),
  results: { ...NUMERIC.results, figureOfPoints: 'scale' },
};

export const nps: StudioQuestionType = {
  ...NUMERIC,
  ...texts.editor.types.nps,
  icon: 'M4 17a8 8 0 1 1 16 0M12 17l4-6',
  initial: { question_text: texts.editor.npsQuestion, question_settings: texts.editor.npsEnds },
  settingFields: [],
  sketch: (settings) => sketchPoints(settings, ['min_label', 'max_label'], { min: 0, max: 10, step: 1 }),
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
};

function sketchPoints(
  settings: QuestionSettings,
  labels: readonly ('min_label' | 'mid_label' | 'max_label')[],
  { min, max, step }: { min: number; max: number; step: number },
): AnswerSketch {
  const count = Math.min(MAX_POINTS, Math.max(0, Math.floor((max - min) / step) + 1));
  return {
    kind: 'points',
    points: Array.from({ length: count }, (_, index) => min + index * step),
    labels: labels.map((setting) => ({
      setting,
      name: names[setting],
      text: textSetting(settings, setting),
    })),
  };
}
