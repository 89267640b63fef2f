/**
 * Reads numbers as people write them: `1,234.50`, `1.234,50`, `1 234,5`, `1'234.50`, `1,00,000`, `.5`, `−3`, `٢٥`. This is the one rule for
 * the respondent page, the studio, texts that the API gets for numbers, and cells of imported files; docs/reference/question-types.md states
 * it for users.
 *
 * - **Digits** are the decimal digits of all scripts (Unicode category Nd), and full-width marks are read as their ASCII forms.
 * - **Groups.** A space, an apostrophe and `٬` only group digits. `.` and `,` group or begin the decimals. Groups have three digits, or two
 *   before the last three (`1,00,000`); the first has one to three digits and does not begin with 0. All groups have the same mark.
 * - **Decimals.** `٫` only begins decimals. Of two different marks, the last begins the decimals; a mark that is repeated groups.
 * - **One mark before exactly three digits** (`1,500`) can mean both: it groups where a whole number is expected, and is ambiguous elsewhere,
 *   unless the notation is known. It begins decimals where it cannot group (`0,435`, `1234,567`).
 * - **Signs.** One plus or minus before the number, also `−` and dashes.
 * - **Other text** is refused, except the given affixes. Nothing is rounded or left out: more decimals than allowed are refused, and up to two
 *   zeros beyond them are accepted (`30.00` is 30).
 */

export type DecimalMark = '.' | ',';

/** What is known about a number before its text is read. */
export interface NumberNotation {
  /** Maximum number of decimals; 0: a whole number; null: any (default). */
  decimals?: number | null | undefined;
  /** The mark before decimals, where the language or the other cells of a column tell; null: unknown (default). */
  decimalMark?: DecimalMark | null | undefined;
  /** The mark between groups, if it is `.` or `,` and known; null: unknown (default). */
  groupingMark?: DecimalMark | null | undefined;
  /** Texts such as `€` or `kg` that can stand before or after the number. */
  affixes?: readonly (string | null)[] | undefined;
  /** Whether `1e-05` is a number, as programs write it; false by default. */
  allowsExponent?: boolean | undefined;
}

interface ReadNumber {
  value: number;
  /** The number with ASCII digits and a decimal point, without groups, and with all decimals as entered: `-1234.50`. */
  text: string;
}

/** `empty`: no text · `text`: not digits and marks · `marks`: groups or marks in no valid order · `decimals`: more than allowed. */
type NumberRefusal = 'empty' | 'text' | 'marks' | 'decimals';

export type NumberReading =
  | ({ kind: 'number' } & ReadNumber)
  /** Both meanings of one mark before exactly three digits: `1,500` is 1500 or 1.5. The second may have more decimals than allowed. */
  | { kind: 'ambiguous'; readings: readonly [grouped: ReadNumber, decimal: ReadNumber] }
  | { kind: 'not_a_number'; reason: NumberRefusal };

const MAX_CHARACTERS = 100;

/** The common case, such as `-12.50`, needs no further analysis unless its decimals may be a group. */
const PLAIN = /^-?\d{1,15}(?:\.(?:\d{1,2}|\d{4,15}))?$/;

const MINUS = '-−–‐‑‒﹣－';
const PLUS = '+＋';
/** Marks that stand for an ASCII mark: full-width and ideographic ones, and the Arabic comma. `d` and `g` have one meaning each. */
const MARKS = new Map([
  ['.', '.'],
  ['．', '.'],
  ['。', '.'],
  ['｡', '.'],
  [',', ','],
  ['，', ','],
  ['、', ','],
  ['､', ','],
  ['،', ','],
  ['٫', 'd'],
  ['٬', 'g'],
  ["'", "'"],
  ['’', "'"],
  ['‘', "'"],
  ['ʼ', "'"],
  ['＇', "'"],
]);
/** Invisible marks that set the direction of text, as formatted Arabic and Hebrew numbers have them, and the byte order mark. */
const INVISIBLE = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g;
const DIGIT = /^\p{Nd}$/u;
const SPACE = /^\p{Zs}$/u;

/** The digits between marks; the first is empty in `.5`, the last in `5.`. */
interface NumberParts {
  groups: string[];
  marks: string[];
  exponent: string;
}

/** Reads the text of one number. */
export function readNumberText(text: string, notation: NumberNotation = {}): NumberReading {
  const { decimals = null } = notation;
  if (PLAIN.test(text) && (decimals === null || !text.includes('.')) && notation.decimalMark !== ',') {
    return { kind: 'number', value: Number(text) + 0, text };
  }
  const unsigned = splitSign(text, notation.affixes ?? []);
  if (unsigned === null) return { kind: 'not_a_number', reason: 'text' };
  if (unsigned.number === '') return { kind: 'not_a_number', reason: text.trim() === '' ? 'empty' : 'text' };
  const parts = splitParts(unsigned.number, notation.allowsExponent ?? false);
  if (parts === null) return { kind: 'not_a_number', reason: 'text' };
  const toNumber = (digits: string): ReadNumber => {
    const written = `${unsigned.isNegative ? '-' : ''}${digits}${parts.exponent}`;
    return { value: Number(written) + 0, text: written };
  };
  const grouped = isGrouped(parts, notation) ? toNumber(parts.groups.join('')) : null;
  const fraction = parts.groups.at(-1) ?? '';
  const decimal = hasDecimals(parts, notation)
    ? toNumber(`${parts.groups.slice(0, -1).join('') || '0'}${fraction === '' ? '' : `.${fraction}`}`)
    : null;
  if (grouped !== null && (decimal === null || decimals === 0)) return { kind: 'number', ...grouped };
  if (grouped !== null && decimal !== null) return { kind: 'ambiguous', readings: [grouped, decimal] };
  if (decimal === null) return { kind: 'not_a_number', reason: 'marks' };
  const needed = fraction.replace(/0{1,2}$/, '').length;
  return decimals !== null && needed > decimals
    ? { kind: 'not_a_number', reason: 'decimals' }
    : { kind: 'number', ...decimal };
}

