import type { FindingFact } from '../text-analyzer.ts';

/** Digits with what parts them: 12, 1,234.5; with blanks between thousands: 12 000. */
const NUMBER = /\p{Nd}+(?:[.,]\p{Nd}+)*/gu;
const SPACED_NUMBER = /\p{Nd}+(?:[\u00a0\u2009\u202f' ]\p{Nd}{3}(?!\p{Nd}))*(?:[.,]\p{Nd}+)*/gu;
const OTHER_NUMERALS = /[\p{No}\p{Nl}]/gu;
/** Figures that need no digits. `one` is left out: it is seldom a figure. */
const NUMBER_WORDS = new RegExp(
  '\\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|' +
    'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|dozens?|half|halves|halved|thirds?|quarters?|' +
    'twice|doubled?|doubles|doubling|tripled?|triples|threefold|fourfold|tenfold|majority)\\b',
  'gi',
);

/** Whether every figure in the words is one of the fact's: words may be chosen, figures may not. */
export function hasOnlyFactFigures({ kind, statement, figures }: FindingFact, words: string): boolean {
  const values = Object.entries(figures).flatMap(([name, value]) => [name, String(value)]);
  const given = [kind, statement, ...values].join('\n');
  const known = new Set([...findFigures(given, NUMBER), ...findFigures(given, SPACED_NUMBER)]);
  return findFigures(words, SPACED_NUMBER).every((figure) => known.has(figure));
}

function findFigures(text: string, number: RegExp): string[] {
  const digits = [...text.matchAll(number)].map(([found]) => parseFigure(found));
  const others = [...text.matchAll(OTHER_NUMERALS), ...text.matchAll(NUMBER_WORDS)];
  return [...digits, ...others.map(([found]) => found.toLowerCase())];
}

/** A comma before three digits parts thousands, as English has it; any other is a decimal one. */
function parseFigure(found: string): string {
  const plain = found.replace(/[^\p{Nd}.,]/gu, '');
  const parted = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain);
  const value = Number(parted ? plain.replaceAll(',', '') : plain.replace(',', '.'));
  return Number.isNaN(value) ? plain : String(value);
}
