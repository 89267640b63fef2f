import { tokensOf } from './tokens.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface ScoredSentiment {
  sentiment: 'negative' | 'neutral' | 'positive';
  /** From 0 to 1. */
  confidence: number;
}

/** So many words after a negation are denied by it. */
const NEGATION_REACHES = 3;
const LEAST_SCORE = 0.8;

export function sentimentOf(text: string, vocabulary: Vocabulary): ScoredSentiment {
  let sum = 0;
  let size = 0;
  let deniedFor = 0;
  for (const token of tokensOf(text)) {
    const word = vocabulary.wordOf(token);
    if (word.role === 'negator') deniedFor = NEGATION_REACHES + 1;
    else if (word.role === 'end' || word.role === 'pause') deniedFor = 0;
    else if (word.score !== 0) {
      sum += deniedFor > 0 ? -0.7 * word.score : word.score;
      size += Math.abs(word.score);
    }
    if (deniedFor > 0) deniedFor -= 1;
  }
  if (size === 0) return { sentiment: 'neutral', confidence: 0.4 };
  const margin = Math.abs(sum) / size;
  if (Math.abs(sum) < LEAST_SCORE) return { sentiment: 'neutral', confidence: 0.45 };
  const strength = Math.abs(sum) / (Math.abs(sum) + 2);
  return { sentiment: sum > 0 ? 'positive' : 'negative', confidence: 0.4 + 0.5 * margin * strength };
}
