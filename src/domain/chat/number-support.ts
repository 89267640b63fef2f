import { readNumberText } from '../numbers/read-number-text.ts';
import type { ChatFigure, FigureResults } from './chat-figure.ts';
import type { PastMessage } from './system-prompt.ts';

/** Marks a number that no figure supports. */
const UNSUPPORTED_MARK = '[unsupported]';

const PERCENT = String.raw`[\s\u00a0\u202f]*(?:[%％٪]|percent|per cent|prozent|por ciento|pour cent|por cento|процент)`;
const NUMBER = String.raw`\p{Nd}{1,3}(?:[ \u00a0\u202f.,'’]\p{Nd}{3}){1,8}(?:[.,]\p{Nd}+)?(?!\p{Nd})|\p{Nd}+(?:[.,]\p{Nd}+)?`;
/** A number that is not part of a name such as Q1; `1st` counts as a name. */
const NUMBERS = new RegExp(
  String.raw`(?<![\p{L}\p{Nd}_])(?<number>${NUMBER})(?!(?:st|nd|rd|th)(?!\p{L}))(?<percent>${PERCENT})?`,
  'giu',
);
const MARKED_NUMBERS = new RegExp(
  String.raw`(?<!\p{Nd})(${NUMBER})(?:${PERCENT})?[\s\u00a0]?\[unsupported\]`,
  'giu',
);
const LIST_MARKER = /(?:^|\n)[ \t]*$/;

/** Significance levels are not figures. */
const SIGNIFICANCE_WORDS = /signif|confiden|level|p\s*[<≤=>]|niveau|konfiden|nivel|nível|знач|уров|довер/i;
const SIGNIFICANCE_LEVELS = [90, 95, 99, 10, 5, 1, 0.1, 0.05, 0.01, 0.001];
/** The scores that separate the groups of a Net Promoter Score. */
const NPS_POINTS = [0, 6, 7, 8, 9, 10];
/** Characters on both sides of a number that are searched for significance words. */
const CONTEXT_CHARACTERS = 60;

interface NumberContext {
  /** A percent sign or word follows. */
  isPercent: boolean;
  /** The text before and after it. */
  surroundingText: string;
  /** Within quotation marks. */
  isQuoted: boolean;
}

interface KnownNumbers {
  values: number[];
  percents: number[];
}

/** Collects the numbers that an answer may contain because a figure supports them. */
export class NumberSupport {
  private readonly known: KnownNumbers = { values: [], percents: [] };
  /** Numbers in verbatims. They are supported only within quotation marks. */
  private readonly quoted: KnownNumbers = { values: [], percents: [] };
  private hasTests = false;

  /** The prompt of the model includes the counts of responses. */
  addCounts(counts: FigureResults['get_response_counts']): void {
    this.known.values.push(...Object.values(counts));
  }

  /** Adds numbers in names and labels. */
  addText(text: string): void {
    addNumbersIn(text, this.known);
  }

  /** Adds numbers of earlier answers, except marked ones. */
  addHistory(history: readonly PastMessage[]): void {
    for (const { role, content } of history)
      if (role === 'assistant') this.addText(content.replace(MARKED_NUMBERS, ' '));
  }

  add(figure: ChatFigure): void {
    const { base, counted, result } = figure;
    this.addValue({ base, counted }, '');
    if (figure.function === 'get_verbatims') {
      const { verbatims, ...rest } = figure.result;
      this.addValue(rest, '');
      this.addValue(
        verbatims.map(({ response_id: id }) => id),
        '',
      );
      for (const { text } of verbatims) addNumbersIn(text, this.quoted);
      return;
    }
    this.addValue(result, '');
    if (figure.function === 'read_texts') {
      const { read, sentiments } = figure.result;
      for (const count of Object.values(sentiments)) this.known.percents.push((100 * count) / read);
    }
    if (figure.function === 'get_crosstab' || figure.function === 'compare_waves') this.hasTests = true;
  }

  /** Whether a figure supports the number, rounded to its decimals. */
  has(numberText: string, facts: NumberContext): boolean {
    // `20 100` may be one number, or two.
    const parts = numberText.split(' ');
    if (parts.length > 1 && !this.supports(numberText, facts))
      return parts.every((part) => this.supports(part, facts));
    return this.supports(numberText, facts);
  }

