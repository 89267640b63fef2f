/**
 * What a number format shows. `time`: of a day · `length`: a length of time, in elapsed hours, minutes or seconds, or without hours ·
 * `percent`: a number times 100.
 */
type FormatKind = 'number' | 'percent' | 'date' | 'time' | 'length';

/** A number format (ECMA-376 part 1, 18.8.31): the sections for positive and negative numbers and zero, or for conditions. */
export interface NumberFormat {
  kindOf(value: number): FormatKind;
  /** Digits of a format of zeros only, such as 5 of `00000`; 0: none. */
  padding: number;
}

/** Formats by their ids. Those between 27 and 81 are dates and times in East Asian and Thai versions. */
function kindOfBuiltIn(id: number): FormatKind {
  if (id === 9 || id === 10 || (id >= 67 && id <= 68)) return 'percent';
  if ((id >= 45 && id <= 47) || (id >= 78 && id <= 80)) return 'length';
  if ((id >= 18 && id <= 21) || id === 32 || id === 33 || id === 75 || id === 76) return 'time';
  const isDate =
    (id >= 14 && id <= 22) ||
    (id >= 27 && id <= 36) ||
    (id >= 50 && id <= 58) ||
    (id >= 71 && id <= 74) ||
    id === 77 ||
    id === 81;
  return isDate ? 'date' : 'number';
}

export function builtInFormat(id: number): NumberFormat {
  const kind = kindOfBuiltIn(id);
  return { kindOf: () => kind, padding: 0 };
}

interface Section {
  /** Whether it shows texts (`@`): as a last section it is for texts only. */
  isForTexts: boolean;
  /** `literal`: shows no part of the value. */
  kind: FormatKind | 'literal';
  /** Whether the section states for which values it is. */
  condition: ((value: number) => boolean) | null;
}

export function parseNumberFormat(code: string): NumberFormat {
  const all = splitSections(code).slice(0, 4).map(parseSection);
  const sections = all.length > 1 && all.at(-1)?.isForTexts === true ? all.slice(0, -1) : all;
  const [first, second, third] = sections;
  const shown = sections.find(({ kind }) => kind !== 'literal' && kind !== 'number')?.kind;
  // A section without the value, such as "" for zero, hides it and does not change what it is.
  const main = shown === undefined || shown === 'literal' ? 'number' : shown;
  const resolve = (section: Section | undefined) =>
    section === undefined || section.kind === 'literal' ? main : section.kind;
  const padding = sections.length === 1 && /^0{2,}$/.test(code) ? code.length : 0;
  if (sections.every((section) => resolve(section) === main)) return { kindOf: () => main, padding };
  const hasConditions = sections.some(({ condition }) => condition !== null);
  const kindOf = (value: number): FormatKind => {
    if (hasConditions) {
      const found = sections.slice(0, 3).find(({ condition }) => condition?.(value));
      return resolve(found ?? sections.find(({ condition }) => condition === null) ?? first);
    }
    if (value < 0) return resolve(second ?? first);
    return resolve(value === 0 ? (third ?? first) : first);
  };
  return { kindOf, padding };
}

/** Splits at the semicolons that are not quoted, escaped or in brackets. */
function splitSections(code: string): string[] {
  const sections: string[] = [];
  let start = 0;
  for (let i = 0; i < code.length; i = skipLiteral(code, i)) {
    if (code[i] !== ';') continue;
    sections.push(code.slice(start, i));
    start = i + 1;
  }
  return [...sections, code.slice(start)];
}

/** Returns the position behind a quoted text, an escaped, spaced or repeated character or brackets; else behind one character. */
function skipLiteral(code: string, position: number): number {
  const character = code[position] ?? '';
  if (character === '\\' || character === '_' || character === '*') return position + 2;
  const end = character === '"' ? '"' : character === '[' ? ']' : '';
  if (end === '') return position + 1;
  const close = code.indexOf(end, position + 1);
  return close < 0 ? code.length : close + 1;
}

const ELAPSED = /^(h+|m+|s+)$/i;
const CONDITION = /^(<=|>=|<>|=|<|>)\s?([+-]?\d{1,20}(?:\.\d{1,20})?(?:E[+-]?\d{1,3})?)$/i;
/** The long date and the time of the system. */
const SYSTEM_DATE = /^\$-(?:x-sysdate|f800)/i;
const SYSTEM_TIME = /^\$-(?:x-systime|f400)/i;
const DAY_PERIOD = /^(?:am\/pm|a\/p|上午\/下午|午前\/午後|오전\/오후)/iu;
/** Words without a part of a date. */
const WORD = /^(?:general|standard|e[+-])/i;

