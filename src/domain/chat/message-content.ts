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

/** Words that the kind of intent already implies. */
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
  /** The original text. */
  text: string;
  /** Folded content words that an intent must cover; empty for function words and keywords. */
  content: readonly { word: string; before: string }[];
}

/**
 * The content words of a message: all except function words and keywords. Negations and numbers count, because they change the question.
 */
export class MessageContent {
  private readonly tokens: readonly Token[];

  constructor(
    message: string,
    private readonly vocabulary: Vocabulary,
  ) {
    // A code in its exact spelling counts as content, even if it is also a keyword.
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
   * Returns the words that an intent does not cover, adjacent words joined, such as `under 30` in "What share of cyclists are under 30?".
   * `optionsOf` returns the options of a variable that the message names.
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
    const intentVariables = variablesOf(intent);
    const batteries = this.vocabulary.variables.filter(({ code }) =>
      intentVariables.some(({ partOf }) => partOf === code),
    );
    const texts = [...intentVariables, ...batteries]
      .map(({ label }) => label)
      .concat(intentVariables.flatMap(optionsOf));
    const searchText = intent.kind === 'verbatims' ? (intent.contains ?? '') : '';
    const codes = [...intentVariables, ...batteries].map(({ code }) => code.toLowerCase());
    const exact = new Set([...codes, ...[...texts, searchText].flatMap(wordsOf)]);
    const contentWords = [...new Set(texts.flatMap(wordsOf))].filter((word) => !STOP_WORDS.has(word));
    return (word: string, before: string): boolean => {
      if (exact.has(word) || IMPLIED_BY_INTENT[intent.kind]?.has(word) === true) return true;
      // "The top 3", "wave 2" of all waves.
      if (isNumber(word)) return isOrderWord(before) || (intent.kind === 'waves' && isKeyword(before));
      return !NEGATIONS.has(word) && contentWords.some((own) => wordSimilarity(own, word) > 0);
    };
  }
}

const isNumber = (word: string): boolean => /^\d+$/.test(word);

function isContentWord(word: string): boolean {
  if (isNumber(word) || NEGATIONS.has(word)) return true;
  const isSmall = word.length === 1 || STOP_WORDS.has(word) || FILLER_WORDS.has(word);
  return !isSmall && !isKeyword(word) && !isBreakdownWord(word);
}