  private supports(numberText: string, { isPercent, surroundingText, isQuoted }: NumberContext): boolean {
    const readings = parseNumber(numberText);
    if (
      this.hasTests &&
      SIGNIFICANCE_WORDS.test(surroundingText) &&
      readings.some(({ value }) => SIGNIFICANCE_LEVELS.includes(value))
    )
      return true;
    const sources = isQuoted ? [this.known, this.quoted] : [this.known];
    return sources.some(({ values, percents }) =>
      (isPercent ? percents : values).some((known) =>
        readings.some((reading) => isRoundingOf(known, reading)),
      ),
    );
  }

  private addValue(value: unknown, key: string): void {
    if (typeof value === 'number') {
      this.known.values.push(value);
      if (key.includes('percent')) this.known.percents.push(value);
      if (key === 'nps') this.known.values.push(...NPS_POINTS);
    } else if (typeof value === 'string') this.addText(value);
    else if (Array.isArray(value)) {
      this.known.values.push(value.length);
      for (const one of value) this.addValue(one, key);
    } else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) this.addValue(one, name);
  }
}

function addNumbersIn(text: string, numbers: KnownNumbers): void {
  for (const { groups: { number = '', percent } = {} } of text.matchAll(NUMBERS)) {
    const values = parseNumber(number).map(({ value }) => value);
    numbers.values.push(...values);
    if (percent !== undefined) numbers.percents.push(...values);
  }
}

interface ParsedNumber {
  value: number;
  decimals: number;
}

const isRoundingOf = (known: number, { value, decimals }: ParsedNumber): boolean =>
  Math.abs(Math.abs(known) - value) <= 0.5 * 10 ** -decimals + 1e-9;

/** The possible values of a number: `1.234` is 1.234 or 1234, depending on the language. */
function parseNumber(numberText: string): ParsedNumber[] {
  const reading = readNumberText(numberText);
  const readings =
    reading.kind === 'number' ? [reading] : reading.kind === 'ambiguous' ? reading.readings : [];
  return readings.map(({ value, text }) => ({ value, decimals: text.split('.')[1]?.length ?? 0 }));
}

/** Marks unsupported numbers in streamed text. Holds a number back until the following words have arrived. */
export class NumberMarker {
  private emitted: string;
  private pending = '';

  /** `before`: the part of the answer already sent. */
  constructor(
    private readonly support: NumberSupport,
    before = '',
  ) {
    this.emitted = before;
  }

  push(text: string): string {
    return this.process(text, false);
  }

  end(): string {
    return this.process('', true);
  }

  private process(chunk: string, isEnd: boolean): string {
    const text = this.pending + chunk;
    let output = '';
    let at = 0;
    // The text before a number decides whether it begins a list or is part of a name.
    const context = this.emitted.slice(-CONTEXT_CHARACTERS);
    for (const match of (context + text).matchAll(NUMBERS)) {
      const start = match.index - context.length;
      const end = start + match[0].length;
      if (start < at) continue;
      const after = text.slice(end);
      if (!isEnd && after.length < CONTEXT_CHARACTERS && !after.includes('\n'))
        return this.emit(output + text.slice(at, start), text.slice(start));
      output += text.slice(at, end);
      const { number = '', percent } = match.groups ?? {};
      const before = this.emitted + text.slice(0, start);
      if (!this.isSupported(number, { isPercent: percent !== undefined, before, after }))
        output += ` ${UNSUPPORTED_MARK}`;
      at = end;
    }
    return this.emit(output + text.slice(at), '');
  }

  private emit(output: string, pendingText: string): string {
    this.emitted += output;
    this.pending = pendingText;
    return output;
  }

  private isSupported(
    number: string,
    { isPercent, before, after }: { isPercent: boolean; before: string; after: string },
  ): boolean {
    if (number.length <= 2 && LIST_MARKER.test(before) && /^[.)]\s/.test(after)) return true;
    const surroundingText = before.slice(-CONTEXT_CHARACTERS) + after.slice(0, CONTEXT_CHARACTERS);
    return this.support.has(number, { isPercent, surroundingText, isQuoted: isInQuotes(before) });
  }
}

/** Within quotation marks that were opened on the same line. */
function isInQuotes(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const straight = line.split('"').length - 1;
  const opened = line.split(/[“„«]/).length - 1;
  const closed = line.split(/[”»]/).length - 1;
  return straight % 2 === 1 || opened > closed;
}

/** Returns the marked numbers of an answer, each once. */
export const findUnsupportedNumbers = (content: string): string[] => [
  ...new Set([...content.matchAll(MARKED_NUMBERS)].map(([, number = '']) => number)),
];
