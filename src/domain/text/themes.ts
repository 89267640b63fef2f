import { extractTerms, type Term, type TokenizedText } from './vocabulary.ts';
import { extractAllTerms, findPhrases, type Phrase } from './classify.ts';

/** TF-IDF weights by stem index; unit length, or empty. */
export type Vector = ReadonlyMap<number, number>;

interface VectorSpace {
  /** Parallel to the texts. */
  vectors: Vector[];
  /** Stem by index. */
  stems: string[];
}

/** Maximum number of stems; rarer ones do not help to group texts. */
const MAX_STEMS = 5_000;

/**
 * TF-IDF vectors: (1 + ln tf) · ln(1 + N / df), normalized to unit length (Salton and Buckley 1988). Stems in fewer than `least` texts are
 * ignored.
 */
export function* tfIdfVectors(
  all: readonly (readonly Term[])[],
  least: number,
): Generator<void, VectorSpace> {
  const counts = new Map<string, number>();
  for (const terms of all) {
    for (const stem of new Set(terms.map(({ stem }) => stem))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    yield;
  }
  const kept = [...counts].filter(([, count]) => count >= least);
  if (kept.length > MAX_STEMS) kept.sort(([, x], [, y]) => y - x);
  const stems = kept.slice(0, MAX_STEMS).map(([stem]) => stem);
  const numbers = new Map(stems.map((stem, number) => [stem, number]));
  const vectors: Vector[] = [];
  for (const terms of all) {
    const vector = new Map<number, number>();
    for (const { stem } of terms) {
      const number = numbers.get(stem);
      if (number !== undefined) vector.set(number, (vector.get(number) ?? 0) + 1);
    }
    for (const [number, times] of vector)
      vector.set(number, (1 + Math.log(times)) * Math.log(1 + all.length / counts.get(stems[number]!)!));
    vectors.push(normalizeVector(vector));
    yield;
  }
  return { vectors, stems };
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

/**
 * Finds the themes of a set of texts: phrases shared by many texts not covered by earlier phrases become the centers of groups; words
 * frequent within a group and rare outside are its keywords. Yields often.
 */
export function* findThemes(texts: readonly TokenizedText[], most: number): Generator<void, Theme[]> {
  const all = yield* extractAllTerms(texts);
  const least = Math.max(2, Math.ceil(texts.length / 100));
  const phrases = yield* findPhrases(all, least);
  const centers = yield* chooseCenters([...phrases.values()], texts, most, least);
  const space = yield* tfIdfVectors(all, 2);
  const begin: Vector[] = [];
  for (const { texts: members } of centers) {
    begin.push(centroidOf(members.map((index) => space.vectors[index]!)));
    yield;
  }
  const groups = yield* kMeans(space.vectors, begin);
  const themes: { theme: Theme; size: number }[] = [];
  for (const [number, center] of centers.entries()) {
    const members = space.vectors.flatMap((_, index) => (groups[index] === number ? [index] : []));
    const keywords = keywordsOf(center, members, all, phrases);
    themes.push({
      theme: {
        name: capitalized(center.written),
        description: descriptionOf(center, keywords, phrases),
        keywords,
        examples: examplesOf(center, space, begin[number]!),
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
function* chooseCenters(
  phrases: readonly Phrase[],
  texts: readonly TokenizedText[],
  most: number,
  least: number,
): Generator<void, Phrase[]> {
  const isCovered = texts.map(() => false);
  const chosen: Phrase[] = [];
  let left = phrases.filter((phrase) => weightOf(phrase, texts) > 0);
  while (chosen.length < most) {
    let best: Phrase | null = null;
    let bestScore = 0;
    for (const phrase of left) {
      const isNew = phrase.texts.reduce((sum, text) => sum + (isCovered[text] === true ? 0 : 1), 0);
      const all = phrase.texts.length;
      const score =
        isNew * 2 < least ? 0 : (isNew + COVERED_TEXT_WEIGHT * (all - isNew)) * weightOf(phrase, texts);
      if (score > bestScore) [best, bestScore] = [phrase, score];
    }
    if (best === null) break;
    const { texts: coveredTexts } = best;
    chosen.push(best);
    for (const text of coveredTexts) isCovered[text] = true;
    left = left.filter((phrase) => overlap(phrase.texts, coveredTexts) < MAX_OVERLAP);
    yield;
  }
  return chosen;
}

/** Prefers phrases of two words; sentiment words are weak themes. */
function weightOf({ key, texts: textIndexes }: Phrase, texts: readonly TokenizedText[]): number {
  const { vocabulary } = texts[textIndexes[0]!]!;
  const stems = key.split(' ');
  const judgementStems = stems.filter((stem) => isJudgement(stem, vocabulary)).length;
  if (judgementStems === stems.length) return 0.05;
  return (stems.length > 1 ? 1.3 : 1) * (judgementStems > 0 ? 0.5 : 1);
}

const isJudgement = (stem: string, { data }: TokenizedText['vocabulary']): boolean =>
  Math.abs(data.stemScores.get(stem) ?? 0) >= 3;

/** Returns the intersection of two ascending lists as a share of the shorter one. */
function overlap(a: readonly number[], b: readonly number[]): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i]! === b[j]!) shared += 1;
    if (a[i]! <= b[j]!) i += 1;
    else j += 1;
  }
  return shared / Math.min(a.length, b.length);
}

function keywordsOf(
  center: Phrase,
  members: readonly number[],
  all: readonly (readonly Term[])[],
  phrases: ReadonlyMap<string, Phrase>,
): string[] {
  const within = new Map<string, number>();
  for (const index of members) {
    for (const stem of new Set(all[index]!.map(({ stem }) => stem)))
      within.set(stem, (within.get(stem) ?? 0) + 1);
  }
  const least = Math.max(2, members.length * 0.15);
  const distinctive = [...within]
    .filter(([stem, count]) => {
      const totalCount = phrases.get(stem)?.texts.length ?? Infinity;
      return (
        stem !== center.key &&
        count >= least &&
        count / members.length >= (MIN_LIFT * totalCount) / all.length
      );
    })
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([stem]) => stem);
  return [center.key, ...distinctive].slice(0, MAX_KEYWORDS);
}

function examplesOf(center: Phrase, { vectors }: VectorSpace, begin: Vector): number[] {
  return center.texts
    .map((index) => ({ index, near: cosineSimilarity(vectors[index]!, begin) }))
    .sort((a, b) => b.near - a.near || a.index - b.index)
    .slice(0, EXAMPLES)
    .map(({ index }) => index);
}

function descriptionOf(
  center: Phrase,
  keywords: readonly string[],
  phrases: ReadonlyMap<string, Phrase>,
): string {
  const also = keywords.slice(1, 5).map((key) => `“${phrases.get(key)?.written ?? key}”`);
  const others = also.length === 0 ? '' : `, often with ${also.join(', ')}`;
  return `Texts with “${center.written}”${others}.`;
}

const capitalized = (text: string): string => {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
};
