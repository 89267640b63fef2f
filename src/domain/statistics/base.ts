import { addCounts, type Count } from './count.ts';

/** Where the responses stand towards one column; together they are all the rows that count. */
export interface AnswerStatusCounts {
  /** Have a value that statistics use. */
  answering: Count;
  /** Chose only options flagged as missing ("don't know"). */
  optionMissing: Count;
  skipped: Count;
  notShown: Count;
  /** Gave what a derived column is made from, and it has no value for that. */
  notApplicable: Count;
}

/** Of whom a percentage is: those with a usable answer, those who saw the question, all. */
export const BASES = ['answering', 'shown', 'all'] as const;
export type Base = (typeof BASES)[number];

/** The responses that percentages are of, 100 % together. */
export function countBase(
  { answering, optionMissing, skipped, notShown, notApplicable }: AnswerStatusCounts,
  base: Base,
): Count {
  if (base === 'answering') return answering;
  const shown = addCounts(answering, optionMissing, skipped, notApplicable);
  return base === 'shown' ? shown : addCounts(shown, notShown);
}
