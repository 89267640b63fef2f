import { parseWordList, type SurveyWords } from './survey-words/survey-words.ts';

/** Maximum number of characters read per text. */
export const MAX_CHARACTERS = 20_000;
/** Longer words are truncated. */
const MAX_WORD_CHARACTERS = 48;
/** Maximum number of characters segmented at once, in languages without spaces. */
const MAX_SEGMENTED_CHARACTERS = 400;

/** Character kinds. */
const [SPACE, LETTER, COMBINING, UNSPACED, JOINER, END, PAUSE, EMOJI, NOTHING, OTHER] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
] as const;

const UNSPACED_LETTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const ANY_LETTER = /[\p{L}\p{M}\p{N}]/u;
/** Invisible characters: joiners, directional marks, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/u;
const ENDS = '.!?…\n\r。！？؟।;；|/';
const PAUSES = ',:()[]{}"«»„“”、，：–—،*#•';

/** Kind by code unit; 0: not computed yet. */
const kinds = new Uint8Array(0x10000);

function characterKind(unit: number): number {
  const known = kinds[unit];
  if (known !== undefined && known !== 0) return known;
  return (kinds[unit] = classifyCharacter(String.fromCharCode(unit)));
}

function classifyCharacter(character: string): number {
  if (ENDS.includes(character)) return END;
  if (PAUSES.includes(character)) return PAUSE;
  if (character === "'" || character === '’') return JOINER;
  if (INVISIBLE.test(character)) return NOTHING;
  if (UNSPACED_LETTER.test(character)) return UNSPACED;
  if (/\p{M}/u.test(character)) return COMBINING;
  if (ANY_LETTER.test(character)) return LETTER;
  if (/\s/u.test(character)) return SPACE;
  if (/\p{Extended_Pictographic}/u.test(character)) return EMOJI;
  return OTHER;
}

let segmenter: Intl.Segmenter | undefined;

/**
 * Splits a text into words as written, emoji, and marks for the end of a sentence (`.`) or clause (`,`). Segments languages without spaces
 * by Unicode's dictionaries. Never throws; reads at most `MAX_CHARACTERS`.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  const length = Math.min(text.length, MAX_CHARACTERS);
  let at = 0;
  while (at < length) {
    const unit = text.charCodeAt(at);
    const kind = characterKind(unit);
    if (kind === LETTER || kind === COMBINING) at = readWord({ text, start: at, length, tokens });
    else if (kind === UNSPACED) at = readUnspaced({ text, start: at, length, tokens });
    else if (kind === END || kind === PAUSE) at = readMark({ text, at, kind, tokens });
    else if (kind === EMOJI) {
      tokens.push(text.charAt(at));
      at += 1;
    } else if (unit >= 0xd800 && unit <= 0xdbff) at = readPair({ text, at, length, tokens });
    else at += 1;
  }
  return tokens;
}

function readWord({
  text,
  start,
  length,
  tokens,
}: {
  text: string;
  start: number;
  length: number;
  tokens: string[];
}): number {
  let at = start + 1;
  let isPlain = true;
  for (; at < length; at += 1) {
    const unit = text.charCodeAt(at);
    const kind = characterKind(unit);
    if (kind === LETTER) continue;
    if (kind === JOINER && at + 1 < length && characterKind(text.charCodeAt(at + 1)) === LETTER) {
      if (unit !== 0x27) isPlain = false;
    } else if (kind === NOTHING || kind === COMBINING) isPlain = false;
    else break;
  }
  const word = text.slice(start, Math.min(at, start + MAX_WORD_CHARACTERS));
  tokens.push(isPlain ? word : normalizeWord(word));
  return at;
}

/** Normalizes equivalent spellings. */
const normalizeWord = (word: string): string =>
  word
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .replaceAll('’', "'");

function readUnspaced({
  text,
  start,
  length,
  tokens,
}: {
  text: string;
  start: number;
  length: number;
  tokens: string[];
}): number {
  let at = start + 1;
  while (
    at < length &&
    at - start < MAX_SEGMENTED_CHARACTERS &&
    characterKind(text.charCodeAt(at)) === UNSPACED
  )
    at += 1;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  for (const { segment, isWordLike } of segmenter.segment(text.slice(start, at))) {
    if (isWordLike === true) tokens.push(segment);
  }
  return at;
}

