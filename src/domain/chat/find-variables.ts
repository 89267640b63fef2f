import type { Variable, Vocabulary } from './vocabulary.ts';
import { STOP_WORDS, wordSimilarity, wordsOf } from './word-matching.ts';

/** A variable that a message may refer to. */
export interface VariableMatch {
  variable: Variable;
  /** 0: no match. */
  score: number;
  byCode: boolean;
  /** The options that the message names. */
  options: readonly string[];
  /** Index of the first matching word. */
  wordIndex: number;
}

const CODE_SCORE = 100;
/** The minimum score of a match. A shared word scores higher the fewer labels contain it. */
const MIN_SCORE = 0.5;
/** Weight of an option's words relative to label words. */
const OPTION_WEIGHT = 1.2;
/** Bonus for a battery's part if the message contains the battery's code; its question text alone matches all parts. */
const BATTERY_CODE_BONUS = 0.3;
/** Option words too common to identify an option. */
const COMMON_OPTION_WORDS = new Set(wordsOf('yes no ja nein si sí non oui sim não да нет other none maybe'));

interface IndexedVariable {
  variable: Variable;
  code: string;
  labelWords: ReadonlySet<string>;
  options: { label: string; words: string[] }[];
}

/** A tokenized message. */
interface TokenizedMessage {
  text: string;
  words: readonly string[];
  content: readonly { word: string; position: number }[];
}

/** Finds the variables that a message refers to by code, label words or option names. */
export class VariableFinder {
  private readonly variables: IndexedVariable[];
  private readonly labelsWithWord = new Map<string, number>();

  /** `ignored`: returns true for words that describe the kind of question, not its topic. */
  constructor(
    vocabulary: Vocabulary,
    private readonly ignored: (word: string) => boolean,
  ) {
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

  /** Sorted by score, descending. */
  find(text: string, predicate: (variable: Variable) => boolean = () => true): VariableMatch[] {
    const words = wordsOf(text);
    const content = words
      .map((word, position) => ({ word, position }))
      .filter(({ word }) => isContentWord(word));
    const message = { text, words, content };
    return this.variables
      .filter(({ variable }) => predicate(variable))
      .map((described) => this.score(described, message))
      .filter(({ score }) => score >= MIN_SCORE)
      .sort((a, b) => b.score - a.score);
  }

  private score(
    { variable, code, labelWords, options }: IndexedVariable,
    { text, words, content }: TokenizedMessage,
  ): VariableMatch {
    const codePosition = words.indexOf(code);
    const byCode =
      codePosition >= 0 && isUsableCode(code) && this.isTypedAsCode(variable.code, text, content);
    let index = byCode ? codePosition : words.length;
    let score = byCode ? CODE_SCORE : 0;
    for (const { word: messageWord, position } of content) {
      const best = Math.max(
        0,
        ...[...labelWords].map((word) => wordSimilarity(word, messageWord) * this.rarity(word)),
      );
      if (best === 0) continue;
      score += this.ignored(messageWord) ? best * 0.2 : best;
      index = Math.min(index, position);
    }
    const namedOptions: string[] = [];
    for (const option of options) {
      const positions = option.words.map((word) =>
        words.findIndex((messageWord) => isSameWord(messageWord, word)),
      );
      if (positions.includes(-1) || !this.isDistinctive(option.words, labelWords)) continue;
      namedOptions.push(option.label);
      score += OPTION_WEIGHT * Math.log2(1 + option.words.length);
      index = Math.min(index, ...positions);
    }
    // Ties: a battery before its parts, short labels before long ones.
    const brevityBonus = score === 0 ? 0 : 0.01 / (1 + labelWords.size);
    const hint =
      variable.partOf !== null && words.includes(variable.partOf.toLowerCase()) ? BATTERY_CODE_BONUS : 0;
    return {
      variable,
      score: score === 0 ? 0 : score + brevityBonus + hint,
      byCode,
      options: withoutContainedOptions(namedOptions),
      wordIndex: index,
    };
  }

  /** A code such as SHARE can also be a keyword. It is a code if typed as in the survey (not in lower case), or without other content. */
  private isTypedAsCode(code: string, text: string, content: TokenizedMessage['content']): boolean {
    const folded = code.toLowerCase();
    if (!this.ignored(folded)) return true;
    const typed: readonly string[] = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
    const isTyped = code !== folded && typed.includes(code);
    return isTyped || content.every(({ word }) => this.ignored(word));
  }

  /** Whether an option's words identify it: they are neither words of its question nor common words. */
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

/** Removes options contained in longer ones: `very satisfied` does not also mean `satisfied`. */
function withoutContainedOptions(options: readonly string[]): string[] {
  const words = options.map((label) => wordsOf(label));
  return options.filter((_, index) => {
    const own = words[index]!;
    return !words.some(
      (other, otherIndex) =>
        otherIndex !== index && other.length > own.length && own.every((word) => other.includes(word)),
    );
  });
}

/** The part of a label that follows its battery's question. */
function ownLabel({ label, partOf }: Variable, { variables }: Vocabulary): string {
  const battery = partOf === null ? undefined : variables.find(({ code }) => code === partOf);
  return battery !== undefined && label.startsWith(battery.label) ? label.slice(battery.label.length) : label;
}

/** The same word, or with another ending: `South`, `southern`. */
const isSameWord = (a: string, b: string): boolean =>
  a === b || (wordSimilarity(a, b) > 0 && Math.abs(a.length - b.length) <= MAX_ENDING_DIFFERENCE);
const MAX_ENDING_DIFFERENCE = 3;

const isContentWord = (word: string): boolean => word.length > 1 && !STOP_WORDS.has(word);

/** Single letters are words in some languages. */
const isUsableCode = (code: string): boolean => code.length > 1 && !STOP_WORDS.has(code);
