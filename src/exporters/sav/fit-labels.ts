import type { Question } from '../../domain/survey/definition.ts';
import { utf8, truncateUtf8, truncateUtf8Start } from './bytes.ts';

/** A label before it is fitted into the bytes that a record has for it. */
export interface FullLabel {
  text: string;
  /** The end of the text, kept when the rest is shortened: the option or the row behind the text of a question. */
  ending?: string | undefined;
  /** Put before it where nothing else tells it from another label. */
  name: string;
}

const ELLIPSIS = '…';

/** What the label of a question's column, or of one of its sets, has after the text of the question. */
export function labelEnding({ text }: Pick<Question, 'text'>, label: string): string | undefined {
  return label.startsWith(text) ? label.slice(text.length) : undefined;
}

/**
 * The labels within `maxBytes` of UTF-8, cut between characters, with an ellipsis where something is left out: before the ending of a
 * label that has one, else at the end. Labels that would be the same then, but are not, lose their middle instead; in the last resort
 * their names precede them. `cut` is called with the index of each label that does not fit.
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

/** Indexes of labels that are the same once fitted, and were not before. */
function indexesOfAmbiguous(labels: readonly FullLabel[], fitted: readonly string[]): number[] {
  const texts = new Map<string, Set<string>>();
  fitted.forEach((label, index) => {
    const same = texts.get(label) ?? new Set<string>();
    texts.set(label, same.add(labels[index]!.text));
  });
  return fitted.flatMap((label, index) => (texts.get(label)!.size > 1 ? [index] : []));
}

/** The ending with as much as there is room for before it; null: the label has none, or it is too long by itself. */
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

/** As much of the beginning as leaves room for an ellipsis. */
function startWithin(text: string, maxBytes: number): string {
  const availableBytes = maxBytes - utf8(ELLIPSIS).length;
  return truncateUtf8(utf8(text), availableBytes).toString('utf8').trimEnd();
}
