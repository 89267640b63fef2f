import type { TokenizedText } from './tokenized-text.ts';
import { type Term, extractTerms } from './terms.ts';

/** A word, or two adjacent words, that several texts contain. */
export interface Phrase {
  /** Stems separated by a space. */
  key: string;
  /** Ascending indexes of the texts that contain it. */
  texts: number[];
  /** Most frequent spelling. */
  written: string;
}

interface PhraseOccurrences {
  texts: number[];
  spellings: Map<string, number>;
}

/** Maximum number of spellings counted per phrase. */
const MAX_SPELLINGS = 20;

/** Extracts the terms of each text. Yields after each. */
export function* extractAllTerms(texts: readonly TokenizedText[]): Generator<void, Term[][]> {
  const all: Term[][] = [];
  for (const text of texts) {
    all.push(extractTerms(text));
    yield;
  }
  return all;
}

/** Finds phrases in at least `least` texts, by key, in order of first occurrence. */
export function* findPhrases(
  all: readonly (readonly Term[])[],
  least: number,
): Generator<void, Map<string, Phrase>> {
  const occurrences = new Map<string, PhraseOccurrences>();
  for (const [text, terms] of all.entries()) {
    for (const [at, term] of terms.entries()) {
      addOccurrence(occurrences, term.stem, term.written, text);
      const before = terms[at - 1];
      if (before !== undefined && term.link !== null && before.stem !== term.stem)
        addOccurrence(
          occurrences,
          `${before.stem} ${term.stem}`,
          before.written + term.link + term.written,
          text,
        );
    }
    yield;
  }
  const phrases = new Map<string, Phrase>();
  let checkedCount = 0;
  for (const [key, { texts, spellings }] of occurrences) {
    if (texts.length >= least) phrases.set(key, { key, texts, written: mostFrequent(spellings) });
    checkedCount += 1;
    if (checkedCount % 2_000 === 0) yield;
  }
  return phrases;
}

function addOccurrence(
  occurrences: Map<string, PhraseOccurrences>,
  key: string,
  written: string,
  text: number,
): void {
  let found = occurrences.get(key);
  if (found === undefined) occurrences.set(key, (found = { texts: [], spellings: new Map() }));
  if (found.texts.at(-1) !== text) found.texts.push(text);
  const count = found.spellings.get(written);
  if (count !== undefined || found.spellings.size < MAX_SPELLINGS)
    found.spellings.set(written, (count ?? 0) + 1);
}

function mostFrequent(spellings: ReadonlyMap<string, number>): string {
  const [first] = [...spellings].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return first![0];
}
