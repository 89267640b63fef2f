import { mapMarkdown, type MarkdownForm, type MarkdownNode, markdownToPlainText } from './markdown.ts';
import { parseMarkdown } from './parse-markdown.ts';

/** A text with format, filled in. */
export interface FormattedText {
  nodes: readonly MarkdownNode[];
  /** For names of controls, menus and titles. */
  plain: string;
}

/**
 * Parses a text and then fills the pipes in its texts and addresses, so that what is filled in is always text. Returns null if the text has no
 * format.
 */
export function readMarkdown(
  text: string,
  form: MarkdownForm,
  fill: { text: (text: string) => string; address: (address: string) => string } = UNFILLED,
): FormattedText | null {
  const parsed = parseMarkdown(text, form);
  if (parsed === null) return null;
  const nodes = mapMarkdown(parsed, fill.text, fill.address);
  return { nodes, plain: markdownToPlainText(nodes) };
}

const UNFILLED = { text: (text: string) => text, address: (address: string) => address };

export type MarkdownReader = typeof readMarkdown;
