import { NOT_APPLICABLE } from '../dataset/columns/missing.ts';
import type { TextColumn } from '../dataset/columns/text-column.ts';
import { MAX_TEXT_LENGTH } from '../expressions/text-functions.ts';
import type { TextOperation } from './definition.ts';
import { ROWS_PER_YIELD } from './number-chunks.ts';

/** Unicode punctuation plus the ASCII symbols used as such. Emoji and other symbols remain. */
const PUNCTUATION = /[\p{P}$+<=>^`|~]/gu;
/** Matches tags; `a < b` remains. Unambiguous, so it runs in linear time. */
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

/** Applies the operations in order; null if no text is left. */
export function cleanText(text: string, operations: readonly TextOperation[]): string | null {
  let cleaned = text;
  for (const operation of operations) cleaned = CLEANERS[operation](cleaned);
  // Uppercase can lengthen a text.
  return cleaned === '' || cleaned.length > MAX_TEXT_LENGTH ? null : cleaned;
}

/** Cleans the texts of the rows selected by `wanted` (1). A text that becomes empty is not applicable. */
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
