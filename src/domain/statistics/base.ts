import { addCounts, type Count } from './count.ts';

/** Counts of responses by their answer status in one column. Together they are all counted rows. */
export interface AnswerStatusCounts {
  /** Have a value that counts in statistics. */
  answering: Count;
  /** Chose only options flagged as missing ("don't know"). */
  optionMissing: Count;
  skipped: Count;
  notShown: Count;
  /** Answered the source question of a derived column that has no value for this answer. */
  notApplicable: Count;
}

/** The base of a percentage: respondents with a usable answer, those shown the question, or all. */
export const BASES = ['answering', 'shown', 'all'] as const;
export type Base = (typeof BASES)[number];

/** The responses that make up 100 %. */
export function countBase(
  { answering, optionMissing, skipped, notShown, notApplicable }: AnswerStatusCounts,
  base: Base,
): Count {
  if (base === 'answering') return answering;
  const shown = addCounts(answering, optionMissing, skipped, notApplicable);
  return base === 'shown' ? shown : addCounts(shown, notShown);
}
