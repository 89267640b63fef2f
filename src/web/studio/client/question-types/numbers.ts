import { texts } from '../../texts.ts';
import { NUMBER_FILTER, pointsFilter, pointValue } from './filter-sides.ts';
import type {
  AnswerSketch,
  FilterValue,
  QuestionContent,
  QuestionSettings,
  QuestionType,
  ScalePoint,
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
const MAX_POINTS = 22;

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

const sliderRange = (settings: QuestionSettings): PointRange => ({
  min: numberSetting(settings, 'min', 0),
  max: numberSetting(settings, 'max', 100),
  step: numberSetting(settings, 'step', 1),
});

const NPS_RANGE: PointRange = { min: 0, max: 10, step: 1 };
const { detractors, passives, promoters } = texts.results.npsGroups;
const NPS_GROUPS = [
  { label: detractors, values: ['0', '1', '2', '3', '4', '5', '6'] },
  { label: passives, values: ['7', '8'] },
  { label: promoters, values: ['9', '10'] },
];

/** Longer scales are edited by their ends. */
export const MAX_EDITED_POINTS = 11;

const NUMERIC = {
  related: NUMBERS,
  initial: {},
  options: null,
  hasRows: false,
  comparison: { whole: () => NUMBER, parts: null },
  filter: { whole: () => NUMBER_FILTER, parts: null },
  results: { figureOfPoints: null, reservedHeightRem: columnsHeightRem, canSplit: true },
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
  sketch: (settings) =>
    pointsIn(scaleRange(settings)).length > MAX_EDITED_POINTS
      ? sketchPoints(settings, ['min_label', 'mid_label', 'max_label'], scaleRange(settings))
      : { kind: 'scale', points: labeledPoints(settings, scaleRange(settings)) },
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
    whole: ({ question_settings: settings }) => pointsFilter(listPoints({}, sliderRange(settings))),
    parts: null,
  },
};

/** Rounds to 12 digits, because three steps of 0.1 are 0.30000000000000004. */
function pointsIn({ min, max, step }: PointRange): number[] {
  const count = Math.min(MAX_POINTS, Math.max(0, Math.floor((max - min) / step + 1e-9) + 1));
  return Array.from({ length: count }, (_, index) => Number((min + index * step).toPrecision(12)));
}

type Anchor = 'min_label' | 'mid_label' | 'max_label';

/** The setting that names a point of `count` which has no label of its own. */
const anchorAt = (index: number, count: number): Anchor | null =>
  index === 0
    ? 'min_label'
    : index === count - 1
      ? 'max_label'
      : index * 2 === count - 1
        ? 'mid_label'
        : null;

type PointLabels = Readonly<Record<string, string>>;
const pointLabelsOf = ({ point_labels: labels }: QuestionSettings): PointLabels =>
  typeof labels === 'object' && labels !== null ? (labels as PointLabels) : {};

/** The points with the labels that respondents read. */
function labeledPoints(settings: QuestionSettings, range: PointRange): ScalePoint[] {
  const own = pointLabelsOf(settings);
  const points = pointsIn(range);
  return points.map((point, index) => {
    const anchor = anchorAt(index, points.length);
    return { point, label: own[point] || (anchor === null ? '' : textSetting(settings, anchor)) };
  });
}

/** The points of a scale, an NPS question or a slider; more than can be listed are cut off. */
export function scaleOf({ question_type: type, question_settings: settings }: QuestionContent): ScalePoint[] {
  if (type === 'nps') return labeledPoints(settings, NPS_RANGE);
  return type === 'slider'
    ? labeledPoints({}, sliderRange(settings))
    : labeledPoints(settings, scaleRange(settings));
}

/** The settings of a scale with these points, which follow each other. */
export function scaleSettings(points: readonly ScalePoint[]): Record<string, unknown> {
  const [first, second] = points;
  const labels = points.filter(({ label }) => label !== '');
  const min = first?.point ?? 1;
  const hasInner = points.some(({ label }, index) => label !== '' && anchorAt(index, points.length) === null);
  const labelAt = (anchor: Anchor) =>
    points.find((_, index) => anchorAt(index, points.length) === anchor)?.label || null;
  return {
    min,
    max: points.at(-1)?.point ?? 5,
    step: Math.max(1, (second?.point ?? min + 1) - min),
    min_label: hasInner ? null : labelAt('min_label'),
    mid_label: hasInner ? null : labelAt('mid_label'),
    max_label: hasInner ? null : labelAt('max_label'),
    point_labels: hasInner ? Object.fromEntries(labels.map(({ point, label }) => [point, label])) : null,
  };
}

/**
 * The change of settings that labels a point. A label stays in the setting that has it, where its translations are; the first, the
 * middle and the last point have separate settings.
 */
export function labelPoint(
  settings: QuestionSettings,
  index: number,
  label: string,
): Record<string, unknown> {
  const points = pointsIn(scaleRange(settings));
  const point = String(points[index]);
  const own = pointLabelsOf(settings);
  const anchor = anchorAt(index, points.length);
  if (anchor !== null && !own[point]) return { [anchor]: label === '' ? null : label };
  const others = Object.entries(own).filter(([each]) => each !== point);
  const changed = Object.fromEntries(label === '' ? others : [...others, [point, label]]);
  return {
    point_labels: Object.keys(changed).length === 0 ? null : changed,
    // Otherwise the label of the anchor would appear in its place.
    ...(label === '' && anchor !== null ? { [anchor]: null } : {}),
  };
}

/** The change of settings that gives a scale another first point and number of points. Labels of points that it loses are removed. */
export function resizeScale(settings: QuestionSettings, min: number, count: number): Record<string, unknown> {
  const before = pointsIn(scaleRange(settings));
  const { step } = scaleRange(settings);
  const max = min + (count - 1) * step;
  const own = pointLabelsOf(settings);
  // Labels move with the first point.
  const labels = Object.fromEntries(
    before.flatMap((point, index): [number, string][] => {
      const label = own[point];
      return label !== undefined && index < count ? [[min + index * step, label]] : [];
    }),
  );
  return { min, max, point_labels: Object.keys(labels).length === 0 ? null : labels };
}

/** The points with their labels, such as "5 – Very satisfied". */
const listPoints = (settings: QuestionSettings, range: PointRange): FilterValue[] =>
  labeledPoints(settings, range).map(({ point, label }) => pointValue(point, label));

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
