import { z } from 'zod';
import type { CreditReservation } from '../../../../domain/credits/credits.ts';
import { requireItem } from '../../../../lib/require-value.ts';
import { cleanText } from '../../../../providers/language/language-model.ts';
import {
  type ProposedCategory,
  type ProposedTheme,
  SENTIMENTS,
  type TextCategory,
  type TextSentiment,
  type TextTranslation,
} from '../text-analyzer.ts';
import {
  answerById,
  type BatchLimits,
  clampConfidence,
  type CompletionRequest,
  mapConcurrently,
  type NumberedText,
  numberTexts,
  resultsSchema,
  splitIntoBatches,
  type StructuredCompletion,
} from './structured-completion.ts';

/** Characters of each text that are sent, except for translation. */
export const MAX_TEXT_CHARACTERS = 4_000;
const OUTPUT_TOKENS_FOR_ALL = 300;
const OUTPUT_TOKENS_PER_TEXT = 32;

const EACH =
  'Answer about every text exactly once, under its id. confidence is from 0 to 1: how sure you are.';

const estimateOutputTokens = (texts: readonly NumberedText[]) =>
  OUTPUT_TOKENS_FOR_ALL + OUTPUT_TOKENS_PER_TEXT * texts.length;

const sentiment = resultsSchema({ sentiment: z.enum(SENTIMENTS), confidence: z.number() });

export const sentimentRequest = (texts: readonly NumberedText[]): CompletionRequest<typeof sentiment> => ({
  name: 'sentiment',
  instruction:
    'Each text is an answer to an open question of a survey, in any language. Say of each how its author feels about what it is about: ' +
    `negative, neutral or positive. Mixed, factual or empty answers are neutral. ${EACH}`,
  schema: sentiment,
  data: { texts },
  maxOutputTokens: estimateOutputTokens(texts),
});

const classified = resultsSchema({ category: z.number().nullable(), confidence: z.number() });

export const classifyRequest = (
  texts: readonly NumberedText[],
  categories: readonly ProposedCategory[],
): CompletionRequest<typeof classified> => ({
  name: 'classify',
  instruction:
    'Each text is an answer to an open question of a survey, in any language. Sort each into the one category that it fits best: the ' +
    `number of the category, or null where none fits. ${EACH}`,
  schema: classified,
  data: { categories: categories.map((category, index) => ({ number: index + 1, ...category })), texts },
  maxOutputTokens: estimateOutputTokens(texts),
});

const about = resultsSchema({ themes: z.array(z.number()) });

export const assignThemesRequest = (
  texts: readonly NumberedText[],
  themes: readonly Pick<ProposedTheme, 'name' | 'description' | 'keywords'>[],
): CompletionRequest<typeof about> => ({
  name: 'text_themes',
  instruction:
    'Each text is an answer to an open question of a survey, in any language. Say of each which of the themes it is about, by their ' +
    `numbers, the main one first: none, one or several, only what the text really says. Answer about every text exactly once, under its id.`,
  schema: about,
  data: {
    themes: themes.map(({ name, description, keywords }, index) => ({
      number: index + 1,
      name,
      description,
      keywords,
    })),
    texts,
  },
  maxOutputTokens: estimateOutputTokens(texts),
});

const translated = resultsSchema({ translation: z.string(), language: z.string().nullable() });

/** In another script a text may take more tokens than it has characters. */
const OUT_PER_CHARACTER = 1.5;

export const translateRequest = (
  texts: readonly NumberedText[],
  targetLanguage: string,
): CompletionRequest<typeof translated> => ({
  name: 'translate',
  instruction:
    'Each text is an answer to an open question of a survey. Translate each into the language of the code target_language (ISO 639-1), ' +
    'as its author would say it, with nothing added, left out or explained; a text that is in that language already stays as it is. ' +
    'language is the code (ISO 639-1) of the language that the text was written in, null if you do not know. ' +
    'Answer about every text exactly once, under its id.',
  schema: translated,
  data: { target_language: targetLanguage, texts },
  maxOutputTokens:
    estimateOutputTokens(texts) +
    Math.ceil(OUT_PER_CHARACTER * texts.reduce((sum, { text }) => sum + text.length, 0)),
});

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
async function answerBatches<R>({
  completion,
  reservation,
  batches,
  question,
  signal,
}: {
  completion: StructuredCompletion;
  reservation: CreditReservation;
  batches: readonly (readonly NumberedText[])[];
  question: Parameters<typeof answerById<R, NumberedText>>[0]['question'];
  signal: AbortSignal;
}): Promise<(R | undefined)[]> {
  const result = await mapConcurrently({
    items: batches,
    atOnce: completion.parallel,
    signal,
    work: (batch, stop) => answerById({ completion, reservation, texts: batch, question, signal: stop }),
  });
  return result.flat();
}

