import { type KnownText, knownText } from './known-text.ts';
import { type Term, termsOf } from './terms.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Category {
  name: string;
  description?: string;
  keywords?: readonly string[];
}

export interface Classified {
  category: string | null;
  confidence: number;
}

const OF_NAME = 3;
const OF_KEYWORD = 2;
const OF_DESCRIPTION = 1;

/** Gives a text the category whose name, keywords and description it shares most words with; null: none. */
export function classifierInto(categories: readonly Category[]): (text: KnownText) => Classified {
  const recognizers = new Map<Vocabulary, readonly ReadonlyMap<string, number>[]>();
  return (text) => {
    let mine = recognizers.get(text.vocabulary);
    if (mine === undefined) {
      mine = categories.map((category) => weightsOf(category, text.vocabulary));
      recognizers.set(text.vocabulary, mine);
    }
    return bestOf(termsOf(text), mine, categories);
  };
}

function weightsOf({ name, description, keywords }: Category, vocabulary: Vocabulary): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const { stem } of termsOf(knownText(text, vocabulary)))
      weights.set(stem, Math.max(weights.get(stem) ?? 0, weight));
  };
  add(name, OF_NAME);
  for (const keyword of keywords ?? []) add(keyword, OF_KEYWORD);
  add(description ?? '', OF_DESCRIPTION);
  // Keywords may be stems already.
  for (const keyword of keywords ?? []) if (!weights.has(keyword)) weights.set(keyword, OF_KEYWORD);
  return weights;
}

function bestOf(
  terms: readonly Term[],
  recognizers: readonly ReadonlyMap<string, number>[],
  categories: readonly Category[],
): Classified {
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
