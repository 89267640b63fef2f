import type { OtherChoice } from '../answers/codec.ts';
import type { Option, QuestionWithType } from '../survey/definition.ts';
import { placeOn } from './made-number.ts';
import type { Person } from './person.ts';
import type { QuestionHabit } from './question-habit.ts';
import { sampleTexts } from './sample-texts.ts';

const TYPES_THE_OTHER = 0.8;
const CHOOSES_NONE_OF_THESE = 0.07;
const DOES_NOT_KNOW = 0.03;
const LEAVES_A_ROW = 0.02;

type Choice = string | OtherChoice;

const weightIn =
  (habit: QuestionHabit, { attitude }: Person) =>
  ({ code }: Option): number => {
    const { weight, tilt } = habit.options.get(code)!;
    return weight * Math.exp(tilt * attitude);
  };

function choiceOf(option: Option, person: Person): Choice {
  if (!option.other || !person.chance.holds(TYPES_THE_OTHER)) return option.value;
  return { value: option.value, other: person.chance.pick(sampleTexts(person.language).words) };
}

/** One of the offered options, more often what suits the person; null where none is offered. */
export function madeChoice(offered: readonly Option[], habit: QuestionHabit, person: Person): Choice | null {
  if (offered.length === 0) return null;
  return choiceOf(person.chance.weighted(offered, weightIn(habit, person)), person);
}

/** From `least` to `most` options, or one that excludes all others. A question that offers an exclusive option is never left with none ticked. */
function selection(
  offered: readonly Option[],
  habit: QuestionHabit,
  person: Person,
  { least, most }: { least: number; most: number },
): Option[] {
  const { chance, attitude } = person;
  const exclusive = offered.filter((option) => option.exclusive);
  const together = offered.filter((option) => !option.exclusive);
  if (exclusive.length > 0 && (together.length === 0 || chance.holds(CHOOSES_NONE_OF_THESE)))
    return [chance.pick(exclusive)];
  const liked = together.filter(({ code }) => {
    const { logOdds, tilt } = habit.options.get(code)!;
    return chance.holds(1 / (1 + Math.exp(-(logOdds + tilt * attitude))));
  });
  const enough = Math.max(exclusive.length > 0 ? 1 : 0, least);
  if (liked.length >= enough && liked.length <= most) return liked;
  const inOrder = chance.ordered(together, weightIn(habit, person));
  if (liked.length < enough) return [...new Set([...liked, ...inOrder])].slice(0, enough);
  return inOrder.filter((option) => liked.includes(option)).slice(0, most);
}

/** Within the bounds of the question, or an exclusive option alone; none where the question may be left so. */
export function madeSelection(
  question: QuestionWithType<'multiple_choice'>,
  offered: readonly Option[],
  habit: QuestionHabit,
  person: Person,
): Choice[] {
  const { min_selections: least, max_selections: most } = question.settings;
  const bounds = { least: Math.max(least ?? 0, Number(question.required)), most: most ?? offered.length };
  return selection(offered, habit, person, bounds).map((option) => choiceOf(option, person));
}

/** Option values, best first, no more than the question takes. */
export function madeRanking(
  question: QuestionWithType<'ranking'>,
  offered: readonly Option[],
  habit: QuestionHabit,
  person: Person,
): string[] {
  const inOrder = person.chance.ordered(offered, weightIn(habit, person));
  return inOrder.slice(0, question.settings.max_ranked ?? inOrder.length).map(({ value }) => value);
}

/** The columns of a matrix are an order of agreement; those that mean "don't know" are not part of it. */
export function madeMatrix(
  question: QuestionWithType<'matrix'>,
  offered: readonly Option[],
  habit: QuestionHabit,
  person: Person,
): Record<string, string | string[]> {
  const { chance } = person;
  const { rows, matrix_type: type, require_all_rows: requireAll } = question.settings;
  const needsOne = requireAll || question.required;
  const answered = rows.filter(() => requireAll || !chance.holds(LEAVES_A_ROW));
  const answer: Record<string, string | string[]> = {};
  for (const { row_code: code } of answered.length === 0 ? rows : answered) {
    if (type === 'multiple') {
      const bounds = { least: Number(needsOne), most: offered.length };
      answer[code] = selection(offered, habit, person, bounds).map(({ value }) => value);
      continue;
    }
    const unsure = offered.filter(({ missing }) => missing);
    const agreeing = offered.filter(({ missing }) => !missing);
    const isUnsure = agreeing.length === 0 || (unsure.length > 0 && chance.holds(DOES_NOT_KNOW));
    const among = isUnsure ? unsure : agreeing;
    const place = isUnsure
      ? chance.whole(among.length)
      : placeOn(among.length, habit.rows.get(code)!, person);
    const option = among[place];
    if (option !== undefined) answer[code] = option.value;
  }
  return answer;
}
