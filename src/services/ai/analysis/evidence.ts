/** Limits of the response ids and quotes in the evidence of one claim. */
const MAX_IDS = 1_000;
const MAX_EXAMPLES = 5;
const MAX_QUOTED = 500;

export interface Example {
  response_id: number;
  text: string;
}

/** The responses that support a claim. */
export interface Evidence {
  /** Number of responses that support the claim. */
  count: number;
  /** The first `MAX_IDS` of them. */
  response_ids: number[];
  examples: Example[];
}

interface Texts {
  responseIds: Float64Array;
  texts: readonly string[];
}

/** `places`: indices of the supporting texts; `best`: indices to quote first. */
export function collectEvidence(
  { responseIds, texts }: Texts,
  indices: readonly number[],
  best: readonly number[] = [],
): Evidence {
  const cited = new Set(indices);
  // Quotes identical texts only once.
  const quoted = new Map<string, number>();
  for (const index of [...best.filter((one) => cited.has(one)), ...indices]) {
    if (quoted.size === MAX_EXAMPLES) break;
    const text = texts[index]!;
    if (!quoted.has(text)) quoted.set(text, index);
  }
  return {
    count: cited.size,
    response_ids: indices.slice(0, MAX_IDS).map((index) => responseIds[index]!),
    examples: [...quoted].map(([text, index]) => ({
      response_id: responseIds[index]!,
      text: truncateText(text, MAX_QUOTED),
    })),
  };
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Truncates to `most` UTF-16 code units without splitting a grapheme. */
export function truncateText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (const { segment } of graphemes.segment(text.slice(0, limit + 100))) {
    if (end + segment.length >= limit) break;
    end += segment.length;
  }
  return `${text.slice(0, end)}…`;
}

/** Up to `most` indices out of `of`, evenly spaced. */
export function sampleIndices(of: number, limit: number): number[] {
  if (of <= limit) return Array.from({ length: of }, (_, index) => index);
  return Array.from({ length: limit }, (_, index) => Math.floor((index * of) / limit));
}