export async function detectSentiments({
  completion,
  reservation,
  texts,
  signal,
}: {
  completion: StructuredCompletion;
  reservation: CreditReservation;
  texts: readonly string[];
  signal: AbortSignal;
}): Promise<TextSentiment[]> {
  const result = await answerBatches({
    completion,
    reservation,
    batches: batchTexts(texts),
    question: sentimentRequest,
    signal,
  });
  return result.map((one) =>
    one === undefined
      ? { sentiment: 'neutral', confidence: 0 }
      : { sentiment: one.sentiment, confidence: clampConfidence(one.confidence) },
  );
}

export async function classifyTexts({
  completion,
  reservation,
  texts,
  categories,
  signal,
}: {
  completion: StructuredCompletion;
  reservation: CreditReservation;
  texts: readonly string[];
  categories: readonly ProposedCategory[];
  signal: AbortSignal;
}): Promise<TextCategory[]> {
  const question = (texts: readonly NumberedText[]) => classifyRequest(texts, categories);
  const result = await answerBatches({
    completion,
    reservation,
    batches: batchTexts(texts),
    question,
    signal,
  });
  return result.map((one) => {
    const category = categories[(one?.category ?? 0) - 1]?.name ?? null;
    // An unknown category number means no result, so its confidence is dropped as well.
    const known = one !== undefined && (one.category === null || category !== null);
    return { category, confidence: known ? clampConfidence(one.confidence) : 0 };
  });
}

export async function assignThemes({
  completion,
  reservation,
  texts,
  themes,
  signal,
}: {
  completion: StructuredCompletion;
  reservation: CreditReservation;
  texts: readonly string[];
  themes: readonly ProposedTheme[];
  signal: AbortSignal;
}): Promise<number[][]> {
  const question = (texts: readonly NumberedText[]) => assignThemesRequest(texts, themes);
  const result = await answerBatches({
    completion,
    reservation,
    batches: batchTexts(texts),
    question,
    signal,
  });
  const isTheme = (index: number) => themes[index] !== undefined;
  return result.map((one) => [...new Set(one?.themes.map((number) => number - 1).filter(isTheme))]);
}

/** The batches to translate: whole texts, long ones split into parts. */
export const batchTranslationParts = (texts: readonly string[]): NumberedText[][] =>
  splitIntoBatches(texts.flatMap(splitIntoParts), (part) => part.length, BATCH_LIMITS).map((batch) =>
    numberTexts(batch, Infinity),
  );

/** If any part is missing the text counts as not translated: a partial translation would be misleading. */
export async function translateTexts({
  completion,
  reservation,
  texts,
  targetLanguage,
  signal,
}: {
  completion: StructuredCompletion;
  reservation: CreditReservation;
  texts: readonly string[];
  targetLanguage: string;
  signal: AbortSignal;
}): Promise<TextTranslation[]> {
  const question = (texts: readonly NumberedText[]) => translateRequest(texts, targetLanguage);
  const result = await answerBatches({
    completion,
    reservation,
    batches: batchTranslationParts(texts),
    question,
    signal,
  });
  let next = 0;
  return texts.map((text) => {
    const parts = splitIntoParts(text);
    const own = result.slice(next, next + parts.length).filter((one) => one !== undefined);
    next += parts.length;
    const [first] = own;
    if (first === undefined || own.length < parts.length) return { translation: '', detectedLanguage: null };
    const joined = own
      .map(
        ({ translation }, index) =>
          translation.trim() + trailingWhitespace(requireItem(parts, index, 'part')),
      )
      .join('');
    return {
      translation: cleanText(joined).trim(),
      detectedLanguage: parseLanguageCode(first.language),
    };
  });
}

/** `en-US` gives `en`; null if the value is not a language code. */
function parseLanguageCode(result: string | null): string | null {
  const code = /^([a-z]{2})(?:[-_][a-z0-9]+)*$/i.exec(result ?? '')?.[1];
  return code?.toLowerCase() ?? null;
}