/** Reads a punctuation mark or an emoticon. */
function readMark({
  text,
  at,
  kind,
  tokens,
}: {
  text: string;
  at: number;
  kind: number;
  tokens: string[];
}): number {
  const mark = text.charAt(at);
  if (mark === ':' || mark === ';') {
    const noseAt = text[at + 1] === '-' ? at + 2 : at + 1;
    const mouth = text[noseAt];
    if (mouth === ')' || mouth === 'D' || mouth === '(') {
      tokens.push(mouth === '(' ? ':(' : ':)');
      return noseAt + 1;
    }
  }
  if (mark === '!' || mark === '?' || mark === '！' || mark === '？')
    tokens.push(mark === '!' || mark === '！' ? '!' : '?');
  else tokens.push(kind === END ? '.' : ',');
  return at + 1;
}

/** Reads a surrogate pair (emoji or rare script); ignores unpaired surrogates. */
function readPair({
  text,
  at,
  length,
  tokens,
}: {
  text: string;
  at: number;
  length: number;
  tokens: string[];
}): number {
  const codePoint = text.codePointAt(at) ?? 0;
  // Above the basic plane, the two units form one character.
  if (codePoint > 0xffff && at + 1 < length) {
    const character = String.fromCodePoint(codePoint);
    if (/\p{Extended_Pictographic}/u.test(character) || ANY_LETTER.test(character)) tokens.push(character);
    return at + 2;
  }
  return at + 1;
}

/** Data of a language, read from packages. */
export interface LanguageData {
  /** ISO 639-1. */
  language: string;
  /** Scores from -5 to 5 by lower-case word or emoji. */
  scores: ReadonlyMap<string, number>;
  /** Scores by stem, for inflected forms that are not listed. */
  stemScores: ReadonlyMap<string, number>;
  stopwords: ReadonlySet<string>;
  negators: readonly string[];
  /** Stems a lower-case word; languages without a stemmer return it unchanged. */
  stem: (word: string) => string;
  /** null: the language has no survey word list. */
  surveyWords: SurveyWords | null;
}

/** Maximum number of cached words. */
const MAX_CACHED_WORDS = 30_000;
/** Languages with elided articles or negations: "l'attente", "n'aime". */
const ELIDING = new Set(['ca', 'fr', 'it']);
/** Words with at least this many letters also match without accents. */
const MIN_UNACCENTED_LETTERS = 5;
const ACCENTS_OPTIONAL = new Set(['es', 'it', 'pl', 'pt', 'fr']);

const HAS_DIGIT = /\p{Nd}/u;

const ROLE_LISTS = [
  ['negator', 'negators'],
  ['intensifier', 'intensifiers'],
  ['diminisher', 'diminishers'],
  ['but', 'contrastWords'],
  ['excess', 'excess'],
  ['wish', 'wishes'],
] as const;
type Role = 'word' | 'end' | 'pause' | (typeof ROLE_LISTS)[number][0];

/** Properties of a word or phrase. */
export interface Word {
  lower: string;
  role: Role;
  /** A punctuation mark: end of a sentence or clause. */
  isMark: boolean;
  /** From -5 to 5. */
  score: number;
  /** A measure that is negative in excess. */
  isMeasure: boolean;
  /** An expected property: only its negation is a (negative) statement. */
  isExpected: boolean;
  /** A comparative: "could be better" is negative. */
  isBetter: boolean;
  /** Contains its own negation: "n'aime". */
  isNegated: boolean;
  /** Evidence that the text is in this language. */
  isKnown: boolean;
  /** Phrases starting with it, longest first. */
  phrases: readonly Phrase[] | null;
}

export interface Phrase {
  /** The lower-case words after the first. */
  rest: readonly string[];
  word: Word;
}

const PLAIN: Omit<Word, 'lower'> = {
  role: 'word',
  isMark: false,
  score: 0,
  isMeasure: false,
  isExpected: false,
  isBetter: false,
  isNegated: false,
  isKnown: false,
  phrases: null,
};

/** Emoticons, the same in every language. */
const EMOTICONS = [
  [':)', 2],
  [':(', -2],
] as const;

const MARKS = new Map<string, Role>([
  ['.', 'end'],
  ['!', 'end'],
  ['?', 'end'],
  [',', 'pause'],
]);

