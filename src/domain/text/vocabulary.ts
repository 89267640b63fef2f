/** What is known of a language, as it was read from packages. */
export interface LanguageData {
  /** ISO 639-1. */
  language: string;
  /** From -5 to 5, by word in lower case; emoji too. */
  scores: ReadonlyMap<string, number>;
  /** The same by stem, for words that are in none of their forms that are listed. */
  stemScores: ReadonlyMap<string, number>;
  stopwords: ReadonlySet<string>;
  negators: readonly string[];
  /** Of a word in lower case; languages without a stemmer give it back. */
  stem: (word: string) => string;
}

/** Every word that was met is kept, up to so many. */
const MOST_KEPT = 30_000;

export type Role =
  'word' | 'end' | 'pause' | 'negator' | 'intensifier' | 'diminisher' | 'but' | 'excess' | 'wish';

/** What is known of a word. */
export interface Word {
  lower: string;
  role: Role;
  /** From -5 to 5. */
  score: number;
  /** What it means when it is denied: "does not work". null: its score, turned around. */
  denied: number | null;
  /** Somebody speaks this language when they use it. */
  isKnown: boolean;
}

/** Words of a language, and what they say. */
export class Vocabulary {
  readonly data: LanguageData;
  private readonly roles: ReadonlyMap<string, Role>;
  private readonly words = new Map<string, Word>();
  private readonly stems = new Map<string, string>();

  constructor(data: LanguageData) {
    this.data = data;
    this.roles = new Map(data.negators.map((word) => [word, 'negator']));
  }

  /** Of a token as it was written. */
  wordOf(token: string): Word {
    const known = this.words.get(token);
    if (known !== undefined) return known;
    const word = this.lookUp(token);
    if (this.words.size >= MOST_KEPT) this.words.clear();
    this.words.set(standingAlone(token), word);
    return word;
  }

  stemOf(lower: string): string {
    const known = this.stems.get(lower);
    if (known !== undefined) return known;
    const stem = this.data.stem(lower);
    if (this.stems.size >= MOST_KEPT) this.stems.clear();
    this.stems.set(standingAlone(lower), stem);
    return stem;
  }

  private lookUp(token: string): Word {
    const lower = standingAlone(token.toLowerCase());
    const mark = MARKS.get(lower);
    if (mark !== undefined) return { lower, role: mark, score: 0, denied: null, isKnown: false };
    const { scores, stemScores, stopwords } = this.data;
    const role = this.roles.get(lower) ?? 'word';
    const listed = stopwords.has(lower) ? 0 : scores.get(lower);
    const score = listed ?? stemScores.get(this.stemOf(lower)) ?? 0;
    return { lower, role, score, denied: null, isKnown: role !== 'word' || listed !== undefined };
  }
}

const MARKS = new Map<string, Role>([
  ['.', 'end'],
  ['!', 'end'],
  ['?', 'end'],
  [',', 'pause'],
]);

/** A piece of a text keeps the whole text in memory; a copy of it does not. */
const standingAlone = (word: string): string => (word.length < 13 ? word : ` ${word}`.slice(1));
