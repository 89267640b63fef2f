import type { QualitySettings } from '../survey/quality-settings.ts';
import { typeOf } from '../questions/registry.ts';
import type { QualityFlag } from '../responses/quality-flag.ts';
import type { CatalogColumn, ColumnCatalog } from '../dataset/column-catalog.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { RowCheck } from './row-checks.ts';
import { trimCharacters } from '../../lib/trim-characters.ts';

/**
 * Properties of a text in any language, from its characters only. Letters are Unicode letters; combining accents, spaces, digits and
 * symbols are not letters.
 */

const LETTER = /\p{L}/u;
const DIGIT = /\p{N}/u;
const HAN = /\p{Script=Han}/u;
const SYLLABLE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Yi}\p{Script=Ethiopic}]/u;

/** An ideograph has about as much content as three letters of an alphabet, a syllable sign as two. */
const HAN_WEIGHT = 3;
const SYLLABLE_WEIGHT = 2;

const KNOWN = 128;
const IS_LETTER = 64;
/** By code point below 65,536: KNOWN, IS_LETTER and the weight; 0: not computed yet. */
const traitCache = new Uint8Array(0x10000);

function traitsOf(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  const known = traitCache[codePoint];
  if (known !== undefined && known !== 0) return known;
  const weight = HAN.test(character) ? HAN_WEIGHT : SYLLABLE.test(character) ? SYLLABLE_WEIGHT : 1;
  const isLetter = LETTER.test(character);
  const traits = KNOWN | (isLetter ? IS_LETTER | weight : DIGIT.test(character) ? weight : 0);
  if (codePoint < traitCache.length) traitCache[codePoint] = traits;
  return traits;
}

/** The number of letters and digits, with ideographs and syllable signs weighted by the letters they replace. */
export function textWeight(text: string): number {
  let weight = 0;
  for (const character of text) weight += traitsOf(character) & ~(KNOWN | IS_LETTER);
  return weight;
}

/** The letters in lower case. */
export function extractLetters(text: string): string[] {
  const letters: string[] = [];
  for (const character of text.normalize('NFKC').toLowerCase()) {
    if ((traitsOf(character) & IS_LETTER) !== 0) letters.push(character);
  }
  return letters;
}

/** Normalizes a text for comparison: ignores case, character width, repeated spaces and punctuation at the ends. */
export function foldText(text: string): string {
  return trimCharacters(text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' '), /[^\p{L}\p{N}]/u);
}

/** The share of the most frequent letter, 0 to 1; 0 without letters. */
export function mostFrequentLetterShare(letters: readonly string[]): number {
  const counts = new Map<string, number>();
  let most = 0;
  for (const letter of letters) {
    const count = (counts.get(letter) ?? 0) + 1;
    counts.set(letter, count);
    most = Math.max(most, count);
  }
  return letters.length === 0 ? 0 : most / letters.length;
}

const LONGEST_UNIT = 4;

/**
 * How often a unit of up to four letters is repeated throughout the text ("asdasdasd": 3); the last unit can be incomplete. 1: not
 * repeated.
 */
export function countUnitRepeats(letters: readonly string[]): number {
  for (let period = 1; period <= LONGEST_UNIT && period * 2 <= letters.length; period++) {
    if (letters.every((letter, index) => index < period || letter === letters[index - period])) {
      return Math.floor(letters.length / period);
    }
  }
  return 1;
}

/**
 * Keyboard rows, with the length of the shortest run that does not occur in words of the languages typed on them (in the upper rows
 * "wert" and "pour" are words; "запрос" has four adjacent keys of the Russian home row).
 */
