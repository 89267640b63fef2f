import { type TokenizedText, tokenizeText } from './tokenized-text.ts';
import { type Term, extractTerms } from './terms.ts';
import type { Vocabulary } from './vocabulary.ts';

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
