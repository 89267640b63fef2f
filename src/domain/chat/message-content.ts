import { type ClearIntent, variablesOf } from './intent.ts';
import { isBreakdownWord, isKeyword, isOrderWord } from './keywords.ts';
import type { Variable, Vocabulary } from './vocabulary.ts';
import { STOP_WORDS, FILLER_WORDS, wordSimilarity, wordsOf } from './word-matching.ts';

/** English, German, French, Spanish, Portuguese, Russian. */
const NEGATIONS: ReadonlySet<string> = new Set(
  wordsOf(
    'not without except excluding nicht kein keine keinen ohne außer pas sans sauf sin excepto não sem exceto не без кроме',
  ),
);

/** Words that say only what an answer of that kind says anyhow. */
const IMPLIED_BY_INTENT: Partial<Record<ClearIntent['kind'], ReadonlySet<string>>> = {
  waves: new Set(wordsOf('over change changed changes laufe verändert evolucionado évolué mudou изменилось')),
  crosstab: new Set(
    wordsOf(
      'significant significantly relate related relation relationship association connection signifikant zusammenhang significativa ' +
        'significativo relación significative significatif lien relação значимая значимо связь',
    ),
  ),
  statistics: new Set(['net', 'score']),
};

interface Token {
  /** As it was typed. */
  text: string;
  /** What of it an intent has to use, folded; empty where it is only language, or says how something is asked. */
  content: readonly { word: string; before: string }[];
}

/**
 * The words of content of a message. Words of language, and those that say how something is asked, are none. A negation and a number
 * are: they change what is asked.
 */
export class MessageContent {
  private readonly tokens: readonly Token[];
  private readonly vocabulary: Vocabulary;

  constructor(message: string, vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
    // A code that is written as a code is meant, even where its word is one in which things are asked.
    const codes = new Set(vocabulary.variables.map(({ code }) => code));
    let before = '';
    this.tokens = (message.match(/[\p{L}\p{N}\p{M}_’'-]+/gu) ?? []).map((text) => {
      const isCode = text !== text.toLowerCase() && codes.has(text);
      const content: { word: string; before: string }[] = [];
      for (const word of wordsOf(text.replace(/n[’']t$/i, ' not'))) {
        if (isCode || isContentWord(word)) content.push({ word, before });
        before = word;
      }
      return { text, content };
    });
  }

  /**
   * What an intent does not use, as it was typed, words in a row together: an answer would pass over it, such as `under 30` of "What
   * share of cyclists are under 30?". `optionsOf`: the options of a variable that the message names.
   */
  findUnusedWords(intent: ClearIntent, optionsOf: (variable: Variable) => readonly string[]): string[] {
    const isUsed = this.createUsageTest(intent, optionsOf);
    const rows: string[][] = [[]];
    for (const { text, content } of this.tokens) {
      if (content.every(({ word, before }) => isUsed(word, before))) rows.push([]);
      else rows.at(-1)!.push(text);
    }
    return rows.filter((row) => row.length > 0).map((row) => row.join(' '));
  }

  private createUsageTest(intent: ClearIntent, optionsOf: (variable: Variable) => readonly string[]) {
    const about = variablesOf(intent);
    const wholes = this.vocabulary.variables.filter(({ code }) =>
      about.some(({ partOf }) => partOf === code),
    );
    const texts = [...about, ...wholes].map(({ label }) => label).concat(about.flatMap(optionsOf));
    const sought = intent.kind === 'verbatims' ? (intent.contains ?? '') : '';
    const codes = [...about, ...wholes].map(({ code }) => code.toLowerCase());
    const exact = new Set([...codes, ...[...texts, sought].flatMap(wordsOf)]);
    const alike = [...new Set(texts.flatMap(wordsOf))].filter((word) => !STOP_WORDS.has(word));
    return (word: string, before: string): boolean => {
      if (exact.has(word) || IMPLIED_BY_INTENT[intent.kind]?.has(word) === true) return true;
      // "The top 3", "wave 2" of all waves.
      if (isNumber(word)) return isOrderWord(before) || (intent.kind === 'waves' && isKeyword(before));
      return !NEGATIONS.has(word) && alike.some((own) => wordSimilarity(own, word) > 0);
    };
  }
}

const isNumber = (word: string): boolean => /^\d+$/.test(word);

function isContentWord(word: string): boolean {
  if (isNumber(word) || NEGATIONS.has(word)) return true;
  const isSmall = word.length === 1 || STOP_WORDS.has(word) || FILLER_WORDS.has(word);
  return !isSmall && !isKeyword(word) && !isBreakdownWord(word);
}
