import { z } from 'zod';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { namesMoney } from '../names-money.ts';
import type { QuestionProfile, SyntheticRespondent } from '../generate-answers.ts';
import {
  commonSettings,
  defineSettings,
  finiteNumberSchema,
  withOrderedBounds,
  textSetting,
} from '../common-settings.ts';
import type { TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import { type NumberRange, numericAnswers, numericCells } from './numeric-answers.ts';
import { PLAIN_COMPARISON, PLAIN_SEEDING, PLAIN_SPSS, PLAIN_TYPE } from './plain-type.ts';
import { isSatisfiableByNumber } from './possible-operands.ts';

/** With all of them, numbers are stored exactly as they are. */
export const MAX_DECIMALS = 10;

const settings = defineSettings(() =>
  withOrderedBounds(
    z.strictObject({
      ...commonSettings,
      min: finiteNumberSchema.nullable().default(null),
      max: finiteNumberSchema.nullable().default(null),
      step: finiteNumberSchema.positive().nullable().default(null),
      decimals: z
        .int()
        .min(0)
        .max(MAX_DECIMALS)
        .default(0)
        .describe(
          'Number of decimals that respondents can enter. 10 without `step`: any number, stored as the double that it is',
        ),
      prefix: textSetting(20)
        .nullable()
        .default(null)
        .describe('Text before the input, such as a currency sign'),
      suffix: textSetting(20).nullable().default(null).describe('Text after the input, such as a unit'),
    }),
    'min',
    'max',
  ),
);

type NumberSettings = z.infer<typeof settings>;
type NumberQuestion = TypedQuestion<'number', NumberSettings>;

/** With all decimals and no step, the question stores measurements and numbers of other programs: every double as it is. */
function rangeOf({ settings }: NumberQuestion): NumberRange {
  const isExact = settings.decimals === MAX_DECIMALS && settings.step === null;
  return isExact ? { ...settings, decimals: null, isExact } : settings;
}

/** An amount: a number, within bounds if there are any. */
export const numberAnswers: QuestionAnswers<NumberQuestion> = numericAnswers(rangeOf);

export const numberType: QuestionTypeModule<NumberQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: numberAnswers,
  cells: numericCells(rangeOf),
  settings,
  numberRange: ({ settings: { min, max } }) => ({ min, max }),
  showsPlaceholder: () => true,
  asksWholeAmount: ({ text, settings: { decimals, step, prefix, suffix } }) =>
    decimals === 0 && step === null && namesMoney([text, prefix, suffix]),
  settingsProblems({ min, max, step, decimals }) {
    const unit = 10 ** -decimals;
    const problems: ErrorDetail[] = [];
    if (step !== null && Math.abs(step / unit - Math.round(step / unit)) > 1e-9) {
      problems.push({ field: 'step', message: `${step} needs more than ${decimals} decimals` });
    }
    if (min !== null && max !== null && Math.ceil(min / unit - 1e-9) > Math.floor(max / unit + 1e-9)) {
      const message = `no number with ${decimals} decimals lies between ${min} and ${max}`;
      problems.push({ field: 'min', message });
    }
    return problems;
  },
  comparison: {
    ...PLAIN_COMPARISON,
    isSatisfiable: (question, comparisons) => isSatisfiableByNumber(rangeOf(question), comparisons),
  },
  seeding: {
    ...PLAIN_SEEDING,
    answer: ({ question, profile, respondent }) => generateNumber(question.settings, profile, respondent),
  },
  spss: { ...PLAIN_SPSS, decimals: ({ settings: { decimals } }) => decimals },
  describeAnswers: () => 'a number',
  answerFormat: 'a number',
  example: {
    page_id: 1,
    question_code: 'Q2',
    question_text: 'How old are you?',
    question_required: true,
    question_settings: { min: 16, max: 99, suffix: 'years' },
  },
};

/** Typical distance for questions without bounds, in units; ten times as much is rare. */
const DEFAULT_DISTANCE = 20;

/** Generates a number around a center, within the bounds and on the question's steps. */
function generateNumber(
  { min, max, step, decimals }: NumberSettings,
  { tendency }: QuestionProfile,
  { random, attitude }: SyntheticRespondent,
): number {
  const latentValue =
    tendency.center +
    0.3 * tendency.loading * attitude +
    Math.sqrt(1 - 0.09 * tendency.loading ** 2) * random.normal();
  const unit = step ?? 10 ** -decimals;
  let value: number;
  if (min !== null && max !== null) {
    value = (min + max) / 2 + ((max - min) / 6) * latentValue;
    // Values outside are drawn uniformly: a cluster at the bounds would not be plausible.
    if (value < min || value > max) value = min + random.next() * (max - min);
  } else {
    const distance = Math.max(DEFAULT_DISTANCE * unit, 1) * Math.exp(0.6 * latentValue);
    value = max === null ? (min ?? 0) + distance : max - distance;
  }
  const from = min ?? 0;
  const stepped = from + Math.round((value - from) / unit) * unit;
  const within =
    max !== null && stepped > max ? stepped - unit : min !== null && stepped < min ? stepped + unit : stepped;
  return Number(within.toFixed(decimals));
}
