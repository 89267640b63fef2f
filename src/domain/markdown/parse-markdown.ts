import type { MarkdownElement, MarkdownForm, MarkdownNode } from './markdown.ts';
import { markdownToPlainText } from './markdown.ts';
import { parseBlocks } from './parse-blocks.ts';
import { parseInline } from './parse-inline.ts';

/** Texts without any of these have no format. */
const MARKS = /[*_[\\#+-]|\d\./;

/** Parses a text with Markdown; returns null if it has no format, so that it is shown as it is. */
export function parseMarkdown(text: string, form: MarkdownForm): MarkdownNode[] | null {
  if (!MARKS.test(text)) return null;
  if (form === 'inline') {
    const nodes = parseInline(text);
    return nodes[0] === text ? null : nodes;
  }
  const blocks = parseBlocks(text);
  return blocks.every(isPlainParagraph) && withoutSpace(markdownToPlainText(blocks)) === withoutSpace(text)
    ? null
    : blocks;
}

const isPlainParagraph = ({ tag, children }: MarkdownElement): boolean =>
  tag === 'p' && children.every((child) => typeof child === 'string');

const withoutSpace = (text: string): string => text.replace(/\s/g, '');

/** Returns the text without its marks. */
export function plainText(text: string, form: MarkdownForm): string {
  const nodes = parseMarkdown(text, form);
  return nodes === null ? text : markdownToPlainText(nodes);
}