/** Removes the sign and the affixes, in any order; null if there are two signs. */
function splitSign(
  text: string,
  affixes: readonly (string | null)[],
): { isNegative: boolean; number: string } | null {
  if (text.length > MAX_CHARACTERS) return null;
  let rest = text.replace(INVISIBLE, '').trim();
  let sign: string | null = null;
  const removable = affixes.flatMap((affix) => removableAffix(affix) ?? []);
  // A number has at most a sign, a prefix and a suffix.
  for (let turn = 0; turn < 3; turn += 1) {
    const first = rest.charAt(0);
    if (first !== '' && (MINUS + PLUS).includes(first)) {
      if (sign !== null) return null;
      sign = first;
      rest = rest.slice(1).trimStart();
    }
    const folded = rest.toLowerCase();
    const before = removable.find((affix) => folded.startsWith(affix));
    const after = removable.find((affix) => folded.endsWith(affix));
    if (before !== undefined) rest = rest.slice(before.length).trimStart();
    else if (after !== undefined) rest = rest.slice(0, rest.length - after.length).trimEnd();
  }
  return { isNegative: sign !== null && MINUS.includes(sign), number: rest };
}

/** Returns an affix in the form to compare; null if it could be taken for a part of a number, such as `,000 €`. */
function removableAffix(affix: string | null): string | null {
  const folded = (affix ?? '').replace(INVISIBLE, '').trim().toLowerCase();
  const ends = [[...folded].at(0), [...folded].at(-1)];
  const isNumberPart = (character: string | undefined) =>
    character === undefined || MARKS.has(character) || (MINUS + PLUS).includes(character);
  return ends.some(isNumberPart) || ends.every((character) => DIGIT.test(character ?? '')) ? null : folded;
}

/** Splits a number without sign at its marks; null if it has other characters. */
function splitParts(text: string, allowsExponent: boolean): NumberParts | null {
  const exponent = allowsExponent ? (/\d[.,]?(e[+-]?\d{1,3})$/i.exec(text)?.[1] ?? '') : '';
  const groups = [''];
  const marks: string[] = [];
  for (const character of text.slice(0, text.length - exponent.length)) {
    const mark = MARKS.get(character) ?? (SPACE.test(character) ? ' ' : null);
    if (mark !== null) {
      marks.push(mark);
      groups.push('');
    } else if (DIGIT.test(character)) groups.push(`${groups.pop() ?? ''}${digitValue(character)}`);
    else return null;
  }
  return groups.join('') === '' ? null : { groups, marks, exponent };
}

/** Returns whether all marks can group. */
function isGrouped({ groups, marks }: NumberParts, { decimalMark, groupingMark }: NumberNotation): boolean {
  const [mark] = marks;
  if (mark === undefined) return true;
  if (mark === 'd' || mark === decimalMark) return false;
  if (groupingMark != null && (mark === '.' || mark === ',') && mark !== groupingMark) return false;
  return marks.every((other) => other === mark) && areGroups(groups);
}

/** Returns whether the last mark can begin the decimals. */
function hasDecimals({ groups, marks, ...rest }: NumberParts, notation: NumberNotation): boolean {
  const last = marks.at(-1);
  if (last !== 'd' && last !== '.' && last !== ',') return false;
  const { decimalMark, groupingMark } = notation;
  if (last !== 'd' && (last === groupingMark || (decimalMark != null && last !== decimalMark))) return false;
  const whole = { groups: groups.slice(0, -1), marks: marks.slice(0, -1), ...rest };
  return whole.marks.length === 0 || (!whole.marks.includes(last) && isGrouped(whole, notation));
}

/** Three digits, or two before the last three, as in `1,00,000`. */
function areGroups(groups: readonly string[]): boolean {
  const [first = '', ...others] = groups;
  const last = others.pop() ?? '';
  if (!/^[1-9]\d{0,2}$/.test(first) || last.length !== 3) return false;
  return (
    others.every(({ length }) => length === 3) ||
    (first.length <= 2 && others.every(({ length }) => length === 2))
  );
}

/** Replaces the decimal digits of all scripts by ASCII digits: `٢٠٢٦` is `2026`. */
export const toAsciiDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit)));

const digitValues = new Map<string, number>();

/** Returns the value of a decimal digit of any script: Unicode encodes 0 to 9 in sequence, and some sequences follow each other. */
function digitValue(digit: string): number {
  const known = digitValues.get(digit);
  if (known !== undefined) return known;
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  const value = (code - first) % 10;
  digitValues.set(digit, value);
  return value;
}
