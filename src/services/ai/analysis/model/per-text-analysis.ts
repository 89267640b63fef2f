import type { CreditReservation } from '../../../../domain/credits/credit-reservation.ts';
import { cleanText } from '../../../../providers/language/clean-text.ts';
import type {
  ProposedCategory,
  ProposedTheme,
  TextCategory,
  TextSentiment,
  TextTranslation,
} from '../text-analyzer.ts';
import { type BatchLimits, splitIntoBatches } from './batches.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { answerById, type NumberedText, numberTexts } from './numbered-texts.ts';
import { clampConfidence } from './sanitize-output.ts';
import type { StructuredCompletion } from './structured-completion.ts';
import {
  assignThemesRequest,
  classifyRequest,
  MAX_TEXT_CHARACTERS,
  sentimentRequest,
  translateRequest,
} from './text-requests.ts';

/** Longer texts are translated in several parts. */
const PART_CHARACTERS = 4_000;
/** Preferred cut positions: between paragraphs, then sentences, then words. */
const BOUNDARIES = ['\n', '. ', '。', ' '];

/** Splits a text into parts whose concatenation is the text. */
function splitIntoParts(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > PART_CHARACTERS) {
    const end = findCutIndex(rest.slice(0, PART_CHARACTERS));
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  parts.push(rest);
  return parts;
}

function findCutIndex(text: string): number {
  for (const boundary of BOUNDARIES) {
    const index = text.lastIndexOf(boundary);
    // A cut in the first half would make too many parts.
    if (index > PART_CHARACTERS / 2) return index + boundary.length;
  }
  return /[\ud800-\udbff]$/.test(text) ? PART_CHARACTERS - 1 : PART_CHARACTERS;
}

/** Trailing whitespace, which models drop. */
const trailingWhitespace = (part: string): string => part.slice(part.trimEnd().length);

/** Limits of the texts in one request. */
export const BATCH_LIMITS: BatchLimits = { texts: 40, characters: 6_000 };

/** The texts of each request, truncated. */
export const batchTexts = (texts: readonly string[]): NumberedText[][] =>
  splitIntoBatches(texts, (text) => text.length, BATCH_LIMITS).map((batch) =>
    numberTexts(batch, MAX_TEXT_CHARACTERS),
  );

/** Results parallel to the texts of all batches; undefined if the model left a text out. */
async function answerBatches<R>(
  completion: StructuredCompletion,
  reservation: CreditReservation,
  batches: readonly (readonly NumberedText[])[],
  question: Parameters<typeof answerById<R, NumberedText>>[3],
  signal: AbortSignal,
): Promise<(R | undefined)[]> {
  const result = await mapConcurrently(batches, completion.parallel, signal, (batch, stop) =>
    answerById(completion, reservation, batch, question, stop),
  );
  return result.flat();
}

export async function detectSentiments(
  completion: StructuredCompletion,
  reservation: CreditReservation,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<TextSentiment[]> {
  const result = await answerBatches(completion, reservation, batchTexts(texts), sentimentRequest, signal);
  return result.map((one) =>
    one === undefined
      ? { sentiment: 'neutral', confidence: 0 }
      : { sentiment: one.sentiment, confidence: clampConfidence(one.confidence) },
  );
}

export async function classifyTexts(
  completion: StructuredCompletion,
  reservation: CreditReservation,
  texts: readonly string[],
  categories: readonly ProposedCategory[],
  signal: AbortSignal,
): Promise<TextCategory[]> {
  const question = (texts: readonly NumberedText[]) => classifyRequest(texts, categories);
  const result = await answerBatches(completion, reservation, batchTexts(texts), question, signal);
  return result.map((one) => {
    const category = categories[(one?.category ?? 0) - 1]?.name ?? null;
    // An unknown category number means no result, so its confidence is dropped as well.
    const known = one !== undefined && (one.category === null || category !== null);
    return { category, confidence: known ? clampConfidence(one.confidence) : 0 };
  });
}

export async function assignThemes(
  completion: StructuredCompletion,
  reservation: CreditReservation,
  texts: readonly string[],
  themes: readonly ProposedTheme[],
  signal: AbortSignal,
): Promise<number[][]> {
  const question = (texts: readonly NumberedText[]) => assignThemesRequest(texts, themes);
  const result = await answerBatches(completion, reservation, batchTexts(texts), question, signal);
  const isTheme = (index: number) => themes[index] !== undefined;
  return result.map((one) => [...new Set(one?.themes.map((number) => number - 1).filter(isTheme))]);
}

/** The batches to translate: whole texts, long ones split into parts. */
export const batchTranslationParts = (texts: readonly string[]): NumberedText[][] =>
  splitIntoBatches(texts.flatMap(splitIntoParts), (part) => part.length, BATCH_LIMITS).map((batch) =>
    numberTexts(batch, Infinity),
  );

/** If any part is missing the text counts as not translated: a partial translation would be misleading. */
export async function translateTexts(
  completion: StructuredCompletion,
  reservation: CreditReservation,
  texts: readonly string[],
  targetLanguage: string,
  signal: AbortSignal,
): Promise<TextTranslation[]> {
  const question = (texts: readonly NumberedText[]) => translateRequest(texts, targetLanguage);
  const result = await answerBatches(completion, reservation, batchTranslationParts(texts), question, signal);
  let next = 0;
  return texts.map((text) => {
    const parts = splitIntoParts(text);
    const own = result.slice(next, next + parts.length);
    next += parts.length;
    if (own.some((one) => one === undefined)) return { translation: '', detectedLanguage: null };
    const joined = own
      .map((one, index) => one!.translation.trim() + trailingWhitespace(parts[index]!))
      .join('');
    return {
      translation: cleanText(joined).trim(),
      detectedLanguage: parseLanguageCode(own[0]!.language),
    };
  });
}

/** `en-US` gives `en`; null if the value is not a language code. */
function parseLanguageCode(result: string | null): string | null {
  const code = /^([a-z]{2})(?:[-_][a-z0-9]+)*$/i.exec(result ?? '')?.[1];
  return code?.toLowerCase() ?? null;
}
