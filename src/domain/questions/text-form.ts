import type { MarkdownForm } from '../markdown/markdown.ts';

/** A statement is a text to read, so it has headings and lists; the text of a question has emphasis and links. */
export const textForm = ({ type }: { type: string }): MarkdownForm =>
  type === 'statement' ? 'blocks' : 'inline';