const ROWS: readonly { keys: string; shortest: number }[] = [
  { keys: 'qwertyuiop', shortest: 5 },
  { keys: 'asdfghjkl', shortest: 4 },
  { keys: 'zxcvbnm', shortest: 4 },
  // French and German keyboards, where they differ
  { keys: 'azertyuiop', shortest: 5 },
  { keys: 'qsdfghjklm', shortest: 4 },
  { keys: 'wxcvbn', shortest: 4 },
  { keys: 'qwertzuiopü', shortest: 5 },
  { keys: 'asdfghjklöä', shortest: 4 },
  { keys: 'yxcvbnm', shortest: 4 },
  // Russian and Ukrainian
  { keys: 'йцукенгшщзхъ', shortest: 5 },
  { keys: 'фывапролджэ', shortest: 5 },
  { keys: 'фыва', shortest: 4 },
  { keys: 'фівапролджє', shortest: 5 },
  { keys: 'фіва', shortest: 4 },
  { keys: 'ячсмитьбю', shortest: 5 },
  // Greek, Hebrew, Arabic
  { keys: 'ςερτυθιοπ', shortest: 5 },
  { keys: 'ασδφγηξκλ', shortest: 4 },
  { keys: 'קראטוןםפ', shortest: 5 },
  { keys: 'שדגכעיחלךף', shortest: 5 },
  { keys: 'ضصثقفغعهخحجد', shortest: 5 },
  { keys: 'شسيبلاتنمكط', shortest: 5 },
];

const NEIGHBOUR_SHARE = ROWS.map(({ keys, shortest }) => {
  const indices = new Map(Array.from(keys, (key, position) => [key, position]));
  return { indices, shortest };
});

/** Adjacent keys, in any row and direction. */
const PAIRS = new Set(
  ROWS.flatMap(({ keys }) => {
    const row = Array.from(keys);
    return row
      .slice(1)
      .flatMap((key, index) => row.slice(index, index + 1).flatMap((left) => [left + key, key + left]));
  }),
);
const SHORTEST = Math.min(...ROWS.map(({ shortest }) => shortest));

/** Whether enough adjacent keys follow each other to check for runs. */
function hasManyNeighbours(letters: readonly string[]): boolean {
  let length = 0;
  let previous = '';
  for (const letter of letters) {
    length = PAIRS.has(previous + letter) ? length + 1 : 1;
    if (length >= SHORTEST) return true;
    previous = letter;
  }
  return false;
}

/** The share of letters in runs along a keyboard row, in either direction, 0 to 1. */
export function keyboardRunShare(letters: readonly string[]): number {
  if (!hasManyNeighbours(letters)) return 0;
  let most = 0;
  for (const { indices, shortest } of NEIGHBOUR_SHARE)
    most = Math.max(most, countLettersInRuns(letters, indices, shortest));
  return most / letters.length;
}

function countLettersInRuns(
  letters: readonly string[],
  indices: ReadonlyMap<string, number>,
  shortest: number,
): number {
  let covered = 0;
  let length = 0;
  // 1 if the run starts with the last key of a counted run.
  let counted = 0;
  let direction = 0;
  let previous: number | undefined;
  for (const letter of [...letters, '']) {
    const position = indices.get(letter);
    const step = position === undefined || previous === undefined ? 0 : position - previous;
    if (Math.abs(step) === 1 && (length === 1 || step === direction)) length++;
    else {
      const isRun = length >= shortest;
      if (isRun) covered += length - counted;
      const changesDirection = Math.abs(step) === 1;
      counted = isRun && changesDirection ? 1 : 0;
      length = position === undefined ? 0 : changesDirection ? 2 : 1;
    }
    direction = step;
    previous = position;
  }
  return covered;
}

/**
 * Finds texts that many respondents gave verbatim to the same question. Ignores short texts: many respondents genuinely answer
 * "none" or "too expensive".
 */
export class SharedTexts {
  private readonly counts = new Map<number, number>();
  private answers = 0;

  constructor(
    private readonly columnCode: string,
    private readonly settings: QualitySettings['open_end'],
  ) {}

