import type { OtherChoice } from '../answers/codec.ts';
import type { Option } from '../questions/question.ts';
import type { SyntheticRespondent } from './synthetic-respondent.ts';
import type { QuestionProfile } from './question-profile.ts';
import { sampleTexts } from './sample-texts.ts';

const OTHER_TEXT_PROBABILITY = 0.8;
const EXCLUSIVE_PROBABILITY = 0.07;

type Choice = string | OtherChoice;

/** Relative frequency of an option among respondents with this attitude. */
export const optionWeight =
  (profile: QuestionProfile, { attitude }: SyntheticRespondent) =>
  ({ code }: Option): number => {
    const { weight, tilt } = profile.options.get(code)!;
    return weight * Math.exp(tilt * attitude);
  };

/** Adds a text to most choices of an option that asks for one. */
export function withOtherText(option: Option, respondent: SyntheticRespondent): Choice {
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
export function pickOptions(
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
