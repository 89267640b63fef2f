import { NOT_APPLICABLE } from '../dataset/columns/missing.ts';
import type { TextColumn } from '../dataset/columns/text-column.ts';
import { MAX_TEXT_LENGTH } from '../expressions/text-functions.ts';
import type { TextOperation } from './definition.ts';
import { ROWS_PER_YIELD } from './rows-per-turn.ts';

/** Punctuation by Unicode, and the signs that ASCII has beside it. Emoji and other symbols stay. */
const PUNCTUATION = /[\p{P}$+<=>^`|~]/gu;
/** What looks like a tag: `a < b` stays. No part can be read in two ways, so the time is linear. */
const TAG = /<[a-zA-Z!/?][^<>]*>/g;
const ENTITY = /&(amp|lt|gt|quot|apos|nbsp|#39);/g;
const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['nbsp', ' '],
]);

const CLEANERS: Record<TextOperation, (text: string) => string> = {
  trim: (text) => text.trim(),
  lowercase: (text) => text.toLowerCase(),
  uppercase: (text) => text.toUpperCase(),
  remove_punctuation: (text) => text.replace(PUNCTUATION, ''),
  collapse_whitespace: (text) => text.replace(/\s+/gu, ' '),
  strip_html: (text) => text.replace(TAG, '').replace(ENTITY, (_, name: string) => ENTITIES.get(name) ?? ''),
  nfc: (text) => text.normalize('NFC'),
};

/** The operations, one after the other; null when nothing is left. */
export function cleanText(text: string, operations: readonly TextOperation[]): string | null {
  let cleaned = text;
  for (const operation of operations) cleaned = CLEANERS[operation](cleaned);
  // Uppercase may lengthen.
  return cleaned === '' || cleaned.length > MAX_TEXT_LENGTH ? null : cleaned;
}

/** Cleans the texts of the rows that are wanted (1). A text of which nothing is left is not applicable. */
export function* cleanTextColumn(
  source: TextColumn,
  wanted: Uint8Array,
  operations: readonly TextOperation[],
  target: TextColumn,
): Generator<void> {
  for (let row = 0; row < wanted.length; row++) {
    if (row % (ROWS_PER_YIELD / 16) === 0) yield;
    if (wanted[row] === 0) continue;
    const text = source.texts[row];
    const cleaned = text == null ? null : cleanText(text, operations);
    if (cleaned === null) target.setMissing(row, source.missing(row) ?? NOT_APPLICABLE);
    else target.set(row, cleaned);
  }
}
