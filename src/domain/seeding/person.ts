import { Chance } from './chance.ts';

/** Somebody who might have answered. */
export interface Person {
  chance: Chance;
  /** How well disposed they are, standard normal: what makes their answers go together. */
  attitude: number;
  language: string;
}

const IN_FIRST_LANGUAGE = 0.7;

/** The same one for the same seed. `languages`: the survey's, its own first. */
export function personOf(seed: string, languages: readonly string[]): Person {
  const chance = new Chance(seed);
  const isFirst = languages.length === 1 || chance.holds(IN_FIRST_LANGUAGE);
  const language = isFirst ? languages[0]! : chance.pick(languages.slice(1));
  return { chance, attitude: chance.normal(), language };
}
