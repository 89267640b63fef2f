import { SeededRandom } from './seeded-random.ts';

/** Somebody who might have answered. */
export interface SyntheticRespondent {
  random: SeededRandom;
  /** How well disposed they are, standard normal: what makes their answers go together. */
  attitude: number;
  language: string;
}

const FIRST_LANGUAGE_PROBABILITY = 0.7;

/** The same one for the same seed. `languages`: the survey's, its own first. */
export function createRespondent(seed: string, languages: readonly string[]): SyntheticRespondent {
  const chance = new SeededRandom(seed);
  const isFirst = languages.length === 1 || chance.isTrue(FIRST_LANGUAGE_PROBABILITY);
  const language = isFirst ? languages[0]! : chance.pick(languages.slice(1));
  return { random: chance, attitude: chance.normal(), language };
}
