import { z } from 'zod';
import { unknownValue } from '../../../lib/error-messages.ts';
import { generateScalePoint } from '../generate-answers.ts';
import { commonSettings, defineSettings, withOrderedBounds, textSetting } from '../common-settings.ts';
import type { TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import {
  describeScale,
  digitsAfterPoint,
  numericAnswers,
  numericCells,
  scalePoints,
} from './numeric-answers.ts';
import { PLAIN_COMPARISON, PLAIN_SEEDING, PLAIN_SPSS, PLAIN_TYPE } from './plain-type.ts';
import { isSatisfiableByNumber } from './possible-operands.ts';

const SCALE_DISPLAYS = ['numbers', 'stars', 'smileys'] as const;
/** Scales with more points show numbers. */
export const MAX_DRAWN_POINTS = 11;

const settings = defineSettings(() =>
  withOrderedBounds(
    z.strictObject({
      ...commonSettings,
      min: z.int().min(-100).max(100).default(1),
      max: z.int().min(-100).max(100).default(5),
      step: z.int().min(1).max(100).default(1),
      min_label: textSetting().nullable().default(null),
      mid_label: textSetting().nullable().default(null),
      max_label: textSetting().nullable().default(null),
      point_labels: z
        .record(z.string().regex(/^-?\d{1,3}$/, 'must be a point of the scale'), textSetting())
        .nullable()
        .default(null)
        .describe('Labels by point, such as `{"1":"Very inaccurate"}`'),
      display: z
        .enum(SCALE_DISPLAYS)
        .default('numbers')
        .describe(
          `How the points look. Stars and smileys need at most ${MAX_DRAWN_POINTS} points; a longer scale shows numbers`,
        ),
    }),
    'min',
    'max',
  ),
);

type ScaleSettings = z.infer<typeof settings>;
type ScaleQuestion = TypedQuestion<'scale', ScaleSettings>;

const rangeOf = ({ settings: { min, max, step } }: ScaleQuestion) => ({ min, max, step, decimals: null });

/** Label of a point; empty and absent labels are the same. */
function labelOf(
  { settings }: ScaleQuestion,
  { point, index, count }: { point: number; index: number; count: number },
): string {
  const own = pointLabel(settings, String(point));
  const end = index === 0 ? settings.min_label : index === count - 1 ? settings.max_label : null;
  const mid = index * 2 === count - 1 ? settings.mid_label : null;
  return own || end || mid || String(point);
}

function pointLabel({ point_labels: labels }: ScaleSettings, point: string): string | null {
  return labels !== null && Object.hasOwn(labels, point) ? (labels[point] ?? null) : null;
}

/** The setting that labels a point that has no own label, on a scale whose points all have labels; null: none. */
function anchorOf(settings: ScaleSettings, point: number): 'min_label' | 'mid_label' | 'max_label' | null {
  const { min, max, step } = settings;
  const anchors = { [min]: 'min_label', [(min + max) / 2]: 'mid_label', [max]: 'max_label' } as const;
  const isLabeled = (each: number) => {
    const anchor = anchors[each];
    return Boolean(pointLabel(settings, String(each))) || (anchor !== undefined && Boolean(settings[anchor]));
  };
  for (let each = min; each <= max; each += step) if (!isLabeled(each)) return null;
  return anchors[point] ?? null;
}

/** A point of a scale with labeled ends or points: a number. */
export const scaleAnswers: QuestionAnswers<ScaleQuestion> = {
  ...numericAnswers(rangeOf),
  pipedText(question, answer, texts) {
    const point = `${answer as number}`;
    const label = pointLabel(question.settings, point);
    if (label !== null && label !== '') return texts.entry('point_labels', point, label);
    const anchor = anchorOf(question.settings, answer as number);
    return anchor === null ? point : texts.text(anchor, question.settings[anchor] ?? point);
  },
};

export const scaleType: QuestionTypeModule<ScaleQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: scaleAnswers,
  cells: numericCells(rangeOf, (question) =>
    scalePoints(question.settings, (point, index, count) => labelOf(question, { point, index, count })),
  ),
  settings,
  numberRange: rangeOf,
  settingsProblems({ min, max, step, point_labels: labels }) {
    if (min === max) return [{ field: 'max', message: `must be greater than min (${min})` }];
    if ((max - min) % step !== 0) {
      return [{ field: 'step', message: `steps of ${step} from ${min} do not reach ${max}` }];
    }
    const isPoint = (key: string) => {
      const point = Number(key);
      return String(point) === key && point >= min && point <= max && (point - min) % step === 0;
    };
    return Object.keys(labels ?? {})
      .filter((key) => !isPoint(key))
      .map((key) => ({ field: 'point_labels', message: unknownValue(key, 'a point of the scale') }));
  },
  frozenChanges(before, after) {
    const isPoint = ({ settings: { min, max, step } }: ScaleQuestion, point: number) =>
      point >= min && point <= max && (point - min) % step === 0;
    const { min, max, step } = before.settings;
    for (let point = min; point <= max; point += step) {
      if (isPoint(after, point)) continue;
      const field = point > after.settings.max ? 'max' : point < after.settings.min ? 'min' : 'step';
      const message = `there are responses: the point ${point} stays; add a new question for a scale without it`;
      return [{ field: `question_settings.${field}`, message }];
    }
    return [];
  },
  labelGroups: ({ settings: { point_labels: labels } }) => [
    {
      name: 'point_labels',
      labels: Object.entries(labels ?? {}).map(([key, label]) => ({
        key,
        label,
        path: `point_labels.${key}`,
      })),
    },
  ],
  comparison: {
    ...PLAIN_COMPARISON,
    isSatisfiable: (question, comparisons) => isSatisfiableByNumber(rangeOf(question), comparisons),
  },
  seeding: {
    ...PLAIN_SEEDING,
    answer: ({ question, profile, respondent }) => generateScalePoint(question.settings, profile, respondent),
  },
  spss: {
    ...PLAIN_SPSS,
    decimals: ({ settings: { min, step } }) => Math.max(digitsAfterPoint(min), digitsAfterPoint(step)),
  },
  describeAnswers: ({ settings: { min, max, min_label: minLabel, max_label: maxLabel } }) =>
    describeScale([min, minLabel], [max, maxLabel]),
  answerFormat: 'a number',
  example: {
    page_id: 2,
    question_code: 'Q4',
    question_text: 'How satisfied are you with the coffee at work?',
    question_settings: {
      min: 1,
      max: 5,
      min_label: 'Not at all satisfied',
      max_label: 'Very satisfied',
      logic: { display: { left: { code: 'Q3' }, operator: 'includes_any', right: ['coffee'] } },
    },
  },
};
