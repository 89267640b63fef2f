import { extractTerms, type Term, type TokenizedText } from './vocabulary.ts';

/** A text with its terms. */
export interface AnalyzedText extends TokenizedText {
  /** Position among the texts. */
  index: number;
  terms: readonly Term[];
}

/** Extracts the terms of each text. Yields after each. */
export function* extractAllTerms<T extends TokenizedText>(
  texts: readonly T[],
): Generator<void, (T & AnalyzedText)[]> {
  const all: (T & AnalyzedText)[] = [];
  for (const [index, text] of texts.entries()) {
    all.push({ ...text, index, terms: extractTerms(text) });
    yield;
  }
  return all;
}

/** A word, or two adjacent words, that several texts contain. */
interface Phrase<T> {
  /** Stems separated by a space. */
  key: string;
  /** The texts that contain it, in order. */
  texts: readonly [T, ...T[]];
  /** Most frequent spelling. */
  written: string;
}

interface PhraseOccurrences<T> {
  texts: [T, ...T[]];
  spellings: Map<string, number>;
}

/** Maximum number of spellings counted per phrase. */
const MAX_SPELLINGS = 20;

/** Finds phrases in at least `least` texts, by key, in order of first occurrence. */
function* findPhrases<T extends AnalyzedText>(
  texts: readonly T[],
  least: number,
): Generator<void, Map<string, Phrase<T>>> {
  const occurrences = new Map<string, PhraseOccurrences<T>>();
  const addOccurrence = (text: T, key: string, written: string) => {
    let found = occurrences.get(key);
    if (found === undefined) occurrences.set(key, (found = { texts: [text], spellings: new Map() }));
    if (found.texts.at(-1) !== text) found.texts.push(text);
    const count = found.spellings.get(written);
    if (count !== undefined || found.spellings.size < MAX_SPELLINGS)
      found.spellings.set(written, (count ?? 0) + 1);
  };
  for (const text of texts) {
    for (const [at, term] of text.terms.entries()) {
      addOccurrence(text, term.stem, term.written);
      const before = text.terms[at - 1];
      if (before !== undefined && term.link !== null && before.stem !== term.stem)
        addOccurrence(text, `${before.stem} ${term.stem}`, before.written + term.link + term.written);
    }
    yield;
  }
  const phrases = new Map<string, Phrase<T>>();
  let checkedCount = 0;
  for (const [key, { texts: containing, spellings }] of occurrences) {
    if (containing.length >= least)
      phrases.set(key, { key, texts: containing, written: mostFrequent(spellings) });
    checkedCount += 1;
    if (checkedCount % 2_000 === 0) yield;
  }
  return phrases;
}

/** Of equally frequent spellings, returns the first by code point. */
function mostFrequent(spellings: ReadonlyMap<string, number>): string {
  let best = '';
  let most = 0;
  for (const [spelling, count] of spellings)
    if (count > most || (count === most && spelling < best)) [best, most] = [spelling, count];
  return best;
}

/** TF-IDF weights by stem index; unit length, or empty. */
export type Vector = ReadonlyMap<number, number>;

interface VectorSpace<T> {
  /** The texts with their vectors. */
  weighted: (T & { vector: Vector })[];
  /** Stem by index. */
  stems: string[];
}

/** Maximum number of stems; rarer ones do not help to group texts. */
const MAX_STEMS = 5_000;

/**
 * TF-IDF vectors: (1 + ln tf) · ln(1 + N / df), normalized to unit length (Salton and Buckley 1988). Stems in fewer than `least` texts are
 * ignored.
 */