/** Looks up the words of a language. */
export class Vocabulary {
  private readonly roles = new Map<string, Role>();
  private readonly surveyScores = new Map<string, number>();
  private readonly surveyScoresByStem: ReadonlyMap<string, number>;
  private readonly measures: ReadonlySet<string>;
  private readonly expected: ReadonlySet<string>;
  private readonly better: ReadonlySet<string>;
  private readonly phrases = new Map<string, Phrase[]>();
  private readonly words = new Map<string, Word>();
  private readonly stems = new Map<string, string>();

  constructor(readonly data: LanguageData) {
    const { surveyWords } = data;
    for (const [emoticon, score] of EMOTICONS) this.surveyScores.set(emoticon, score);
    for (const word of data.negators) this.addEntry(word, { role: 'negator' });
    for (const [score, list] of Object.entries(surveyWords?.scores ?? {})) {
      for (const words of parseWordList(list)) this.addEntry(words, { score: Number(score) });
    }
    for (const [role, list] of ROLE_LISTS) {
      for (const words of parseWordList(surveyWords?.[list] ?? '')) this.addEntry(words, { role });
    }
    this.measures = this.withStems(surveyWords?.measures ?? '');
    this.expected = this.withStems(surveyWords?.expected ?? '');
    this.better = this.withStems(surveyWords?.better ?? '');
    this.surveyScoresByStem = this.stemScores(this.surveyScores);
    if (ACCENTS_OPTIONAL.has(data.language)) this.addUnaccented();
  }

  /** Looks up a token as written. */
  wordOf(token: string): Word {
    const known = this.words.get(token);
    if (known !== undefined) return known;
    const word = this.lookUp(token);
    if (this.words.size >= MAX_CACHED_WORDS) this.words.clear();
    this.words.set(copyString(token), word);
    return word;
  }

  stemOf(lower: string): string {
    const known = this.stems.get(lower);
    if (known !== undefined) return known;
    const stem = HAS_DIGIT.test(lower) ? lower : this.data.stem(lower);
    if (this.stems.size >= MAX_CACHED_WORDS) this.stems.clear();
    this.stems.set(copyString(lower), stem);
    return stem;
  }

  private lookUp(token: string): Word {
    const lower = copyString(token.toLowerCase().replaceAll('ё', 'е'));
    const mark = MARKS.get(lower);
    if (mark !== undefined) return { ...PLAIN, lower, role: mark, isMark: true };
    const elided = ELIDING.has(this.data.language) ? lower.indexOf("'") : -1;
    if (elided > 0 && elided < lower.length - 1 && !this.surveyScores.has(lower) && !this.roles.has(lower)) {
      const word = this.wordOf(lower.slice(elided + 1));
      const phrases = this.phrases.get(lower) ?? word.phrases;
      return { ...word, phrases, isNegated: lower.startsWith("n'") };
    }
    const stem = this.stemOf(lower);
    const isStopword = this.data.stopwords.has(lower);
    const listedScore = this.surveyScores.get(lower) ?? this.data.scores.get(lower);
    const isIn = (words: ReadonlySet<string>) => words.has(lower) || (!isStopword && words.has(stem));
    // Measures such as long, small and high are negative only with "too".
    const isMeasure = isIn(this.measures);
    return {
      lower,
      isMark: false,
      role: this.roles.get(lower) ?? (lower.endsWith("n't") ? 'negator' : 'word'),
      score: this.scoreOf(lower, stem, isStopword || isMeasure),
      isMeasure,
      isExpected: isIn(this.expected),
      isBetter: isIn(this.better),
      isNegated: false,
      isKnown: isStopword || HAS_DIGIT.test(lower) || this.roles.has(lower) || listedScore !== undefined,
      phrases: this.phrases.get(lower) ?? null,
    };
  }

  /** Survey word lists take precedence over the lexicon; stop words have no score. */
  private scoreOf(lower: string, stem: string, isPlain: boolean): number {
    const own = this.surveyScores.get(lower);
    if (own !== undefined) return own;
    if (isPlain || this.roles.has(lower)) return 0;
    const { scores, stemScores } = this.data;
    return this.surveyScoresByStem.get(stem) ?? scores.get(lower) ?? stemScores.get(stem) ?? 0;
  }

