import type { Phrase, TokenizedText, Word } from './vocabulary.ts';

export interface ScoredSentiment {
  sentiment: 'negative' | 'neutral' | 'positive';
  /** From 0 to 1: approximate share of such results that are right, see docs/explanation/text-analysis.md. */
  confidence: number;
}

interface Hit {
  value: number;
  isNegated: boolean;
  isExpected: boolean;
  /** Position in the text. */
  at: number;
}

/** Range in words; function words count half. */
const REACH = { negation: 3, boost: 2, excess: 2, wish: 3 };
/** Range of a negation after the word, in positions. */
const BACKWARD_REACH = 5;
const MORE = 1.3;
const LESS = 0.6;
const MAX_BOOST = 2;
const BEFORE_BUT = 0.75;
const AFTER_BUT = 1.1;
const TOO_MUCH = -2;
const NOT_AS_EXPECTED = -2;
const COULD_BE_BETTER = -1.5;
/** With a larger ratio of weaker to stronger sentiment, a text is neutral. */
const MIXED = 0.5;
const MIN_SCORE = 0.75;
/** Short answers without sentiment words are neutral with more certainty than long ones. */
const FEW_WORDS = 3;

/** Scores sentiment words, their negations and intensifiers, and weights clauses after contrast words ("but") higher. */
export function scoreSentiment({ words, vocabulary }: TokenizedText): ScoredSentiment {
  const hits = findHits(words, vocabulary.data.surveyWords?.negatesBackward === true);
  let positiveSum = 0;
  let negativeSum = 0;
  for (const { value } of hits) {
    if (value > 0) positiveSum += value;
    else negativeSum -= value;
  }
  return chooseSentiment(positiveSum, negativeSum, words.length);
}

function chooseSentiment(positiveSum: number, negativeSum: number, words: number): ScoredSentiment {
  const more = Math.max(positiveSum, negativeSum);
  const less = Math.min(positiveSum, negativeSum);
  if (more === 0) return { sentiment: 'neutral', confidence: words <= FEW_WORDS ? 0.55 : 0.45 };
  if (less / more >= MIXED) return { sentiment: 'neutral', confidence: 0.55 };
  if (more - less < MIN_SCORE) return { sentiment: 'neutral', confidence: 0.45 };
  const strength = (more - less) / (more - less + 1);
  const density = Math.min(1, (3 * more) / (words + 3));
  const confidence = Math.min(0.95, 0.35 + 0.3 * strength + 0.3 * density - 0.3 * (less / more));
  return {
    sentiment: positiveSum > negativeSum ? 'positive' : 'negative',
    confidence: Math.round(100 * confidence) / 100,
  };
}

function findHits(words: readonly Word[], negatesBackward: boolean): Hit[] {
  const hits: Hit[] = [];
  let isAfterBut = false;
  let clauseFrom = 0;
  let denied = 0;
  let isWaiting = false;
  let boost = 1;
  let boosted = 0;
  let excess = 0;
  let wish = 0;
  for (let at = 0; at < words.length; at += 1) {
    const first = words[at];
    if (first === undefined) break;
    const phrase = first.phrases === null ? null : phraseAt(first.phrases, words, at);
    const word = phrase?.word ?? first;
    if (phrase !== null) at += phrase.rest.length;
    const { role } = word;
    if (role === 'end' || role === 'pause') {
      if (isWaiting && negatesBackward) negateLastHit(hits, clauseFrom, at);
      if (role === 'end' || denied < REACH.negation) denied = 0;
      isWaiting = false;
      boosted = 0;
      excess = 0;
      wish = 0;
      clauseFrom = hits.length;
      continue;
    }
    if (role === 'negator') {
      denied = REACH.negation;
      isWaiting = true;
      if (word.score === 0) continue;
    } else if (word.isNegated) denied = REACH.negation;
    else if (role === 'but' && hits.length > 0 && !isAfterBut) {
      isAfterBut = true;
      for (const hit of hits) hit.value *= BEFORE_BUT;
      if (isWaiting && negatesBackward) negateLastHit(hits, clauseFrom, at);
      denied = 0;
      isWaiting = false;
      clauseFrom = hits.length;
    }
    const value = valueOf(word, {
      isDenied: denied > 0,
      isExcess: excess > 0,
      isWish: wish > 0,
      boost: boosted > 0 ? boost : 1,
    });
    if (value !== 0 || word.isExpected) {
      hits.push({
        value: isAfterBut ? value * AFTER_BUT : value,
        isNegated: denied > 0,
        isExpected: word.isExpected && word.score === 0,
        at,
      });
      isWaiting = false;
      if (denied > 0 && role !== 'negator') denied = Math.min(denied, 1);
    }
    const step = word.isKnown && word.score === 0 && !word.isExpected ? 0.5 : 1;
    denied -= step;
    boosted -= step;
    excess -= step;
    wish -= step;
    if (role === 'word') continue;
    if (role === 'wish') wish = REACH.wish;
    if (role === 'excess') excess = REACH.excess;
    if (role === 'intensifier' || role === 'excess') {
      boost = boosted > 0 ? Math.min(boost * MORE, MAX_BOOST) : MORE;
      boosted = REACH.boost;
    } else if (role === 'diminisher') {
      boost = LESS;
      boosted = REACH.boost;
    }
  }
  if (isWaiting && negatesBackward) negateLastHit(hits, clauseFrom, words.length);
  return hits;
}

/** What the words before a word do to it. */
interface WordContext {
  isDenied: boolean;
  isExcess: boolean;
  isWish: boolean;
  /** Factor of its score. */
  boost: number;
}

function valueOf(word: Word, { isDenied, isExcess, isWish, boost }: WordContext): number {
  if (isWish && word.isBetter) return isDenied ? 2 : COULD_BE_BETTER;
  if (isExcess && word.isMeasure) return isDenied ? 1 : TOO_MUCH;
  if (word.score === 0) return isDenied && word.isExpected ? NOT_AS_EXPECTED : 0;
  const value = word.score * boost;
  if (!isDenied) return value;
  return negate(value);
}

/** Negates a score: "not good" is rather negative, "not bad" only slightly positive. */
const negate = (value: number): number => (value > 0 ? -Math.max(1, 0.8 * value) : Math.max(1, -0.6 * value));

/** A negation without a following target negates the preceding word: "gefällt mir nicht". */
function negateLastHit(hits: Hit[], clauseFrom: number, at: number): void {
  const hit = hits.at(-1);
  if (hit === undefined || hits.length <= clauseFrom || hit.isNegated || at - hit.at > BACKWARD_REACH) return;
  hit.isNegated = true;
  hit.value = hit.isExpected && hit.value === 0 ? NOT_AS_EXPECTED : negate(hit.value);
}

function phraseAt(phrases: readonly Phrase[], words: readonly Word[], at: number): Phrase | null {
  for (const phrase of phrases) {
    if (phrase.rest.every((lower, index) => words[at + 1 + index]?.lower === lower)) return phrase;
  }
  return null;
}
