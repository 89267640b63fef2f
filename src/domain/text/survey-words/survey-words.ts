/**
 * Words in survey answers that the lexicon, built from tweets, lacks or scores wrongly. Each field is a comma-separated list of words and
 * phrases; a word covers all forms with its stem.
 */
export interface SurveyWords {
  /** By score, from -5 to 5. 0: neutral in survey answers, unlike in the lexicon. */
  scores: Readonly<Record<string, string>>;
  /** Negate what follows. */
  negators: string;
  /** Whether a negation also negates the preceding word: "gefällt mir nicht". */
  negatesBackward?: true;
  intensifiers: string;
  diminishers: string;
  /** Contrast words: what follows weighs more than what precedes. */
  contrastWords: string;
  /** Excess words; negative with a measure: "too long". */
  excess: string;
  measures: string;
  /** Expected properties; negative only if negated: "does not work". */
  expected: string;
  /** Wishes, such as "could be"; negative with a comparative. */
  wishes: string;
  better: string;
}

/** Parses a word list. */
export const parseWordList = (list: string): string[] =>
  list
    .split(',')
    .map((words) => words.trim().replaceAll(/\s+/gu, ' '))
    .filter((words) => words !== '');

/** Returns all words with a score or property. */
export const allScoredWords = ({ scores, measures, expected, better }: SurveyWords): string[] =>
  [...Object.values(scores), measures, expected, better].flatMap(parseWordList);
