import { z } from 'zod';
import type { ProposedTheme } from '../text-analyzer.ts';
import type { CompletionRequest } from './structured-completion.ts';
import type { NumberedText } from './numbered-texts.ts';
import { sanitizeLine } from './sanitize-output.ts';

/** Themes may share a text, categories may not. */
export type ProposalKind = 'themes' | 'categories';

const NAME_CHARACTERS = 60;
const DESCRIPTION_CHARACTERS = 160;
const KEYWORDS = 8;
const KEYWORD_CHARACTERS = 30;
const EXAMPLES = 5;
const OUT_FOR_ALL = 300;
const OUT_PER_THEME = 160;

const WHAT: Readonly<Record<ProposalKind, string>> = {
  themes: 'the themes that they keep coming back to; a text may be about several',
  categories: 'categories to sort them into, that do not overlap and together hold most of the texts',
};

const HOW =
  'at most as many as `most` says, the most common first, fewer where the texts are about less. Each has a short name, a description of ' +
  'one sentence, up to 8 keywords (words as they stand in the texts), all in the language in which most of the texts are written';

const theme = { name: z.string(), description: z.string(), keywords: z.array(z.string()) };
const proposed = z.object({ themes: z.array(z.object({ ...theme, examples: z.array(z.number()) })) });
const merged = z.object({ themes: z.array(z.object({ ...theme, from: z.array(z.number()) })) });

const outFor = (limit: number) => OUT_FOR_ALL + OUT_PER_THEME * limit;

export const proposeRequest = (
  proposalKind: ProposalKind,
  texts: readonly NumberedText[],
  limit: number,
): CompletionRequest<typeof proposed> => ({
  name: `propose_${proposalKind}`,
  instruction:
    `The texts are answers to an open question of a survey, in any language. Find ${WHAT[proposalKind]}: ${HOW}, and as examples the ids of up ` +
    `to ${EXAMPLES} texts that show it best. Invent nothing that the texts do not say, and name no person.`,
  schema: proposed,
  data: { most: limit, texts },
  maxOutputTokens: outFor(limit),
});

/** Maximum tokens that one answer to `proposeRequest` adds to the data of `mergeProposalsRequest`. */
export const maxProposalTokens = outFor;

export const mergeProposalsRequest = (
  proposalKind: ProposalKind,
  proposals: readonly ProposedTheme[],
  limit: number,
): CompletionRequest<typeof merged> => ({
  name: `merge_${proposalKind}`,
  instruction:
    'The answers to an open question of a survey were read in pieces, and the proposals were found in them, those of the same piece in ' +
    `the order of how common they are. Make of them ${WHAT[proposalKind]}: ${HOW}, and in \`from\` the numbers of the proposals that it is made ` +
    'of. Put together what means the same, and invent nothing.',
  schema: merged,
  data: {
    most: limit,
    proposals: proposals.map(({ name, description, keywords }, index) => ({
      number: index + 1,
      name,
      description,
      keywords,
    })),
  },
  maxOutputTokens: outFor(limit),
});

/** Truncates themes, drops unnamed and duplicate ones, and keeps at most `most`. `examplesOf` returns the example indices of a theme. */
export function sanitizeThemes<T extends Pick<ProposedTheme, 'name' | 'description' | 'keywords'>>(
  result: readonly T[],
  limit: number,
  examplesOf: (theme: T) => readonly number[],
): ProposedTheme[] {
  const byName = new Map<string, ProposedTheme>();
  for (const one of result) {
    const name = sanitizeLine(one.name, NAME_CHARACTERS);
    const key = name.toLowerCase();
    if (name === '' || byName.has(key) || byName.size === limit) continue;
    const keywords = one.keywords.map((word) => sanitizeLine(word, KEYWORD_CHARACTERS));
    byName.set(key, {
      name,
      description: sanitizeLine(one.description, DESCRIPTION_CHARACTERS),
      keywords: [...new Set(keywords)].filter((word) => word !== '').slice(0, KEYWORDS),
      examples: [...new Set(examplesOf(one))].slice(0, EXAMPLES),
    });
  }
  return [...byName.values()];
}
