import { MAX_CHARACTERS, sampleEvenly, type TokenizedText, tokenizeText } from './vocabulary.ts';
import { scoreSentiment } from './sentiment.ts';
import { cosineSimilarity, extractAllTerms, tfIdfVectors, type Vector } from './themes.ts';

export interface ExtractedSummary {
  summary: string;
  points: { text: string; texts: number[] }[];
}

interface Sentence extends TokenizedText {
  /** Index of its text. */
  textIndex: number;
}

/** A sentence in the graph of similar sentences. */
interface SentenceNode extends Sentence {
  vector: Vector;
  /** Similarity by similar sentence, and the sum of all. */
  links: Map<SentenceNode, number>;
  linkSum: number;
  rank: number;
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
  const sentences = sampleEvenly(yield* sentencesOf(texts), MAX_SENTENCES);
  const { weighted } = yield* tfIdfVectors(yield* extractAllTerms(sentences), 1);
  const nodes = yield* linkSentences(weighted);
  yield* rankSentences(nodes);
  const chosen: SentenceNode[] = [];
  // Of equal ranks, the first sentence is chosen: the sort is stable.
  for (const node of [...nodes].sort((a, b) => b.rank - a.rank)) {
    if (chosen.length === MAX_POINTS) break;
    if (node.vector.size === 0) continue;
    if (chosen.every((other) => cosineSimilarity(node.vector, other.vector) < MIN_SIMILARITY))
      chosen.push(node);
  }
  const points = chosen.map((node) => ({ text: node.text, texts: textsSaying(node, nodes) }));
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

/** Links each pair of sentences with common words. */
function* linkSentences(
  sentences: readonly (Sentence & { vector: Vector })[],
): Generator<void, SentenceNode[]> {
  const nodes: SentenceNode[] = [];
  for (const sentence of sentences) {
    const node: SentenceNode = { ...sentence, links: new Map(), linkSum: 0, rank: 1 };
    for (const other of nodes) {
      const similarity = cosineSimilarity(node.vector, other.vector);
      if (similarity === 0) continue;
      node.links.set(other, similarity);
      other.links.set(node, similarity);
    }
    nodes.push(node);
    yield;
  }
  for (const node of nodes) for (const similarity of node.links.values()) node.linkSum += similarity;
  return nodes;
}

/** Ranks sentences by TextRank; each round uses the ranks of the round before. */
function* rankSentences(nodes: readonly SentenceNode[]): Generator<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const ranked = nodes.map((node) => {
      let sum = 0;
      for (const [other, similarity] of node.links) sum += (similarity / other.linkSum) * other.rank;
      return { node, rank: 1 - DAMPING + DAMPING * sum };
    });
    for (const { node, rank } of ranked) node.rank = rank;
    yield;
  }
}

/** Returns texts with a similar sentence of no opposite sentiment. */
function textsSaying(own: SentenceNode, sentences: readonly SentenceNode[]): number[] {
  const sentiment = scoreSentiment(own).sentiment;
  const texts = new Set([own.textIndex]);
  for (const sentence of sentences) {
    const { textIndex } = sentence;
    if (texts.has(textIndex) || cosineSimilarity(own.vector, sentence.vector) < MIN_SIMILARITY) continue;
    const its = scoreSentiment(sentence).sentiment;
    if (its === sentiment || its === 'neutral' || sentiment === 'neutral') texts.add(textIndex);
  }
  return [...texts].sort((a, b) => a - b);
}
