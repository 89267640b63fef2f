import { texts } from '../../texts.ts';
import type { FilterValue, QuestionSettings } from './question-type.ts';

export const REASONS = ['dont_know', 'refused', 'not_applicable'] as const;
export type Reason = (typeof REASONS)[number];

/** A reason that respondents can give instead of an answer. `code` can be a text that is no number yet. */
export interface NoAnswer {
  reason: Reason;
  code: unknown;
  label: string | null;
}

const words = texts.editor.noAnswers;

/** Codes that no answer is likely to be. */
const PROPOSED_CODES: Readonly<Record<Reason, number>> = {
  dont_know: -97,
  refused: -98,
  not_applicable: -99,
};

/** A reason that a question newly offers, with the standard text if `label` is null. */
export const proposeNoAnswer = (reason: Reason, label: string | null): NoAnswer => ({
  reason,
  code: PROPOSED_CODES[reason],
  label,
});

/** The reasons that a question offers, in the order of respondents. */
export function noAnswersOf(settings: QuestionSettings): readonly NoAnswer[] {
  return Array.isArray(settings.no_answers) ? (settings.no_answers as NoAnswer[]) : [];
}

/** The name of a reason: its label, or the standard text. */
export const reasonName = (reason: Reason, settings: QuestionSettings): string =>
  noAnswersOf(settings).find((each) => each.reason === reason)?.label ?? words.reasons[reason];

/** The reasons that conditions and filters can name. */
export const reasonValues = (settings: QuestionSettings): FilterValue[] =>
  noAnswersOf(settings).map(({ reason }) => ({ value: reason, label: reasonName(reason, settings) }));
