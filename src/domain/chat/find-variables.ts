import type { Variable, Vocabulary } from './vocabulary.ts';
import { STOP_WORDS, wordSimilarity, wordsOf } from './word-matching.ts';

/** A variable that a text may be about. */
export interface VariableMatch {
  variable: Variable;
  /** 0: not at all. */
  score: number;
  byCode: boolean;
  /** Options that are named. */
  options: readonly string[];
  /** The first word that speaks of it, from 0. */
  wordIndex: number;
}

const CODE_SCORE = 100;
/** A word of the text that is a word of the label counts for more the fewer labels have it. */
const MIN_SCORE = 0.5;
/** What an option's words count beside those of a label. */
const OPTION_WEIGHT = 1.2;
/** A part of a battery is meant only when its own words are said: its question's words are those of all parts. */
const BATTERY_CODE_BONUS = 0.3;
/** Nobody means an option by these alone. */
const COMMON_OPTION_WORDS = new Set(wordsOf('yes no ja nein si sí non oui sim não да нет other none maybe'));

interface IndexedVariable {
  variable: Variable;
  code: string;
  labelWords: ReadonlySet<string>;
  options: { label: string; words: string[] }[];
}

/** A text as it is looked through. */
interface TokenizedMessage {
  text: string;
  words: readonly string[];
  content: readonly { word: string; place: number }[];
}

/** Finds what a text is about: codes, words of labels and names of options. */
export class VariableFinder {
  private readonly variables: IndexedVariable[];
  private readonly labelsWithWord = new Map<string, number>();
  private readonly ignored: (word: string) => boolean;

  /** `ignored`: words of a question that are about how it is asked, not about what. */
  constructor(vocabulary: Vocabulary, ignored: (word: string) => boolean) {
    this.ignored = ignored;
    this.variables = vocabulary.variables.map((variable) => {
      const labelWords = new Set(wordsOf(ownLabel(variable, vocabulary)).filter(isContentWord));
      const options = variable.options.map(({ label }) => ({
        label,
        words: wordsOf(label),
      }));
      for (const word of labelWords) this.labelsWithWord.set(word, (this.labelsWithWord.get(word) ?? 0) + 1);
      return { variable, code: variable.code.toLowerCase(), labelWords, options };
    });
  }

  /** The best first. */
  find(text: string, only: (variable: Variable) => boolean = () => true): VariableMatch[] {
    const words = wordsOf(text);
    const content = words.map((word, place) => ({ word, place })).filter(({ word }) => isContentWord(word));
    const said = { text, words, content };
    return this.variables
      .filter(({ variable }) => only(variable))
      .map((described) => this.score(described, said))
      .filter(({ score }) => score >= MIN_SCORE)
      .sort((a, b) => b.score - a.score);
  }

  private score(
    { variable, code, labelWords, options }: IndexedVariable,
    { text, words, content }: TokenizedMessage,
  ): VariableMatch {
    const codePlace = words.indexOf(code);
    const byCode = codePlace >= 0 && isUsableCode(code) && this.isTypedAsCode(variable.code, text, content);
    let place = byCode ? codePlace : words.length;
    let score = byCode ? CODE_SCORE : 0;
    for (const said of content) {
      const best = Math.max(
        0,
        ...[...labelWords].map((word) => wordSimilarity(word, said.word) * this.rarity(word)),
      );
      if (best === 0) continue;
      score += this.ignored(said.word) ? best * 0.2 : best;
      place = Math.min(place, said.place);
    }
    const named: string[] = [];
    for (const option of options) {
      const places = option.words.map((word) => words.findIndex((said) => isSameWord(said, word)));
      if (places.includes(-1) || !this.isDistinctive(option.words, labelWords)) continue;
      named.push(option.label);
      score += OPTION_WEIGHT * Math.log2(1 + option.words.length);
      place = Math.min(place, ...places);
    }
    // Of equals, the whole goes before its parts, and short labels before long ones.
    const neat = score === 0 ? 0 : 0.01 / (1 + labelWords.size);
    const hint =
      variable.partOf !== null && words.includes(variable.partOf.toLowerCase()) ? BATTERY_CODE_BONUS : 0;
    return {
      variable,
      score: score === 0 ? 0 : score + neat + hint,
      byCode,
      options: withoutContainedOptions(named),
      wordIndex: place,
    };
  }

  /** A code such as SHARE is also a word in which things are asked: it is meant where it is typed as a code, or nothing else is said. */
  private isTypedAsCode(code: string, text: string, content: TokenizedMessage['content']): boolean {
    const folded = code.toLowerCase();
    if (!this.ignored(folded)) return true;
    const typed: readonly string[] = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
    const isTyped = code !== folded && typed.includes(code);
    return isTyped || content.every(({ word }) => this.ignored(word));
  }

  /** Whether an option's words are its own: not those of its question, nor words that are in many sentences. */
  private isDistinctive(words: readonly string[], labelWords: ReadonlySet<string>): boolean {
    const isPlain = (word: string) =>
      !isContentWord(word) || /^\d+$/.test(word) || COMMON_OPTION_WORDS.has(word) || this.ignored(word);
    if (words.every(isPlain)) return false;
    return !words.every((word) => [...labelWords].some((own) => wordSimilarity(own, word) > 0));
  }

  private rarity(word: string): number {
    return Math.log(1 + this.variables.length / (this.labelsWithWord.get(word) ?? 1)) / Math.LN2;
  }
}

/** `satisfied` is in `very satisfied`: who says the longer one does not mean the shorter. */
function withoutContainedOptions(named: readonly string[]): string[] {
  const words = named.map((label) => wordsOf(label));
  return named.filter((_, index) => {
    const own = words[index]!;
    return !words.some(
      (other, place) =>
        place !== index && other.length > own.length && own.every((word) => other.includes(word)),
    );
  });
}

/** A part is called by what it has beyond its battery's question. */
function ownLabel({ label, partOf }: Variable, { variables }: Vocabulary): string {
  const whole = partOf === null ? undefined : variables.find(({ code }) => code === partOf);
  return whole !== undefined && label.startsWith(whole.label) ? label.slice(whole.label.length) : label;
}

/** The same word, or with another ending: `South`, `southern`. */
const isSameWord = (a: string, b: string): boolean =>
  a === b || (wordSimilarity(a, b) > 0 && Math.abs(a.length - b.length) <= MAX_ENDING_DIFFERENCE);
const MAX_ENDING_DIFFERENCE = 3;

const isContentWord = (word: string): boolean => word.length > 1 && !STOP_WORDS.has(word);

/** A code of one letter is a word of some language. */
const isUsableCode = (code: string): boolean => code.length > 1 && !STOP_WORDS.has(code);