  private addEntry(words: string, properties: { role: Role } | { score: number }): void {
    const [first, ...rest] = tokenize(words.toLowerCase().replaceAll('ё', 'е'));
    if (first === undefined) return;
    if (rest.length === 0) {
      if ('role' in properties) this.roles.set(first, properties.role);
      else this.surveyScores.set(first, properties.score);
      return;
    }
    const phrases = this.phrases.get(first) ?? [];
    phrases.push({ rest, word: { ...PLAIN, ...properties, lower: words, isKnown: true } });
    this.phrases.set(
      first,
      phrases.sort((a, b) => b.rest.length - a.rest.length),
    );
  }

  private addUnaccented(): void {
    for (const [word, score] of [...this.surveyScores]) {
      const unaccentedWord = unaccented(word);
      if (
        unaccentedWord.length >= MIN_UNACCENTED_LETTERS &&
        !this.surveyScores.has(unaccentedWord) &&
        !this.data.stopwords.has(unaccentedWord)
      )
        this.surveyScores.set(unaccentedWord, score);
    }
  }

  private withStems(list: string): ReadonlySet<string> {
    const words = parseWordList(list).map((word) => word.replaceAll('ё', 'е'));
    const unaccentedWords = ACCENTS_OPTIONAL.has(this.data.language) ? words.map(unaccented) : [];
    return new Set([...words, ...unaccentedWords, ...words.map((word) => this.data.stem(word))]);
  }

  /** Scores by stem; a stem with words of opposite sign gets 0. */
  private stemScores(scores: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    const byStem = new Map<string, number>();
    const contradicted = new Set<string>();
    for (const [word, score] of scores) {
      const stem = this.data.stem(word);
      const other = byStem.get(stem);
      if (other !== undefined && Math.sign(other) !== Math.sign(score)) contradicted.add(stem);
      else if (other === undefined || Math.abs(score) < Math.abs(other)) byStem.set(stem, score);
    }
    for (const stem of contradicted) byStem.set(stem, 0);
    return byStem;
  }
}

const unaccented = (word: string): string =>
  word
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');

/** Copies a substring, because a slice keeps the whole text in memory. */
const copyString = (word: string): string => (word.length < 13 ? word : ` ${word}`.slice(1));

/** A text with its words in its language. */
export interface TokenizedText {
  text: string;
  /** As written. */
  tokens: readonly string[];
  /** Parallel to `tokens`. */
  words: readonly Word[];
  vocabulary: Vocabulary;
}

export function tokenizeText(text: string, vocabulary: Vocabulary, tokens = tokenize(text)): TokenizedText {
  const words: Word[] = [];
  for (const token of tokens) words.push(vocabulary.wordOf(token));
  return { text, tokens, words, vocabulary };
}

/** Returns at most `size` items, evenly spaced. */
export function sampleEvenly<T>(items: readonly T[], size: number): T[] {
  const step = Math.max(1, items.length / size);
  let next = 0;
  return items.filter((_, index) => {
    if (index !== Math.floor(next)) return false;
    next += step;
    return true;
  });
}

/** A content word of a text. */
export interface Term {
  stem: string;
  written: string;
  /** Text between it and the previous term in the same clause; null: more than one function word, or a clause boundary. */
  link: string | null;
}

/** Maximum number of terms; the beginning of a longer text shows its topic. */
const MAX_TERMS = 400;
const UNSPACED_START = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const HAS_LETTER = /\p{L}/u;

/** Returns the words of a text without stop words, in order. */
export function extractTerms({ tokens, words, vocabulary }: TokenizedText): Term[] {
  const terms: Term[] = [];
  let between: string[] = [];
  let isBroken = true;
  for (const [at, token] of tokens.entries()) {
    const word = words[at];
    if (word === undefined) break;
    const { lower, role } = word;
    if (role === 'end' || role === 'pause') {
      isBroken = true;
    } else if (isContent(lower, vocabulary)) {
      const link = isBroken || between.length > 1 ? null : linkOf(token, between);
      terms.push({ stem: vocabulary.stemOf(lower), written: token, link });
      if (terms.length === MAX_TERMS) break;
      isBroken = false;
    } else {
      between.push(token);
      continue;
    }
    between = [];
  }
  return terms;
}

const linkOf = (token: string, between: readonly string[]): string =>
  UNSPACED_START.test(token) ? between.join('') : [' ', ...between.map((word) => `${word} `)].join('');

function isContent(lower: string, { data: { stopwords } }: Vocabulary): boolean {
  if (stopwords.has(lower) || !HAS_LETTER.test(lower)) return false;
  return lower.length > 1 || UNSPACED_START.test(lower);
}
