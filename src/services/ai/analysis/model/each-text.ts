import type { HeldCredits } from '../../../../domain/credits/held-credits.ts';
import { cleanText } from '../../../../providers/language/said-text.ts';
import type {
  ProposedCategory,
  ProposedTheme,
  TextCategory,
  TextSentiment,
  TextTranslation,
} from '../analyst.ts';
import type { Asker } from './asker.ts';
import { inParallel } from './in-parallel.ts';
import { answersById, numbered, type NumberedText } from './numbered-texts.ts';
import { piecesOf, type PieceLimits } from './pieces.ts';
import {
  aboutQuestion,
  classifyQuestion,
  READ_CHARACTERS,
  sentimentQuestion,
  translateQuestion,
} from './text-questions.ts';
import { blankEndOf, partsOf } from './translated-parts.ts';
import { confidenceOf } from './written.ts';

/** What is asked of a model at once. */
export const AT_ONCE: PieceLimits = { texts: 40, characters: 6_000 };

/** Texts as they are asked about, each piece at once. */
export const readPieces = (texts: readonly string[]): NumberedText[][] =>
  piecesOf(texts, (text) => text.length, AT_ONCE).map((piece) => numbered(piece, READ_CHARACTERS));

/** Parallel to the texts of all pieces; undefined: left out. */
async function answersIn<R>(
  asker: Asker,
  held: HeldCredits,
  pieces: readonly (readonly NumberedText[])[],
  question: Parameters<typeof answersById<R, NumberedText>>[3],
  signal: AbortSignal,
): Promise<(R | undefined)[]> {
  const told = await inParallel(pieces, asker.parallel, signal, (piece, stop) =>
    answersById(asker, held, piece, question, stop),
  );
  return told.flat();
}

export async function sentimentsBy(
  asker: Asker,
  held: HeldCredits,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<TextSentiment[]> {
  const told = await answersIn(asker, held, readPieces(texts), sentimentQuestion, signal);
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
  const question = (some: readonly NumberedText[]) => classifyQuestion(some, categories);
  const told = await answersIn(asker, held, readPieces(texts), question, signal);
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
  const question = (some: readonly NumberedText[]) => aboutQuestion(some, themes);
  const told = await answersIn(asker, held, readPieces(texts), question, signal);
  const isTheme = (index: number) => themes[index] !== undefined;
  return told.map((one) => [...new Set(one?.themes.map((number) => number - 1).filter(isTheme))]);
}

/** The same of texts that are translated: all of each, long ones in parts. */
export const translatedPieces = (texts: readonly string[]): NumberedText[][] =>
  piecesOf(texts.flatMap(partsOf), (part) => part.length, AT_ONCE).map((piece) => numbered(piece, Infinity));

/** A text of which a part was left out is not translated at all: half of it would be something else. */
export async function translatedBy(
  asker: Asker,
  held: HeldCredits,
  texts: readonly string[],
  targetLanguage: string,
  signal: AbortSignal,
): Promise<TextTranslation[]> {
  const question = (some: readonly NumberedText[]) => translateQuestion(some, targetLanguage);
  const told = await answersIn(asker, held, translatedPieces(texts), question, signal);
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
