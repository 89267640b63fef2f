import type { HeldCredits } from '../../../domain/credits/held-credits.ts';
import type {
  ProposedCategory,
  ProposedTheme,
  TextCategory,
  TextSentiment,
  TextTranslation,
} from '../analyst.ts';
import type { Asker } from './asker.ts';
import { answersById, numbered } from './numbered-texts.ts';
import { piecesOf, type PieceLimits } from './pieces.ts';
import {
  aboutQuestion,
  classifyQuestion,
  READ_CHARACTERS,
  sentimentQuestion,
  translateQuestion,
} from './text-questions.ts';
import { blankEndOf, partsOf } from './translated-parts.ts';
import { cleanText } from '../../../providers/language/said-text.ts';
import { confidenceOf } from './written.ts';

/** What is asked of a model at once. */
export const AT_ONCE: PieceLimits = { texts: 40, characters: 6_000 };

export async function sentimentsBy(
  asker: Asker,
  held: HeldCredits,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<TextSentiment[]> {
  const read = numbered(texts, READ_CHARACTERS);
  const told = await answersById(asker, held, read, sentimentQuestion, signal);
  return told.map((one) =>
    one === undefined
      ? { sentiment: 'neutral', confidence: 0 }
      : { sentiment: one.sentiment, confidence: confidenceOf(one.confidence) },
  );
}

export async function classifiedBy(
  asker: Asker,
  held: HeldCredits,
  texts: readonly string[],
  categories: readonly ProposedCategory[],
  signal: AbortSignal,
): Promise<TextCategory[]> {
  const question = (some: Parameters<typeof classifyQuestion>[0]) => classifyQuestion(some, categories);
  const told = await answersById(asker, held, numbered(texts, READ_CHARACTERS), question, signal);
  return told.map((one) => {
    const category = categories[(one?.category ?? 0) - 1]?.name ?? null;
    // A number that none has says nothing, and neither does how sure it was.
    const known = one !== undefined && (one.category === null || category !== null);
    return { category, confidence: known ? confidenceOf(one.confidence) : 0 };
  });
}

export async function assignedBy(
  asker: Asker,
  held: HeldCredits,
  texts: readonly string[],
  themes: readonly ProposedTheme[],
  signal: AbortSignal,
): Promise<number[][]> {
  const question = (some: Parameters<typeof aboutQuestion>[0]) => aboutQuestion(some, themes);
  const told = await answersById(asker, held, numbered(texts, READ_CHARACTERS), question, signal);
  const isTheme = (index: number) => themes[index] !== undefined;
  return told.map((one) => [...new Set(one?.themes.map((number) => number - 1).filter(isTheme))]);
}

/** Pieces of parts of texts, as they are sent. */
export const translatedPieces = (texts: readonly string[]): string[][] =>
  piecesOf(texts.flatMap(partsOf), (part) => part.length, AT_ONCE);

/** A text of which a part was left out is not translated at all: half of it would be something else. */
export async function translatedBy(
  asker: Asker,
  held: HeldCredits,
  texts: readonly string[],
  targetLanguage: string,
  signal: AbortSignal,
): Promise<TextTranslation[]> {
  const question = (some: Parameters<typeof translateQuestion>[0]) => translateQuestion(some, targetLanguage);
  const told: ({ translation: string; language: string | null } | undefined)[] = [];
  for (const piece of translatedPieces(texts)) {
    const parts = numbered(piece, Number.POSITIVE_INFINITY);
    told.push(...(await answersById(asker, held, parts, question, signal)));
  }
  let next = 0;
  return texts.map((text) => {
    const parts = partsOf(text);
    const own = told.slice(next, next + parts.length);
    next += parts.length;
    if (own.some((one) => one === undefined)) return { translation: '', detectedLanguage: null };
    const joined = own.map((one, index) => one!.translation.trim() + blankEndOf(parts[index]!)).join('');
    return {
      translation: cleanText(joined).trim(),
      detectedLanguage: languageCodeOf(own[0]!.language),
    };
  });
}

/** `en-US` is `en`; what is no code is not known. */
function languageCodeOf(told: string | null): string | null {
  const code = /^([a-z]{2})(?:[-_][a-z0-9]+)*$/i.exec(told ?? '')?.[1];
  return code?.toLowerCase() ?? null;
}