/** What a section shows, as found from left to right. */
class SectionScan {
  condition: Section['condition'] = null;
  isForTexts = false;
  private hasDigits = false;
  private hasPercent = false;
  private hasElapsed = false;
  private hasDate = false;
  private hasHours = false;
  private hasSeconds = false;
  private minutesOrMonths = 0;
  private hasGeneral = false;

  addBrackets(text: string): void {
    if (ELAPSED.test(text)) this.hasElapsed = true;
    else if (SYSTEM_DATE.test(text)) this.hasDate = true;
    else if (SYSTEM_TIME.test(text)) this.hasHours = true;
    const [, operator, limit] = CONDITION.exec(text) ?? [];
    if (operator === undefined) return;
    const other = Number(limit);
    this.condition = (value) => compare(value, operator, other);
  }

  addWord(word: string): void {
    if (/^[e]/i.test(word)) this.hasDigits = true;
    else this.hasGeneral = true;
  }

  addHours(): void {
    this.hasHours = true;
  }

  /** A letter, repeated `count` times. */
  addLetters(letter: string, count: number): void {
    if (letter === 'y' || letter === 'd' || letter === 'e' || letter === 'g' || letter === 'b')
      this.hasDate = true;
    else if (letter === 'a') this.hasDate ||= count >= 3;
    else if (letter === 'h') this.hasHours = true;
    else if (letter === 's') this.hasSeconds = true;
    else if (letter === 'm' && count >= 3) this.hasDate = true;
    else if (letter === 'm') this.minutesOrMonths += 1;
  }

  /** `isFraction`: decimals of a second. */
  addDigits(isFraction: boolean): void {
    this.hasDigits ||= !isFraction;
  }

  addPercent(): void {
    this.hasPercent = true;
  }

  get kind(): Section['kind'] {
    const hasClock = this.hasHours || this.hasSeconds;
    const isDate = this.hasDate || (this.minutesOrMonths > 0 && !hasClock && !this.hasElapsed);
    if (this.hasDigits || this.hasGeneral) return this.hasPercent ? 'percent' : 'number';
    if (this.hasElapsed) return 'length';
    if (isDate) return 'date';
    if (this.hasHours) return 'time';
    return hasClock ? 'length' : 'literal';
  }
}

function parseSection(code: string): Section {
  const scan = new SectionScan();
  /** Whether the last part of the value is seconds, whose decimals follow. */
  let isAfterSeconds = false;
  for (let i = 0; i < code.length;) {
    const character = (code[i] ?? '').toLowerCase();
    const rest = code.slice(i, i + 12);
    const word = (WORD.exec(rest) ?? [])[0];
    const period = (DAY_PERIOD.exec(rest) ?? [])[0];
    let end = skipLiteral(code, i);
    if (character === '[') {
      const text = code.slice(i + 1, end - 1);
      scan.addBrackets(text);
      isAfterSeconds = /^s+$/i.test(text);
    } else if (word !== undefined) {
      scan.addWord(word);
      end = i + word.length;
    } else if (period !== undefined) {
      scan.addHours();
      end = i + period.length;
    } else if (end === i + 1) {
      if (character === '0' || character === '#' || character === '?') {
        while (code[end] === code[i]) end += 1;
        scan.addDigits(isAfterSeconds);
      } else if (character === '@') scan.isForTexts = true;
      else if (character === '%') scan.addPercent();
      else if (/[a-z]/.test(character)) {
        while (code[end]?.toLowerCase() === character) end += 1;
        scan.addLetters(character, end - i);
        isAfterSeconds = character === 's';
      } else if (character !== '.' && character !== ',') isAfterSeconds = false;
    }
    i = end;
  }
  return { kind: scan.kind, condition: scan.condition, isForTexts: scan.isForTexts };
}

function compare(value: number, operator: string, other: number): boolean {
  switch (operator) {
    case '<':
      return value < other;
    case '<=':
      return value <= other;
    case '>':
      return value > other;
    case '>=':
      return value >= other;
    case '<>':
      return value !== other;
    default:
      return value === other;
  }
}
