import type { FindingFact } from '../text-analyzer.ts';

/** Digits with decimal and thousands separators (12, 1,234.5), or with spaces between thousands (12 000). */
const NUMBER = /\p{Nd}+(?:[.,]\p{Nd}+)*/gu;
const SPACED_NUMBER = /\p{Nd}+(?:[\u00a0\u2009\u202f' ]\p{Nd}{3}(?!\p{Nd}))*(?:[.,]\p{Nd}+)*/gu;
const OTHER_NUMERALS = /[\p{No}\p{Nl}]/gu;
/** Numbers written as words. Without `one`, which is rarely a figure. */
const NUMBER_WORDS = new RegExp(
  '\\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|' +
    'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|dozens?|half|halves|halved|thirds?|quarters?|' +
    'twice|doubled?|doubles|doubling|tripled?|triples|threefold|fourfold|tenfold|majority)\\b',
  'gi',
);

/** Whether every figure in the text occurs in the fact: the model may choose the words, not the figures. */
export function hasOnlyFactFigures({ kind, statement, figures }: FindingFact, words: string): boolean {
  const values = Object.entries(figures).flatMap(([name, value]) => [name, String(value)]);
  const given = [kind, statement, ...values].join('\n');
  const known = new Set([...findFigures(given, NUMBER), ...findFigures(given, SPACED_NUMBER)]);
  return findFigures(words, SPACED_NUMBER).every((figure) => known.has(figure));
}

function findFigures(text: string, number: RegExp): string[] {
  const digits = [...text.matchAll(number)].map(([found]) => parseFigure(found));
  const otherMatches = [...text.matchAll(OTHER_NUMERALS), ...text.matchAll(NUMBER_WORDS)];
  return [...digits, ...otherMatches.map(([found]) => found.toLowerCase())];
}

/** A comma before exactly three digits is a thousands separator, as in English; any other comma is a decimal separator. */
function parseFigure(found: string): string {
  const plain = found.replace(/[^\p{Nd}.,]/gu, '');
  const hasThousandsSeparators = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain);
  const value = Number(hasThousandsSeparators ? plain.replaceAll(',', '') : plain.replace(',', '.'));
  return Number.isNaN(value) ? plain : String(value);
}