export function* tfIdfVectors<T extends { terms: readonly Term[] }>(
  texts: readonly T[],
  least: number,
): Generator<void, VectorSpace<T>> {
  const counts = new Map<string, number>();
  for (const { terms } of texts) {
    for (const stem of new Set(terms.map(({ stem }) => stem))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    yield;
  }
  const kept = [...counts].filter(([, count]) => count >= least);
  if (kept.length > MAX_STEMS) kept.sort(([, x], [, y]) => y - x);
  const dimensions = kept.slice(0, MAX_STEMS).map(([stem, count], number) => {
    return { stem, number, rarity: Math.log(1 + texts.length / count) };
  });
  const byStem = new Map(dimensions.map((dimension) => [dimension.stem, dimension]));
  const weighted: (T & { vector: Vector })[] = [];
  for (const text of texts) {
    const occurrences = new Map<(typeof dimensions)[number], number>();
    for (const { stem } of text.terms) {
      const dimension = byStem.get(stem);
      if (dimension !== undefined) occurrences.set(dimension, (occurrences.get(dimension) ?? 0) + 1);
    }
    const vector = new Map<number, number>();
    for (const [{ number, rarity }, times] of occurrences) vector.set(number, (1 + Math.log(times)) * rarity);
    weighted.push({ ...text, vector: normalizeVector(vector) });
    yield;
  }
  return { weighted, stems: dimensions.map(({ stem }) => stem) };
}

export function normalizeVector(vector: Map<number, number>): Map<number, number> {
  let squares = 0;
  for (const weight of vector.values()) squares += weight * weight;
  const length = Math.sqrt(squares);
  if (length > 0) for (const [number, weight] of vector) vector.set(number, weight / length);
  return vector;
}

/** Returns the cosine similarity of unit vectors, from 0 to 1. */
export function cosineSimilarity(a: Vector, b: Vector): number {
  if (a.size > b.size) return cosineSimilarity(b, a);
  let sum = 0;
  for (const [number, weight] of a) sum += weight * (b.get(number) ?? 0);
  return sum;
}

/** Returns the normalized centroid. */
export function centroidOf(vectors: Iterable<Vector>): Map<number, number> {
  const sum = new Map<number, number>();
  for (const vector of vectors) {
    for (const [number, weight] of vector) sum.set(number, (sum.get(number) ?? 0) + weight);
  }
  return normalizeVector(sum);
}

const MAX_ROUNDS = 12;

/**
 * Spherical k-means (Dhillon and Modha 2001) from given centers, so that the result is deterministic. Returns the group index of each
 * vector; -1: similar to none. Yields after each vector.
 */
export function* kMeans(vectors: readonly Vector[], begin: readonly Vector[]): Generator<void, number[]> {
  let centers: readonly Vector[] = begin;
  let groups: number[] = vectors.map(() => -1);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next: number[] = [];
    for (const vector of vectors) {
      next.push(nearest(vector, centers));
      yield;
    }
    const isSettled = next.every((group, index) => group === groups[index]);
    groups = next;
    if (isSettled) break;
    const moved: Vector[] = [];
    for (const [number, center] of centers.entries()) {
      const members = vectors.filter((_, index) => groups[index] === number);
      moved.push(members.length === 0 ? center : centroidOf(members));
      yield;
    }
    centers = moved;
  }
  return groups;
}

function nearest(vector: Vector, centers: readonly Vector[]): number {
  let group = -1;
  let most = 0;
  for (const [number, center] of centers.entries()) {
    const similarity = cosineSimilarity(vector, center);
    // Ties go to the first group, whose theme is more common.
    if (similarity > most) [group, most] = [number, similarity];
  }
  return group;
}

export interface Theme {
  name: string;
  description: string;
  /** Stems; phrases are stems separated by a space. */
  keywords: string[];
  /** Indexes of texts. */
  examples: number[];
}

const EXAMPLES = 3;
const MAX_KEYWORDS = 8;
/** Phrases whose texts overlap by this share form one theme. */
const MAX_OVERLAP = 0.6;
/** Weight of a text that already has a theme. */
const COVERED_TEXT_WEIGHT = 0.3;
/** Minimum ratio of a keyword's frequency within a theme to its overall frequency. */
const MIN_LIFT = 2;

type VectorText = AnalyzedText & { vector: Vector };

/**
 * Finds the themes of a set of texts: phrases shared by many texts not covered by earlier phrases become the centers of groups; words
 * frequent within a group and rare outside are its keywords. Yields often.
 */
export function* findThemes(texts: readonly TokenizedText[], most: number): Generator<void, Theme[]> {
  const { weighted } = yield* tfIdfVectors(yield* extractAllTerms(texts), 2);
  const least = Math.max(2, Math.ceil(texts.length / 100));
  const phrases = yield* findPhrases(weighted, least);
  const centers: { center: Phrase<VectorText>; vector: Vector }[] = [];
  for (const center of yield* chooseCenters([...phrases.values()], { most, least })) {
    centers.push({ center, vector: centroidOf(center.texts.map(({ vector }) => vector)) });
    yield;
  }
  const groups = yield* kMeans(
    weighted.map(({ vector }) => vector),
    centers.map(({ vector }) => vector),
  );
  const themes: { theme: Theme; size: number }[] = [];
  for (const [number, { center, vector }] of centers.entries()) {
    const members = weighted.filter((_, index) => groups[index] === number);
    const keywords = keywordsOf(center, { members, textCount: texts.length, phrases });
    themes.push({
      theme: {
        name: capitalized(center.written),
        description: descriptionOf(center, keywords, phrases),
        keywords,
        examples: examplesOf(center, vector),
      },
      size: center.texts.length,
    });
    yield;
  }
  return themes.sort((a, b) => b.size - a.size).map(({ theme }) => theme);
}

