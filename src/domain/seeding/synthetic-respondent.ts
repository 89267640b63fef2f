import { SeededRandom } from './seeded-random.ts';

/** A synthetic respondent. */
export interface SyntheticRespondent {
  random: SeededRandom;
  /** General attitude, standard normal; correlates the respondent's answers. */
  attitude: number;
  language: string;
}

const FIRST_LANGUAGE_PROBABILITY = 0.7;

/** Creates the same respondent for the same seed. `languages`: those of the survey, the default first. */
export function createRespondent(seed: string, languages: readonly string[]): SyntheticRespondent {
  const chance = new SeededRandom(seed);
  const isFirst = languages.length === 1 || chance.isTrue(FIRST_LANGUAGE_PROBABILITY);
  const language = isFirst ? languages[0]! : chance.pick(languages.slice(1));
  return { random: chance, attitude: chance.normal(), language };
}
