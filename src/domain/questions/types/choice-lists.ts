import type { ErrorDetail } from '../../../lib/errors.ts';
import { listInWords } from '../../../lib/list-in-words.ts';
import type { OtherChoice } from '../answers/codec.ts';
import { findOption, valueOfChoice } from '../answers/read-answer.ts';
import type { Operand } from '../condition.ts';
import type { TranslatedTexts } from '../localize.ts';
import type { AnyQuestion, Option } from '../question.ts';

type Choice = string | OtherChoice;

/** Returns the labels of choices as a list in words. The text entered for an "other" option is more specific than its label. */
export function choiceLabels(
  question: AnyQuestion,
  choices: readonly Choice[],
  { texts, language }: { texts: TranslatedTexts; language: string },
): string {
  const labels = choices.map((choice) => {
    if (typeof choice === 'object' && choice.other !== '') return choice.other;
    const value = valueOfChoice(choice);
    const option = findOption(question.options, value);
    return option === undefined ? value : texts.entry('options', String(option.code), option.label);
  });
  return listInWords(labels, language);
}

/** Returns the option codes of choices. */
export function choiceCodes({ options }: AnyQuestion, choices: readonly Choice[]): string {
  return choices
    .map((choice) => {
      const value = valueOfChoice(choice);
      return String(findOption(options, value)?.code ?? value);
    })
    .join(',');
}

/** Whether values are chosen, all of them of options flagged as missing. */
export function hasOnlyFlagged(options: readonly Option[], values: readonly string[]): boolean {
  return values.length > 0 && values.every((value) => findOption(options, value)?.missing === true);
}

/** Chosen values as the left side of a comparison. */
export const choiceOperand = (options: readonly Option[], values: readonly string[]): Operand => ({
  kind: 'choice',
  values,
  ...(hasOnlyFlagged(options, values) && { isMissing: true }),
});

/** Removes withheld options from choices; null if none remains. */
export function withoutChoices<C extends Choice>(
  choices: readonly C[],
  withheld: ReadonlySet<string>,
): C[] | null {
  const left = choices.filter((choice) => !withheld.has(valueOfChoice(choice)));
  return left.length === 0 && choices.length > 0 ? null : left;
}

/** Returns a problem if an answer needs more options (`minimum`, of the setting `name`) than can be selected together. */
export function minimumProblems(
  name: string,
  minimum: number | null,
  live: readonly Option[],
): ErrorDetail[] {
  const together = live.filter(({ exclusive }) => !exclusive).length;
  if (minimum === null || minimum <= together) return [];
  const message = `${name} must be at most ${together}, the number of options that can be selected together, not ${minimum}`;
  return [{ field: name, message }];
}