/** Creates a matcher that returns the indexes of the themes with a keyword in a text; themes without keywords match by name. */
export function createThemeMatcher(
  themes: readonly { name: string; keywords: readonly string[] }[],
): (text: TokenizedText) => number[] {
  const signs = themes.map(({ name, keywords }) =>
    (keywords.length > 0 ? keywords : [name]).map((keyword) => keyword.toLowerCase()),
  );
  return (text) => {
    const mentions = mentionsOf(extractTerms(text));
    const stemmed = (sign: string) =>
      sign
        .split(' ')
        .map((word) => text.vocabulary.stemOf(word))
        .join(' ');
    return signs.flatMap((themeKeywords, index) =>
      themeKeywords.some((sign) => mentions.has(sign) || mentions.has(stemmed(sign))) ? [index] : [],
    );
  };
}

/** Returns the words, stems and pairs that keywords can match. */
function mentionsOf(terms: readonly Term[]): Set<string> {
  const mentions = new Set<string>();
  for (const [at, { stem, written, link }] of terms.entries()) {
    mentions.add(stem).add(written.toLowerCase());
    const before = terms[at - 1];
    if (before === undefined || link === null) continue;
    mentions.add(`${before.stem} ${stem}`).add(`${before.written} ${written}`.toLowerCase());
  }
  return mentions;
}

/** Chooses centers greedily: each time the phrase that covers most uncovered texts. */
function* chooseCenters<T extends TokenizedText>(
  phrases: readonly Phrase<T>[],
  { most, least }: { most: number; least: number },
): Generator<void, Phrase<T>[]> {
  const covered = new Set<T>();
  const chosen: Phrase<T>[] = [];
  let left = phrases.filter((phrase) => weightOf(phrase) > 0);
  while (chosen.length < most) {
    let best: Phrase<T> | null = null;
    let bestScore = 0;
    for (const phrase of left) {
      const all = phrase.texts.length;
      const isNew = all - countWithin(phrase.texts, covered);
      const score = isNew * 2 < least ? 0 : (isNew + COVERED_TEXT_WEIGHT * (all - isNew)) * weightOf(phrase);
      if (score > bestScore) [best, bestScore] = [phrase, score];
    }
    if (best === null) break;
    const texts = new Set(best.texts);
    chosen.push(best);
    for (const text of texts) covered.add(text);
    left = left.filter((phrase) => {
      const shorter = Math.min(phrase.texts.length, texts.size);
      return countWithin(phrase.texts, texts) / shorter < MAX_OVERLAP;
    });
    yield;
  }
  return chosen;
}

/** Prefers phrases of two words; sentiment words are weak themes. */
function weightOf({ key, texts: [{ vocabulary }] }: Phrase<TokenizedText>): number {
  const stems = key.split(' ');
  const judgmentStems = stems.filter((stem) => isJudgment(stem, vocabulary)).length;
  if (judgmentStems === stems.length) return 0.05;
  return (stems.length > 1 ? 1.3 : 1) * (judgmentStems > 0 ? 0.5 : 1);
}

const isJudgment = (stem: string, { data }: TokenizedText['vocabulary']): boolean =>
  Math.abs(data.stemScores.get(stem) ?? 0) >= 3;

function countWithin<T>(items: readonly T[], set: ReadonlySet<T>): number {
  let count = 0;
  for (const item of items) if (set.has(item)) count += 1;
  return count;
}

function keywordsOf(
  center: Phrase<unknown>,
  {
    members,
    textCount,
    phrases,
  }: {
    members: readonly AnalyzedText[];
    textCount: number;
    phrases: ReadonlyMap<string, Phrase<unknown>>;
  },
): string[] {
  const within = new Map<string, number>();
  for (const { terms } of members) {
    for (const stem of new Set(terms.map(({ stem }) => stem))) within.set(stem, (within.get(stem) ?? 0) + 1);
  }
  const least = Math.max(2, members.length * 0.15);
  const distinctive = [...within]
    .filter(([stem, count]) => {
      const totalCount = phrases.get(stem)?.texts.length ?? Infinity;
      return (
        stem !== center.key && count >= least && count / members.length >= (MIN_LIFT * totalCount) / textCount
      );
    })
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([stem]) => stem);
  return [center.key, ...distinctive].slice(0, MAX_KEYWORDS);
}

function examplesOf(center: Phrase<VectorText>, centroid: Vector): number[] {
  return center.texts
    .map(({ index, vector }) => ({ index, near: cosineSimilarity(vector, centroid) }))
    .sort((a, b) => b.near - a.near || a.index - b.index)
    .slice(0, EXAMPLES)
    .map(({ index }) => index);
}

function descriptionOf(
  center: Phrase<unknown>,
  keywords: readonly string[],
  phrases: ReadonlyMap<string, Phrase<unknown>>,
): string {
  const also = keywords.slice(1, 5).map((key) => `“${phrases.get(key)?.written ?? key}”`);
  const others = also.length === 0 ? '' : `, often with ${also.join(', ')}`;
  return `Texts with “${center.written}”${others}.`;
}

const capitalized = (text: string): string => {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
};
