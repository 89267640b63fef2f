import { z } from 'zod';
import { type ProposedCategory, type ProposedTheme, SENTIMENTS } from '../text-analyzer.ts';
import type { CompletionRequest } from './structured-completion.ts';
import { type NumberedText, resultsSchema } from './numbered-texts.ts';

/** Characters of each text that are sent, except for translation. */
export const MAX_TEXT_CHARACTERS = 4_000;
const OUT_FOR_ALL = 300;
const OUT_PER_TEXT = 32;

const EACH =
  'Answer about every text exactly once, under its id. confidence is from 0 to 1: how sure you are.';

const outFor = (texts: readonly NumberedText[]) => OUT_FOR_ALL + OUT_PER_TEXT * texts.length;

const sentiment = resultsSchema({ sentiment: z.enum(SENTIMENTS), confidence: z.number() });

export const sentimentRequest = (texts: readonly NumberedText[]): CompletionRequest<typeof sentiment> => ({
  name: 'sentiment',
  instruction:
    'Each text is an answer to an open question of a survey, in any language. Say of each how its author feels about what it is about: ' +
    `negative, neutral or positive. Mixed, factual or empty answers are neutral. ${EACH}`,
  schema: sentiment,
  data: { texts },
  maxOutputTokens: outFor(texts),
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
  maxOutputTokens: outFor(texts),
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
  maxOutputTokens: outFor(texts),
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
    outFor(texts) + Math.ceil(OUT_PER_CHARACTER * texts.reduce((sum, { text }) => sum + text.length, 0)),
});
