import { z } from 'zod';
import { generateScalePoint } from '../generate-answers.ts';
import { commonSettings, defineSettings, textSetting } from '../common-settings.ts';
import type { TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import { describeScale, numericAnswers, numericCells, scalePoints } from './numeric-answers.ts';
import { PLAIN_COMPARISON, PLAIN_FIGURES, PLAIN_SEEDING, PLAIN_TYPE } from './plain-type.ts';
import { isSatisfiableByNumber } from './possible-operands.ts';

const settings = defineSettings(() =>
  z.strictObject({
    ...commonSettings,
    min_label: textSetting().nullable().default(null),
    max_label: textSetting().nullable().default(null),
  }),
);

type NpsQuestion = TypedQuestion<'nps', z.infer<typeof settings>>;

/** The scale of every Net Promoter Score. */
export const NPS_RANGE = { min: 0, max: 10, step: 1, decimals: null };

/** How likely a recommendation is: a whole number from 0 to 10. */
export const npsAnswers: QuestionAnswers<NpsQuestion> = numericAnswers(() => NPS_RANGE);

export const npsType: QuestionTypeModule<NpsQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: npsAnswers,
  cells: numericCells(
    () => NPS_RANGE,
    ({ settings: { min_label: minLabel, max_label: maxLabel } }) =>
      scalePoints(NPS_RANGE, (point) => {
        const end = point === NPS_RANGE.min ? minLabel : point === NPS_RANGE.max ? maxLabel : null;
        return end || String(point);
      }),
  ),
  settings,
  numberRange: () => NPS_RANGE,
  comparison: {
    ...PLAIN_COMPARISON,
    isSatisfiable: (_question, comparisons) => isSatisfiableByNumber(NPS_RANGE, comparisons),
  },
  figures: { ...PLAIN_FIGURES, hasNetPromoterScore: true },
  seeding: {
    ...PLAIN_SEEDING,
    answer: ({ profile, respondent }) => generateScalePoint(NPS_RANGE, profile, respondent),
    tendency: 0.8,
  },
  describeAnswers: ({ settings: { min_label: minLabel, max_label: maxLabel } }) =>
    describeScale([NPS_RANGE.min, minLabel], [NPS_RANGE.max, maxLabel]),
  answerFormat: 'a number',
  example: {
    page_id: 2,
    question_code: 'Q6',
    question_text: 'How likely are you to recommend the coffee at work to a colleague?',
  },
};
