import { z } from 'zod';
import { mustBe } from '../../../lib/error-messages.ts';
import { generateScalePoint } from '../generate-answers.ts';
import { commonSettings, defineSettings, finiteNumberSchema, withOrderedBounds } from '../common-settings.ts';
import type { TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import { describeScale, digitsAfterPoint, numericAnswers, numericCells } from './numeric-answers.ts';
import { PLAIN_COMPARISON, PLAIN_SEEDING, PLAIN_SPSS, PLAIN_TYPE } from './plain-type.ts';
import { isSatisfiableByNumber } from './possible-operands.ts';

const settings = defineSettings(() =>
  withOrderedBounds(
    z.strictObject({
      ...commonSettings,
      min: finiteNumberSchema.default(0),
      max: finiteNumberSchema.default(100),
      step: finiteNumberSchema.positive().default(1),
      start: finiteNumberSchema
        .nullable()
        .default(null)
        .describe(
          'Initial position of the handle; null: at 0, or at the end of the range that is nearest to it. A handle that was not moved is no answer',
        ),
    }),
    'min',
    'max',
  ),
);

type SliderQuestion = TypedQuestion<'slider', z.infer<typeof settings>>;

const rangeOf = ({ settings: { min, max, step } }: SliderQuestion) => ({ min, max, step, decimals: null });

/** A point of a range without labels: a number. */
export const sliderAnswers: QuestionAnswers<SliderQuestion> = numericAnswers(rangeOf);

export const sliderType: QuestionTypeModule<SliderQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: sliderAnswers,
  cells: numericCells(rangeOf),
  numberRange: rangeOf,
  settings,
  settingsProblems({ min, max, step, start }) {
    if (min === max) return [{ field: 'max', message: `must be greater than min (${min})` }];
    return [
      ...(step > max - min ? [{ field: 'step', message: `${step} is more than the whole range` }] : []),
      ...(start !== null && (start < min || start > max)
        ? [{ field: 'start', message: mustBe(`between ${min} and ${max}`, start) }]
        : []),
    ];
  },
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
  describeAnswers: ({ settings: { min, max } }) => describeScale([min, null], [max, null]),
  answerFormat: 'a number',
  example: {
    page_id: 2,
    question_code: 'Q11',
    question_text: 'What share of your coffee do you drink at work?',
    question_settings: { min: 0, max: 100, step: 5 },
  },
};
