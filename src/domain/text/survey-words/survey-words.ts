/**
 * What people say in answers, and what a lexicon of tweets does not know or gets wrong. Each is a list of words and phrases, parted by
 * commas; a word stands for all forms that share its stem.
 */
export interface SurveyWords {
  /** By score, from -5 to 5. 0: the lexicon gives it a feeling that it has not in answers. */
  scores: Readonly<Record<string, string>>;
  /** They deny what follows. */
  negators: string;
  /** Does a negation also deny what stands before it: "gefällt mir nicht"? */
  negatesBackward?: true;
  intensifiers: string;
  diminishers: string;
  /** What follows counts more than what was before. */
  contrastWords: string;
  /** More than is good: with a measure it is blame, "too long". */
  excess: string;
  measures: string;
  /** Things that are taken for granted; blame only when they are denied: "does not work". */
  expected: string;
  /** "Could be": with something better it is blame. */
  wishes: string;
  better: string;
}

/** The words and phrases of a list. */
export const parseWordList = (list: string): string[] =>
  list
    .split(',')
    .map((words) => words.trim().replaceAll(/\s+/gu, ' '))
    .filter((words) => words !== '');

/** All that are listed. */
export const allScoredWords = ({ scores, measures, expected, better }: SurveyWords): string[] =>
  [...Object.values(scores), measures, expected, better].flatMap(parseWordList);
