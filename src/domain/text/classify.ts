import { extractTerms, type Term, type TokenizedText, tokenizeText, type Vocabulary } from './vocabulary.ts';

/** A word, or two adjacent words, that several texts contain. */
export interface Phrase {
  /** Stems separated by a space. */
  key: string;
  /** Ascending indexes of the texts that contain it. */
  texts: number[];
  /** Most frequent spelling. */
  written: string;
}

interface PhraseOccurrences {
  texts: number[];
  spellings: Map<string, number>;
}

/** Maximum number of spellings counted per phrase. */
const MAX_SPELLINGS = 20;

/** Extracts the terms of each text. Yields after each. */
export function* extractAllTerms(texts: readonly TokenizedText[]): Generator<void, Term[][]> {
  const all: Term[][] = [];
  for (const text of texts) {
    all.push(extractTerms(text));
    yield;
  }
  return all;
}

/** Finds phrases in at least `least` texts, by key, in order of first occurrence. */
export function* findPhrases(
  all: readonly (readonly Term[])[],
  least: number,
): Generator<void, Map<string, Phrase>> {
  const occurrences = new Map<string, PhraseOccurrences>();
  for (const [text, terms] of all.entries()) {
    for (const [at, term] of terms.entries()) {
      addOccurrence(occurrences, term.stem, term.written, text);
      const before = terms[at - 1];
      if (before !== undefined && term.link !== null && before.stem !== term.stem)
        addOccurrence(
          occurrences,
          `${before.stem} ${term.stem}`,
          before.written + term.link + term.written,
          text,
        );
    }
    yield;
  }
  const phrases = new Map<string, Phrase>();
  let checkedCount = 0;
  for (const [key, { texts, spellings }] of occurrences) {
    if (texts.length >= least) phrases.set(key, { key, texts, written: mostFrequent(spellings) });
    checkedCount += 1;
    if (checkedCount % 2_000 === 0) yield;
  }
  return phrases;
}

function addOccurrence(
  occurrences: Map<string, PhraseOccurrences>,
  key: string,
  written: string,
  text: number,
): void {
  let found = occurrences.get(key);
  if (found === undefined) occurrences.set(key, (found = { texts: [], spellings: new Map() }));
  if (found.texts.at(-1) !== text) found.texts.push(text);
  const count = found.spellings.get(written);
  if (count !== undefined || found.spellings.size < MAX_SPELLINGS)
    found.spellings.set(written, (count ?? 0) + 1);
}

function mostFrequent(spellings: ReadonlyMap<string, number>): string {
  const [first] = [...spellings].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return first![0];
}

export interface Category {
  name: string;
  description?: string;
  keywords?: readonly string[];
}

export interface Classification {
  category: string | null;
  confidence: number;
}

const NAME_WEIGHT = 3;
const KEYWORD_WEIGHT = 2;
const DESCRIPTION_WEIGHT = 1;

/** Creates a classifier that assigns the category whose name, keywords and description share most words with the text; null: none. */
export function createClassifier(categories: readonly Category[]): (text: TokenizedText) => Classification {
  const recognizers = new Map<Vocabulary, readonly ReadonlyMap<string, number>[]>();
  return (text) => {
    let recognizer = recognizers.get(text.vocabulary);
    if (recognizer === undefined) {
      recognizer = categories.map((category) => stemWeights(category, text.vocabulary));
      recognizers.set(text.vocabulary, recognizer);
    }
    return bestCategory(extractTerms(text), recognizer, categories);
  };
}

function stemWeights({ name, description, keywords }: Category, vocabulary: Vocabulary): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const { stem } of extractTerms(tokenizeText(text, vocabulary)))
      weights.set(stem, Math.max(weights.get(stem) ?? 0, weight));
  };
  add(name, NAME_WEIGHT);
  for (const keyword of keywords ?? []) add(keyword, KEYWORD_WEIGHT);
  add(description ?? '', DESCRIPTION_WEIGHT);
  // Keywords can be stems already.
  for (const keyword of keywords ?? []) if (!weights.has(keyword)) weights.set(keyword, KEYWORD_WEIGHT);
  return weights;
}

function bestCategory(
  terms: readonly Term[],
  recognizers: readonly ReadonlyMap<string, number>[],
  categories: readonly Category[],
): Classification {
  const stems = new Set(terms.map(({ stem }) => stem));
  const scores = recognizers.map((weights) =>
    [...stems].reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0),
  );
  const best = Math.max(0, ...scores);
  if (best === 0) return { category: null, confidence: stems.size === 0 ? 0.9 : 0.4 };
  const at = scores.indexOf(best);
  const second = Math.max(0, ...scores.filter((_, index) => index !== at));
  const margin = (best - second) / (best + second);
  return { category: categories[at]!.name, confidence: 0.3 + 0.6 * margin * (best / (best + 1)) };
}