  add(text: string): void {
    this.answers++;
    const hash = this.hashOf(text);
    if (hash !== null) this.counts.set(hash, (this.counts.get(hash) ?? 0) + 1);
  }

  /** Call after adding all texts. Keeps only texts shared by too many respondents. */
  finish(): void {
    const { min_shared: minShared, max_shared_share: share } = this.settings;
    for (const [hash, count] of this.counts) {
      if (count < minShared || count <= share * this.answers) this.counts.delete(hash);
    }
  }

  createFlag(text: string): QualityFlag | null {
    const hash = this.counts.size === 0 ? null : this.hashOf(text);
    const count = hash === null ? undefined : this.counts.get(hash);
    if (count === undefined) return null;
    return {
      check: 'open_end',
      severity: 'medium',
      metric: 'shared_share',
      value: count / this.answers,
      threshold: this.settings.max_shared_share,
      column_codes: [this.columnCode],
      measures: { respondents: count },
    };
  }

  /** Returns null for a text that is too short to check. */
  private hashOf(text: string): number | null {
    if (text.length * 3 < this.settings.shared_min_length) return null;
    return textWeight(text) < this.settings.shared_min_length ? null : textHash(foldText(text));
  }
}

/** A 53-bit hash (cyrb53 by bryc, public domain). Two of a million texts collide once in 18,000 runs. */
function textHash(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

type OpenEndSettings = QualitySettings['open_end'];

/** With fewer letters, a repetition can be a coincidence. */
const MIN_LETTERS_REPEATED = 3;
const MIN_LETTERS_SAME = 6;

/**
 * Flags one open answer: too short, and the strongest sign of gibberish. `maxLength` is the limit of its question. Digits are never
 * gibberish: 100000 can be a real answer.
 */
export function findOpenEndFlags(
  text: string,
  { columnCode, maxLength }: { columnCode: string; maxLength: number },
  settings: OpenEndSettings,
): QualityFlag[] {
  const flag = (
    metric: string,
    found: Pick<QualityFlag, 'value' | 'threshold' | 'severity'>,
  ): QualityFlag => {
    const { severity, value, threshold } = found;
    return { check: 'open_end', severity, metric, value, threshold, column_codes: [columnCode] };
  };
  const weight = textWeight(text);
  if (weight === 0 && settings.gibberish)
    return [flag('letters_and_digits', { value: 0, threshold: 1, severity: 'low' })];
  const flags: QualityFlag[] = [];
  const shortest = Math.min(settings.min_length, maxLength);
  if (weight < shortest) flags.push(flag('length', { value: weight, threshold: shortest, severity: 'low' }));
  if (!settings.gibberish) return flags;
  const letters = extractLetters(text);
  const keyboard = keyboardRunShare(letters);
  const repeats = letters.length < MIN_LETTERS_REPEATED ? 1 : countUnitRepeats(letters);
  const letterShare = letters.length < MIN_LETTERS_SAME ? 0 : mostFrequentLetterShare(letters);
  if (keyboard >= settings.max_keyboard_share) {
    flags.push(
      flag('keyboard_share', { value: keyboard, threshold: settings.max_keyboard_share, severity: 'high' }),
    );
  } else if (repeats >= settings.min_repeats) {
    flags.push(flag('repeats', { value: repeats, threshold: settings.min_repeats, severity: 'medium' }));
  } else if (letterShare >= settings.max_letter_share) {
    flags.push(
      flag('letter_share', { value: letterShare, threshold: settings.max_letter_share, severity: 'medium' }),
    );
  }
  return flags;
}

/** Flags the same text in all open answers of a respondent. `given` are the answers with a text. */
export function findRepeatedTextFlag(
  openAnswers: readonly { columnCode: string; text: string }[],
  settings: OpenEndSettings,
): QualityFlag | null {
  const [first, ...others] = openAnswers;
  if (first === undefined || openAnswers.length < settings.min_identical) return null;
  const text = foldText(first.text);
  if (text === '' || others.some((other) => foldText(other.text) !== text)) return null;
  return {
    check: 'open_end',
    severity: 'medium',
    metric: 'identical_answers',
    value: openAnswers.length,
    threshold: settings.min_identical,
    column_codes: openAnswers.map(({ columnCode }) => columnCode),
  };
}

/** The columns of open answers: the listed ones, or every text question without a required format. */
export function findOpenEndColumns(catalog: ColumnCatalog, settings: OpenEndSettings): CatalogColumn[] {
  if (settings.column_codes !== null) {
    return settings.column_codes
      .flatMap((code) => catalog.find(code) ?? [])
      .filter(({ spec }) => spec.type === 'text');
  }
  return catalog.columns.filter(({ origin, spec }) => {
    if (origin.kind !== 'question' || spec.retired) return false;
    const { question } = origin.questionColumns;
    return typeOf(question).openText?.isFree(question) === true;
  });
}

interface OpenEnd {
  columnCode: string;
  maxLength: number;
  texts: readonly (string | null)[];
  shared: SharedTexts;
}

/**
 * Checks open answers of a dataset. Call `addRow` for every row, then `finishCounting`, then `evaluate`, because texts shared by many
 * respondents must be counted first.
 */
export class OpenEndCheck {
  private readonly openEnds: OpenEnd[];

  constructor(
    dataset: Dataset,
    columns: readonly CatalogColumn[],
    private readonly settings: OpenEndSettings,
  ) {
    this.openEnds = columns.flatMap((entry) => {
      const column = dataset.column(entry);
      const { columnCode } = entry.spec;
      const shared = new SharedTexts(columnCode, settings);
      return column.kind === 'text'
        ? [{ columnCode, maxLength: maxTextLength(entry), texts: column.texts, shared }]
        : [];
    });
  }

  addRow(row: number): void {
    if (!this.settings.repeated) return;
    for (const { texts, shared } of this.openEnds) {
      const text = texts[row] ?? null;
      if (text !== null) shared.add(text);
    }
  }

  finishCounting(): RowCheck {
    const { settings } = this;
    for (const { shared } of this.openEnds) shared.finish();
    return {
      check: 'open_end',
      thresholds: {
        min_length: settings.min_length,
        max_keyboard_share: settings.gibberish ? settings.max_keyboard_share : null,
        min_repeats: settings.gibberish ? settings.min_repeats : null,
        max_letter_share: settings.gibberish ? settings.max_letter_share : null,
        max_shared_share: settings.repeated ? settings.max_shared_share : null,
        min_shared: settings.repeated ? settings.min_shared : null,
        shared_min_length: settings.repeated ? settings.shared_min_length : null,
        min_identical: settings.repeated ? settings.min_identical : null,
        columns: this.openEnds.length,
      },
      evaluate: (row) => this.evaluate(row),
    };
  }

  private evaluate(row: number): QualityFlag[] | null {
    const flags: QualityFlag[] = [];
    const openAnswers: { columnCode: string; text: string }[] = [];
    for (const openEnd of this.openEnds) {
      const text = openEnd.texts[row] ?? null;
      if (text === null) continue;
      flags.push(...findOpenEndFlags(text, openEnd, this.settings));
      openAnswers.push({ columnCode: openEnd.columnCode, text });
      const shared = this.settings.repeated ? openEnd.shared.createFlag(text) : null;
      if (shared !== null) flags.push(shared);
    }
    if (openAnswers.length === 0) return null;
    const same = this.settings.repeated ? findRepeatedTextFlag(openAnswers, this.settings) : null;
    return same === null ? flags : [...flags, same];
  }
}

/** The longest answer that the question accepts. */
function maxTextLength({ origin }: CatalogColumn): number {
  if (origin.kind !== 'question') return Infinity;
  const { question } = origin.questionColumns;
  return typeOf(question).openText?.maxCharacters(question) ?? Infinity;
}
