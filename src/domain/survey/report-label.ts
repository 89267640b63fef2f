import { trimCharactersEnd } from '../../lib/trim-characters.ts';
import { plainText } from '../markdown/parse-markdown.ts';
import { fillPipes } from './logic/piping.ts';

/** Longest proposed label, and longest title, in characters. */
const MAX_PROPOSED_LABEL = 60;
const MAX_TITLE = 240;

/** Texts in brackets are hints for respondents, such as "(Select all that apply)". */
const BRACKETED = /\([^()]*\)|\[[^[\]]*\]/g;
/** The end of a sentence, but not of an initial or of an abbreviation such as "e.g." */
const SENTENCE_END = /(?<=[^\s.][^\s.])[.?!](?=\s)|[。？！]/u;

/**
 * Proposes a short name of a question for figures: the first sentence of its text without Markdown and texts in brackets, at most 60 characters.
 * Pipes become their defaults. Empty if nothing remains.
 */
export function proposeReportLabel(text: string): string {
  const [firstLine = ''] = plainText(text, 'inline')
    .trim()
    .split(/\r\n|\r|\n/, 1);
  const plain = withoutPipes(firstLine.replace(BRACKETED, ' '));
  const end = SENTENCE_END.exec(plain);
  const sentence = end === null ? plain : plain.slice(0, end.index + 1);
  return shorten(trimCharactersEnd(sentence, /[.:\s]/), MAX_PROPOSED_LABEL);
}

/** Replaces pipes by their defaults, without gaps where there is none: "Hello {{hidden.name}}, how …" becomes "Hello, how …". */
const withoutPipes = (text: string): string =>
  fillPipes(text, () => '')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.;:?!])/g, '')
    .trim();

/** Cuts a longer text after a word. */
function shorten(text: string, maxLength: number): string {
  const characters = [...text];
  if (characters.length <= maxLength) return text;
  const start = characters.slice(0, maxLength - 1).join('');
  const isWholeWord = /\s/.test(characters[maxLength - 1] ?? '');
  const lastSpace = start.lastIndexOf(' ');
  const words = isWholeWord || lastSpace < maxLength / 2 ? start : start.slice(0, lastSpace);
  return `${trimCharactersEnd(words, /[\s,;:–-]/)}…`;
}

interface NamedQuestion {
  code: string;
  text: string;
  settings: { report_label: string | null };
}

/** The short name of a question in figures: its `report_label`, otherwise a proposal from its text; its code if it has no text. */
export const reportLabelOf = ({
  code,
  text,
  settings,
}: {
  code: string;
  text: string;
  settings: { report_label: string | null };
}): string => withoutPipes(settings.report_label ?? '') || proposeReportLabel(text) || code;

/** The title of a question where there is room: its `report_label`, otherwise its whole text without Markdown and texts in brackets. */
export const questionTitleOf = ({ code, text, settings }: NamedQuestion): string =>
  withoutPipes(settings.report_label ?? '') ||
  shorten(withoutPipes(plainText(text, 'inline').replace(BRACKETED, ' ')), MAX_TITLE) ||
  code;
