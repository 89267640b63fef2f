/** The reasons that a respondent can give instead of an answer, in the order in which they are offered. */
export const NO_ANSWER_REASONS = ['dont_know', 'refused', 'not_applicable'] as const;
export type NoAnswerReason = (typeof NO_ANSWER_REASONS)[number];

/** A reason that a question offers. */
export interface NoAnswerChoice {
  reason: NoAnswerReason;
  /** What files hold for it. No answer to the question has this number. */
  code: number;
  /** null: a standard text in the respondent's language. */
  label: string | null;
}

/** The standard texts in English, which data and figures show. */
const LABELS: Readonly<Record<NoAnswerReason, string>> = {
  dont_know: 'Don’t know',
  refused: 'Refused',
  not_applicable: 'Not applicable',
};

/** Returns the name of a reason in data and figures. */
export const noAnswerLabel = ({ reason, label }: Omit<NoAnswerChoice, 'code'>): string =>
  label ?? LABELS[reason];

/** The reasons by what files hold for them, code or label. */
export function reasonsByText(
  choices: readonly NoAnswerChoice[],
  shownAs: 'code' | 'label' | 'auto',
): ReadonlyMap<string, NoAnswerReason> {
  const byLabel = choices.map((choice) => [foldText(noAnswerLabel(choice)), choice.reason] as const);
  const byCode = choices.map(({ code, reason }) => [String(code), reason] as const);
  return new Map([...(shownAs === 'code' ? [] : byLabel), ...(shownAs === 'label' ? [] : byCode)]);
}

export const foldText = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/** The member of an answer that holds the reason: `{"no_answer": "refused"}`. No row of a matrix has this code. */
export const NO_ANSWER_KEY = 'no_answer';

export const isNoAnswerReason = (value: unknown): value is NoAnswerReason =>
  (NO_ANSWER_REASONS as readonly unknown[]).includes(value);

/** Returns the reason that a stored answer gives; null for all other answers. */
export function noAnswerReasonOf(answer: unknown): NoAnswerReason | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { no_answer: reason } = answer as { no_answer?: unknown };
  return isNoAnswerReason(reason) ? reason : null;
}
