import { extractTerms, type Term, type TokenizedText, tokenizeText, type Vocabulary } from './vocabulary.ts';

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
  const recognizers = new Map<Vocabulary, readonly CategoryStems[]>();
  return (text) => {
    let recognizer = recognizers.get(text.vocabulary);
    if (recognizer === undefined) {
      recognizer = categories.map((category) => {
        return { name: category.name, weights: stemWeights(category, text.vocabulary) };
      });
      recognizers.set(text.vocabulary, recognizer);
    }
    return bestCategory(extractTerms(text), recognizer);
  };
}

interface CategoryStems {
  name: string;
  weights: ReadonlyMap<string, number>;
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

function bestCategory(terms: readonly Term[], recognizers: readonly CategoryStems[]): Classification {
  const stems = new Set(terms.map(({ stem }) => stem));
  const scores = recognizers.map(({ name, weights }) => {
    return { name, score: [...stems].reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0) };
  });
  // Of equal scores, the first category wins: the sort is stable.
  const [best, next] = scores.sort((a, b) => b.score - a.score);
  if (best === undefined || best.score === 0)
    return { category: null, confidence: stems.size === 0 ? 0.9 : 0.4 };
  const second = next?.score ?? 0;
  const margin = (best.score - second) / (best.score + second);
  return { category: best.name, confidence: 0.3 + 0.6 * margin * (best.score / (best.score + 1)) };
}
