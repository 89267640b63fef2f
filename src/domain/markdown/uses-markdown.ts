import { parseMarkdown } from './parse-markdown.ts';

/** Texts with headings and lists, by name; `text` and `question_text` are those of statements. */
const BLOCK_TEXT = /(?:description|_message|^welcome_text|^consent_text|^(?:question_)?text)$/;

/** Whether a text within a value has format. Values that are not shown may count too. */
export function usesMarkdown(value: unknown, name = ''): boolean {
  if (typeof value === 'string')
    return parseMarkdown(value, BLOCK_TEXT.test(name) ? 'blocks' : 'inline') !== null;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => usesMarkdown(inner, key));
}
