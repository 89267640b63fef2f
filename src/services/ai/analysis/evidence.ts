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
  places: readonly number[],
  best: readonly number[] = [],
): Evidence {
  const said = new Set(places);
  // Quotes identical texts only once.
  const quoted = new Map<string, number>();
  for (const place of [...best.filter((one) => said.has(one)), ...places]) {
    if (quoted.size === MAX_EXAMPLES) break;
    const text = texts[place]!;
    if (!quoted.has(text)) quoted.set(text, place);
  }
  return {
    count: said.size,
    response_ids: places.slice(0, MAX_IDS).map((place) => responseIds[place]!),
    examples: [...quoted].map(([text, place]) => ({
      response_id: responseIds[place]!,
      text: truncateText(text, MAX_QUOTED),
    })),
  };
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Truncates to `most` UTF-16 code units without splitting a grapheme. */
export function truncateText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (const { segment } of graphemes.segment(text.slice(0, most + 100))) {
    if (end + segment.length >= most) break;
    end += segment.length;
  }
  return `${text.slice(0, end)}…`;
}

/** Up to `most` indices out of `of`, evenly spaced. */
export function sampleIndices(of: number, most: number): number[] {
  if (of <= most) return Array.from({ length: of }, (_, place) => place);
  return Array.from({ length: most }, (_, index) => Math.floor((index * of) / most));
}
