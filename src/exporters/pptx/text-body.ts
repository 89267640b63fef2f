import type { TextOptions, TextProps } from './library.ts';
import type { MarkdownSpan } from '../slides/markdown-blocks.ts';
import { detectLanguage, isRightToLeftText } from './script-language.ts';
import { removeForbiddenCharacters } from './xml.ts';

/** Text format. Absent properties are inherited from placeholder, layout and master. */
export interface RunFormat {
  /** Points. */
  size?: number | undefined;
  bold?: boolean | undefined;
  italic?: boolean | undefined;
  /** A colour by its name in the theme, or its six digits. */
  fill?: string | undefined;
  monospaced?: boolean | undefined;
  /** A link: http, https or mailto. */
  href?: string | null | undefined;
}

export interface Run extends RunFormat {
  text: string;
}

export interface Paragraph {
  runs: readonly Run[];
  level?: number;
  align?: 'start' | 'center' | 'end';
  bullet?: 'none' | 'dot' | { number: number };
  /** Points above it. */
  before?: number;
}

export interface WritingDirection {
  language: string;
  isRtl: boolean;
}

/** Allowed link targets; other links become text. */
const ALLOWED_LINK = /^(https?:\/\/|mailto:)/i;
const BULLET_POINTS = 18;
/** The library sets black on texts outside of placeholders. This placeholder belongs to no layout and prevents it. */
export const INHERITING_PLACEHOLDER = 'inherits';

type Options = TextOptions & { placeholder?: string };

/**
 * Paragraphs in the format of the library. Every run has its own options, because the library modifies and shares them.
 */
export function textRuns(paragraphs: readonly Paragraph[], writing: WritingDirection): TextProps[] {
  return paragraphs.flatMap((paragraph, paragraphIndex) => {
    const runs = paragraph.runs.flatMap(splitLines);
    const all = runs.length > 0 ? runs : [{ text: '', breaks: false }];
    const paragraphText = runs.map(({ text }) => text).join('');
    return all.map((run, index) => {
      const isLast = index === all.length - 1;
      const options: Options = {
        ...paragraphOptions(paragraph, paragraphText, writing),
        ...runOptions(run, writing.language),
        placeholder: INHERITING_PLACEHOLDER,
        ...(run.breaks && { softBreakBefore: true }),
        ...(isLast && paragraphIndex < paragraphs.length - 1 && { breakLine: true }),
      };
      return { text: removeForbiddenCharacters(run.text), options };
    });
  });
}

/** Splits a run at its line breaks. */
function splitLines(run: Run): (Run & { breaks: boolean })[] {
  return run.text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((text, index) => ({ ...run, text, breaks: index > 0 }));
}

function paragraphOptions(
  { level = 0, align = 'start', bullet, before }: Paragraph,
  text: string,
  { isRtl }: WritingDirection,
): Options {
  const sides = { start: isRtl ? 'right' : 'left', end: isRtl ? 'left' : 'right', center: 'center' } as const;
  return {
    align: sides[align],
    ...(isRightToLeftText(text, isRtl) && { rtlMode: true }),
    ...(level > 0 && { indentLevel: Math.min(level, 8) }),
    ...(before !== undefined && before > 0 && { paraSpaceBefore: before }),
    ...(bullet === 'dot' && { bullet: { indent: BULLET_POINTS } }),
    ...(typeof bullet === 'object' && {
      bullet: {
        type: 'number' as const,
        numberStartAt: Math.min(Math.max(bullet.number, 1), 32_767),
        indent: BULLET_POINTS,
      },
    }),
  };
}

function runOptions({ text, size, bold, italic, fill, monospaced, href }: Run, language: string): Options {
  return {
    lang: detectLanguage(text, language),
    ...(size !== undefined && { fontSize: size }),
    ...(bold !== undefined && { bold }),
    ...(italic === true && { italic }),
    ...(fill !== undefined && { color: fill }),
    ...(monospaced === true && { fontFace: 'Consolas' }),
    ...(href !== null &&
      href !== undefined &&
      ALLOWED_LINK.test(href) && { hyperlink: { url: removeForbiddenCharacters(href) } }),
  };
}

export function plainParagraph(
  text: string,
  format: RunFormat = {},
  paragraph: Omit<Paragraph, 'runs'> = {},
): Paragraph {
  return { runs: [{ ...format, text }], ...paragraph };
}

export function markdownRuns(runs: readonly MarkdownSpan[], format: RunFormat = {}): Run[] {
  return runs.map(({ text, bold, italic, code, href }) => ({
    ...format,
    text,
    ...((bold || format.bold === true) && { bold: true }),
    ...(italic && { italic }),
    ...(code && { monospaced: true }),
    href,
  }));
}
