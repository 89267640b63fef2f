import type { Question } from '../../domain/survey/definition.ts';
import { utf8, truncateUtf8, truncateUtf8Start } from './bytes.ts';

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
export function labelEnding({ text }: Pick<Question, 'text'>, label: string): string | undefined {
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
    for (const index of indexesOfAmbiguous(labels, fitted))
      if (fitted[index] !== labels[index]!.text) fitted[index] = rewrite(labels[index]!);
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
    texts.set(label, same.add(labels[index]!.text));
  });
  return fitted.flatMap((label, index) => (texts.get(label)!.size > 1 ? [index] : []));
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
