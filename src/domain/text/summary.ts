import { extractAllTerms } from './classify.ts';
import { type TokenizedText, tokenizeText } from './vocabulary.ts';
import { MAX_CHARACTERS } from './tokens.ts';
import { scoreSentiment } from './sentiment.ts';
import { cosineSimilarity, tfIdfVectors, type Vector } from './themes.ts';

export interface ExtractedSummary {
  summary: string;
  points: { text: string; texts: number[] }[];
}

interface Sentence extends TokenizedText {
  /** Index of its text. */
  textIndex: number;
}

/** Maximum number of compared sentences; the work is quadratic. */
const MAX_SENTENCES = 400;
const MAX_POINTS = 5;
const MIN_WORDS = 3;
const MAX_WORDS = 40;
/** Sentences with at least this cosine similarity are redundant. */
const MIN_SIMILARITY = 0.35;
/** PageRank's damping (Brin and Page 1998), as used by TextRank (Mihalcea and Tarau 2004). */
const DAMPING = 0.85;
const ROUNDS = 30;

/** Extracts the most central sentences verbatim, with the texts that have similar sentences. Yields often. */
export function* summarizeTexts(texts: readonly TokenizedText[]): Generator<void, ExtractedSummary> {
  const sentences = sampleSentences(yield* sentencesOf(texts));
  const { vectors } = yield* tfIdfVectors(yield* extractAllTerms(sentences), 1);
  const similar = yield* similarities(vectors);
  const ranks = yield* textRank(similar);
  const order = ranks.map((_, index) => index).sort((a, b) => ranks[b]! - ranks[a]! || a - b);
  const chosen: number[] = [];
  for (const index of order) {
    if (chosen.length === MAX_POINTS) break;
    if (vectors[index]!.size === 0) continue;
    if (chosen.every((other) => cosineSimilarity(vectors[index]!, vectors[other]!) < MIN_SIMILARITY))
      chosen.push(index);
  }
  const points = chosen.map((index) => ({
    text: sentences[index]!.text,
    texts: textsSaying(index, sentences, vectors),
  }));
  points.sort((a, b) => b.texts.length - a.texts.length);
  return {
    summary: points.map(({ text }) => (/[.!?…。！？]$/u.test(text) ? text : `${text}.`)).join(' '),
    points,
  };
}

function* sentencesOf(texts: readonly TokenizedText[]): Generator<void, Sentence[]> {
  const sentences: Sentence[] = [];
  for (const [textIndex, { text, vocabulary }] of texts.entries()) {
    for (const piece of text.slice(0, MAX_CHARACTERS).split(/(?<=[.!?…])\s+|(?<=[。！？])|[\n\r]+/u)) {
      const sentence = piece.trim();
      const tokenized = tokenizeText(sentence, vocabulary);
      const { length } = tokenized.words;
      if (length >= MIN_WORDS && length <= MAX_WORDS) sentences.push({ ...tokenized, textIndex });
    }
    yield;
  }
  return sentences;
}

function sampleSentences(sentences: readonly Sentence[]): Sentence[] {
  const step = Math.max(1, sentences.length / MAX_SENTENCES);
  const kept: Sentence[] = [];
  for (let at = 0; at < sentences.length; at += step) kept.push(sentences[Math.floor(at)]!);
  return kept;
}

function* similarities(vectors: readonly Vector[]): Generator<void, Map<number, number>[]> {
  const similar = vectors.map(() => new Map<number, number>());
  for (const [index, vector] of vectors.entries()) {
    for (let other = 0; other < index; other += 1) {
      const value = cosineSimilarity(vector, vectors[other]!);
      if (value === 0) continue;
      similar[index]!.set(other, value);
      similar[other]!.set(index, value);
    }
    yield;
  }
  return similar;
}

function* textRank(similar: readonly ReadonlyMap<number, number>[]): Generator<void, number[]> {
  const linkSums = similar.map((links) => [...links.values()].reduce((sum, value) => sum + value, 0));
  let ranks = similar.map(() => 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    ranks = similar.map((links) => {
      let sum = 0;
      for (const [other, value] of links) sum += (value / linkSums[other]!) * ranks[other]!;
      return 1 - DAMPING + DAMPING * sum;
    });
    yield;
  }
  return ranks;
}

/** Returns texts with a similar sentence of no opposite sentiment. */
function textsSaying(index: number, sentences: readonly Sentence[], vectors: readonly Vector[]): number[] {
  const own = sentences[index]!;
  const sentiment = scoreSentiment(own).sentiment;
  const texts = new Set([own.textIndex]);
  for (const [other, sentence] of sentences.entries()) {
    const { textIndex } = sentence;
    if (texts.has(textIndex) || cosineSimilarity(vectors[index]!, vectors[other]!) < MIN_SIMILARITY) continue;
    const its = scoreSentiment(sentence).sentiment;
    if (its === sentiment || its === 'neutral' || sentiment === 'neutral') texts.add(textIndex);
  }
  return [...texts].sort((a, b) => a - b);
}
