import { html, type Html } from '../shared/html.ts';
import type { PageSection } from './markdown.ts';

const MAX_RESULTS = 20;
const MAX_TERMS = 6;
/** Characters of an excerpt before and after the first word that matches. */
const EXCERPT_MARGIN = 100;
/** Occurrences of a word in the text that count, so that a long page is not always the best. */
const MAX_COUNTED = 5;
const HEADING_WEIGHT = 20;
const TITLE_WEIGHT = 100;

/** A page with what can be found in it. */
export interface SearchedPage {
  title: string;
  address: string;
  sections: readonly PageSection[];
}

export interface SearchResult {
  title: string;
  address: string;
  /** The part of the page that matches best; null: its beginning. */
  section: { heading: string; address: string } | null;
  excerpt: Html;
}

/**
 * Returns the pages that contain all words of the query, at most 20. Pages with the words in their title are first, then those with them in
 * headings; equal ones keep their order. A word matches words that begin with it, whatever its ending: "quotas" finds "quota".
 */
export function searchPages(pages: readonly SearchedPage[], query: string): SearchResult[] {
  const terms = readTerms(query);
  if (terms.length === 0) return [];
  return pages
    .flatMap((page) => {
      const score = scorePage(page, terms);
      return score === 0 ? [] : [{ page, score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ page }) => toResult(page, terms));
}

/** The words of a query as patterns of words that begin with their stems. */
function readTerms(query: string): RegExp[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words)]
    .slice(0, MAX_TERMS)
    .map((word) => new RegExp(String.raw`(?<![\p{L}\p{N}_])${stemOf(word)}[\p{L}\p{N}_]*`, 'giu'));
}

/** "weighting" and "weights" as "weight". Short words stay. */
const stemOf = (word: string): string => (word.length < 5 ? word : word.replace(/(?:ing|ed|es|s|e)$/, ''));

const countIn = (text: string, term: RegExp): number => text.match(term)?.length ?? 0;

/** 0: a word is missing. */
function scorePage({ title, sections }: SearchedPage, terms: readonly RegExp[]): number {
  let score = 0;
  for (const term of terms) {
    const inTitle = countIn(title, term) > 0 ? TITLE_WEIGHT : 0;
    const inHeadings = sections.some(({ heading }) => countIn(heading, term) > 0) ? HEADING_WEIGHT : 0;
    const inText = sections.reduce((sum, { text }) => sum + countIn(text, term), 0);
    const found = inTitle + inHeadings + Math.min(inText, MAX_COUNTED);
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

function toResult({ title, address, sections }: SearchedPage, terms: readonly RegExp[]): SearchResult {
  const scores = sections.map(({ heading, text }) =>
    terms.reduce(
      (sum, term) =>
        sum +
        (countIn(heading, term) > 0 ? HEADING_WEIGHT : 0) +
        (countIn(text, term) > 0 ? HEADING_WEIGHT / 2 : 0) +
        Math.min(countIn(text, term), MAX_COUNTED),
      0,
    ),
  );
  const index = scores.indexOf(Math.max(...scores));
  const best = sections[index];
  return {
    title,
    address,
    section:
      best === undefined || index === 0
        ? null
        : { heading: best.heading, address: `${address}#${best.anchor}` },
    excerpt: excerptOf(best?.text ?? '', terms),
  };
}

/** The text around the first word that matches, with all such words marked. */
function excerptOf(text: string, terms: readonly RegExp[]): Html {
  const anyTerm = new RegExp(terms.map(({ source }) => source).join('|'), 'giu');
  const first = text.search(anyTerm);
  const from = startOfWord(text, Math.max(0, first - EXCERPT_MARGIN));
  const to =
    first + EXCERPT_MARGIN >= text.length ? text.length : text.lastIndexOf(' ', first + EXCERPT_MARGIN);
  const isCut = to < text.length;
  const whole = text.slice(from, Math.max(to, from));
  const shown = isCut ? whole.replace(/[.,;:]$/, '') : whole;
  const parts: Html[] = [];
  let end = 0;
  for (const found of shown.matchAll(anyTerm)) {
    parts.push(html`${shown.slice(end, found.index)}<mark>${found[0]}</mark>`);
    end = found.index + found[0].length;
  }
  return html`${from > 0 && '…'}${parts}${shown.slice(end)}${isCut && '…'}`;
}

const startOfWord = (text: string, index: number): number => (index === 0 ? 0 : text.indexOf(' ', index) + 1);
