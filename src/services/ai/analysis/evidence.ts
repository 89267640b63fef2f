/** How many ids are named of those that a claim rests on, and how many are quoted. */
const MAX_IDS = 1_000;
const MAX_EXAMPLES = 5;
const MAX_QUOTED = 500;

export interface Example {
  response_id: number;
  text: string;
}

/** What a claim rests on. */
export interface Evidence {
  /** How many responses say so. */
  count: number;
  /** The first of them. */
  response_ids: number[];
  examples: Example[];
}

interface Texts {
  responseIds: Float64Array;
  texts: readonly string[];
}

/** `places`: of the texts that say so; `best`: those of them to be quoted first. */
export function collectEvidence(
  { responseIds, texts }: Texts,
  places: readonly number[],
  best: readonly number[] = [],
): Evidence {
  const said = new Set(places);
  // The same words twice say nothing more.
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

/** At most so many characters (UTF-16), never half of what a reader sees as one. */
export function truncateText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (const { segment } of graphemes.segment(text.slice(0, most + 100))) {
    if (end + segment.length >= most) break;
    end += segment.length;
  }
  return `${text.slice(0, end)}…`;
}

/** Places of at most so many out of so many, evenly spread. */
export function sampleIndices(of: number, most: number): number[] {
  if (of <= most) return Array.from({ length: of }, (_, place) => place);
  return Array.from({ length: most }, (_, index) => Math.floor((index * of) / most));
}
