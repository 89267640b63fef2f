import { requireItem } from '../../lib/require-value.ts';

/** A label before it is truncated to the bytes of its record. */
export interface FullLabel {
  text: string;
  /** The end of the text, kept when the label is truncated: the option or the row after the question text. */
  ending?: string | undefined;
  /** Prefix for labels that would otherwise be identical. */
  name: string;
}

const ELLIPSIS = '…';

/** Returns the part of a column or set label that follows the question text. */
export function labelEnding({ text }: { text: string }, label: string): string | undefined {
  return label.startsWith(text) ? label.slice(text.length) : undefined;
}

/**
 * Truncates labels to `maxBytes` of UTF-8 between characters, with an ellipsis for the omitted part: before the ending of a
 * label that has one, else at the end. Different labels that would become identical lose their middle instead; if they still match,
 * their names precede them. `onTruncated` receives the index of each truncated label.
 */
export function fitLabels(
  labels: readonly FullLabel[],
  maxBytes: number,
  onTruncated: (index: number) => void,
): Buffer[] {
  const fitted = labels.map((label, index) => {
    if (utf8(label.text).length <= maxBytes) return label.text;
    onTruncated(index);
    return keepEnding(label, maxBytes) ?? `${startWithin(label.text, maxBytes)}${ELLIPSIS}`;
  });
  const shorten = (rewrite: (label: FullLabel) => string) => {
    for (const index of indexesOfAmbiguous(labels, fitted)) {
      const label = requireItem(labels, index);
      if (fitted[index] !== label.text) fitted[index] = rewrite(label);
    }
  };
  shorten(({ text }) => cutMiddle(text, maxBytes));
  shorten(({ text, name }) => `${name}: ${cutMiddle(text, maxBytes - utf8(`${name}: `).length)}`);
  return fitted.map(utf8);
}

/** Indexes of labels that became identical by truncation. */
function indexesOfAmbiguous(labels: readonly FullLabel[], fitted: readonly string[]): number[] {
  const texts = new Map<string, Set<string>>();
  fitted.forEach((label, index) => {
    const same = texts.get(label) ?? new Set<string>();
    texts.set(label, same.add(requireItem(labels, index).text));
  });
  return fitted.flatMap((label, index) => ((texts.get(label)?.size ?? 0) > 1 ? [index] : []));
}

/** The ending and as much text before it as fits; null for a label without an ending. */
function keepEnding({ text, ending }: FullLabel, maxBytes: number): string | null {
  if (ending === undefined || ending === '' || !text.endsWith(ending)) return null;
  const availableBytes = maxBytes - utf8(ending).length;
  if (availableBytes < utf8(ELLIPSIS).length) return cutMiddle(ending, maxBytes);
  return `${startWithin(text, availableBytes)}${ELLIPSIS}${ending}`;
}

function cutMiddle(text: string, maxBytes: number): string {
  const availableBytes = maxBytes - utf8(ELLIPSIS).length;
  const end = truncateUtf8Start(utf8(text), Math.ceil(availableBytes / 2)).toString('utf8');
  return `${startWithin(text, maxBytes - utf8(end).length)}${ELLIPSIS}${end}`;
}

/** The longest start that leaves space for an ellipsis. */
function startWithin(text: string, maxBytes: number): string {
  const availableBytes = maxBytes - utf8(ELLIPSIS).length;
  return truncateUtf8(utf8(text), availableBytes).toString('utf8').trimEnd();
}

export const SPACE = 0x20;

export function utf8(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}

export function int32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeInt32LE(value, 4 * i));
  return bytes;
}

export function float64(...values: number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, i) => bytes.writeDoubleLE(value, 8 * i));
  return bytes;
}

/** Whether a cut before the byte would split a character: it has the form 10xxxxxx. */
const continuesCharacter = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80;

/** The longest beginning of `bytes` (UTF-8) within `maxBytes` that does not end inside a character, such as a composed emoji. */
export function truncateUtf8(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length <= maxBytes) return bytes;
  const end = startOfCodePoint(bytes, maxBytes);
  const from = startOfCodePoint(bytes, Math.max(0, end - MAX_CHARACTER_BYTES));
  const to = startOfCodePoint(bytes, Math.min(bytes.length, end + MAX_CHARACTER_BYTES));
  const text = bytes.toString('utf8', from, to);
  const units = bytes.toString('utf8', from, end).length;
  const cut = new Intl.Segmenter().segment(text).containing(units);
  // A longer character is split.
  const isSplit = cut === undefined || (cut.index === 0 && from > 0);
  const start = isSplit ? end : from + Buffer.byteLength(text.slice(0, cut.index));
  return bytes.subarray(0, start);
}

const MAX_CHARACTER_BYTES = 256;

function startOfCodePoint(bytes: Buffer, position: number): number {
  let start = position;
  while (start > 0 && continuesCharacter(bytes[start])) start -= 1;
  return start;
}

/** The longest end of `bytes` (UTF-8) within `maxBytes` that does not begin inside a character. */
function truncateUtf8Start(bytes: Buffer, maxBytes: number): Buffer {
  let start = Math.max(0, bytes.length - maxBytes);
  while (continuesCharacter(bytes[start])) start += 1;
  return bytes.subarray(start);
}

/** Truncates a text to `maxBytes` of UTF-8; calls `onTruncated` where it does not fit. */
export function fitText(text: string, maxBytes: number, onTruncated: () => void): Buffer {
  const bytes = utf8(text);
  if (bytes.length > maxBytes) onTruncated();
  return truncateUtf8(bytes, maxBytes);
}

/** Pads with spaces to exactly `lengthBytes`. */
export function padWithSpaces(bytes: Buffer, lengthBytes: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, lengthBytes - bytes.length), SPACE)], lengthBytes);
}

/** Pads with spaces to the next multiple. */
export function padToMultiple(bytes: Buffer, multipleBytes: number): Buffer {
  return padWithSpaces(bytes, Math.ceil(bytes.length / multipleBytes) * multipleBytes);
}
