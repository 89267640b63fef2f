import type { OtherChoice } from '../answers/codec.ts';
import type { Option, QuestionWithType } from '../survey/definition.ts';
import { generatePointIndex } from './generate-number.ts';
import type { SyntheticRespondent } from './synthetic-respondent.ts';
import type { QuestionProfile } from './question-profile.ts';
import { sampleTexts } from './sample-texts.ts';

const OTHER_TEXT_PROBABILITY = 0.8;
const EXCLUSIVE_PROBABILITY = 0.07;
const DONT_KNOW_PROBABILITY = 0.03;
const SKIPPED_ROW_PROBABILITY = 0.02;

type Choice = string | OtherChoice;

const optionWeight =
  (profile: QuestionProfile, { attitude }: SyntheticRespondent) =>
  ({ code }: Option): number => {
    const { weight, tilt } = profile.options.get(code)!;
    return weight * Math.exp(tilt * attitude);
  };

function withOtherText(option: Option, respondent: SyntheticRespondent): Choice {
  if (!option.other || !respondent.random.isTrue(OTHER_TEXT_PROBABILITY)) return option.value;
  return { value: option.value, other: respondent.random.pick(sampleTexts(respondent.language).words) };
}

/** Picks one of the offered options, weighted by the respondent's attitude; null if none is offered. */
export function generateChoice(
  offered: readonly Option[],
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): Choice | null {
  if (offered.length === 0) return null;
  return withOtherText(
    respondent.random.pickWeighted(offered, optionWeight(profile, respondent)),
    respondent,
  );
}

/** Picks `least` to `most` options, or an exclusive one. A question with an exclusive option never has none ticked. */
function pickOptions(
  offered: readonly Option[],
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
  { least, most }: { least: number; most: number },
): Option[] {
  const { random: chance, attitude } = respondent;
  const exclusive = offered.filter((option) => option.exclusive);
  const together = offered.filter((option) => !option.exclusive);
  if (exclusive.length > 0 && (together.length === 0 || chance.isTrue(EXCLUSIVE_PROBABILITY)))
    return [chance.pick(exclusive)];
  const chosen = together.filter(({ code }) => {
    const { logOdds, tilt } = profile.options.get(code)!;
    return chance.isTrue(1 / (1 + Math.exp(-(logOdds + tilt * attitude))));
  });
  const minimum = Math.max(exclusive.length > 0 ? 1 : 0, least);
  if (chosen.length >= minimum && chosen.length <= most) return chosen;
  const inOrder = chance.shuffleWeighted(together, optionWeight(profile, respondent));
  if (chosen.length < minimum) return [...new Set([...chosen, ...inOrder])].slice(0, minimum);
  return inOrder.filter((option) => chosen.includes(option)).slice(0, most);
}

/** Picks options within the question's bounds, or an exclusive option alone; none if the question allows it. */
export function generateSelection(
  question: QuestionWithType<'multiple_choice'>,
  offered: readonly Option[],
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): Choice[] {
  const { min_selections: least, max_selections: most } = question.settings;
  const bounds = { least: Math.max(least ?? 0, Number(question.required)), most: most ?? offered.length };
  return pickOptions(offered, profile, respondent, bounds).map((option) => withOtherText(option, respondent));
}

/** Ranks options, best first, up to the question's maximum. */
export function generateRanking(
  question: QuestionWithType<'ranking'>,
  offered: readonly Option[],
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): string[] {
  const inOrder = respondent.random.shuffleWeighted(offered, optionWeight(profile, respondent));
  return inOrder.slice(0, question.settings.max_ranked ?? inOrder.length).map(({ value }) => value);
}

/** Answers each row; the columns are treated as a scale of agreement, without "don't know" options. */
export function generateMatrix(
  question: QuestionWithType<'matrix'>,
  offered: readonly Option[],
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): Record<string, string | string[]> {
  const { random: chance } = respondent;
  const { rows, matrix_type: type, require_all_rows: requireAll } = question.settings;
  const needsOne = requireAll || question.required;
  const answered = rows.filter(() => requireAll || !chance.isTrue(SKIPPED_ROW_PROBABILITY));
  const answer: Record<string, string | string[]> = {};
  for (const { row_code: code } of answered.length === 0 ? rows : answered) {
    if (type === 'multiple') {
      const bounds = { least: Number(needsOne), most: offered.length };
      answer[code] = pickOptions(offered, profile, respondent, bounds).map(({ value }) => value);
      continue;
    }
    const unsure = offered.filter(({ missing }) => missing);
    const agreeing = offered.filter(({ missing }) => !missing);
    const isUnsure = agreeing.length === 0 || (unsure.length > 0 && chance.isTrue(DONT_KNOW_PROBABILITY));
    const among = isUnsure ? unsure : agreeing;
    const optionIndex = isUnsure
      ? chance.integer(among.length)
      : generatePointIndex(among.length, profile.rows.get(code)!, respondent);
    const option = among[optionIndex];
    if (option !== undefined) answer[code] = option.value;
  }
  return answer;
}
