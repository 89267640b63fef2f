import { textWidth } from '../../domain/charts/drawing/chart-drawing.ts';
import { type MarkdownSpan, parseMarkdownBlocks } from '../markdown-blocks.ts';
import { primaryLanguageOf, TEXT_SIZES } from '../slide-page.ts';
import { type Palette, removeForbiddenCharacters } from './ooxml.ts';
import type { TextOptions, TextProps } from './library.ts';

/** Scripts with a default language for texts of another language than the report. The first match wins. */
const SCRIPTS: readonly { script: RegExp; language: string; languages: readonly string[] }[] = [
  { script: /\p{Script=Arabic}/u, language: 'ar-SA', languages: ['ar', 'fa', 'ur', 'ps', 'ckb', 'ug', 'sd'] },
  { script: /\p{Script=Hebrew}/u, language: 'he-IL', languages: ['he', 'iw', 'yi'] },
  { script: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, language: 'ja-JP', languages: ['ja'] },
  { script: /\p{Script=Hangul}/u, language: 'ko-KR', languages: ['ko'] },
  { script: /\p{Script=Han}/u, language: 'zh-CN', languages: ['zh', 'ja'] },
  {
    script: /\p{Script=Cyrillic}/u,
    language: 'ru-RU',
    languages: ['ru', 'uk', 'be', 'bg', 'sr', 'mk', 'kk', 'ky', 'mn', 'tg'],
  },
  { script: /\p{Script=Greek}/u, language: 'el-GR', languages: ['el'] },
  { script: /\p{Script=Devanagari}/u, language: 'hi-IN', languages: ['hi', 'mr', 'ne'] },
  { script: /\p{Script=Thai}/u, language: 'th-TH', languages: ['th'] },
];

const NON_LATIN = new Set(SCRIPTS.flatMap(({ languages }) => languages));

/** Detects the language of a text for spell checking and font selection. */
export function detectLanguage(text: string, reportLanguage: string): string {
  const primaryLanguage = primaryLanguageOf(reportLanguage);
  const match = SCRIPTS.find(({ script }) => script.test(text));
  if (match === undefined)
    return NON_LATIN.has(primaryLanguage) && /\p{Script=Latin}/u.test(text) ? 'en-US' : reportLanguage;
  return match.languages.includes(primaryLanguage) ? reportLanguage : match.language;
}

const FIRST_STRONG = /[\p{L}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Whether a paragraph is right-to-left by its first letter; without a letter, `fallback`. */
export function isRightToLeftText(text: string, fallback: boolean): boolean {
  const [letter] = FIRST_STRONG.exec(text) ?? [];
  return letter === undefined ? fallback : RIGHT_TO_LEFT.test(letter);
}

/** Text format. Absent properties are inherited from placeholder, layout and master. */
export interface RunFormat {
  /** Points. */
  size?: number | undefined;
  bold?: boolean | undefined;
  italic?: boolean | undefined;
  /** A color by its name in the theme, or its six digits. */
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

function markdownRuns(runs: readonly MarkdownSpan[], format: RunFormat = {}): Run[] {
  return runs.map(({ text, bold, italic, code, href }) => ({
    ...format,
    text,
    ...((bold || format.bold === true) && { bold: true }),
    ...(italic && { italic }),
    ...(code && { monospaced: true }),
    href,
  }));
}

/** Converts Markdown to paragraphs. Only font sizes that differ from the placeholder are set. */
export function markdownParagraphs(markdown: string, palette: Palette): Paragraph[] {
  const mutedColor = palette.colorName(palette.style.mutedText);
  return parseMarkdownBlocks(markdown).flatMap((block): Paragraph[] => {
    switch (block.kind) {
      case 'heading':
        return [
          {
            runs: markdownRuns(block.runs, {
              bold: true,
              ...(block.level === 1 && { size: TEXT_SIZES.text + 3 }),
            }),
            before: 14,
          },
        ];
      case 'item': {
        const bullet = block.number === null ? 'dot' : { number: block.number };
        return [{ runs: markdownRuns(block.runs), level: block.level, bullet, before: 6 }];
      }
      case 'quote':
        return [{ runs: markdownRuns(block.runs, { fill: mutedColor, italic: true }), before: 8 }];
      case 'code':
        return [plainParagraph(block.text, { monospaced: true, size: TEXT_SIZES.small })];
      case 'table':
        return [block.header, ...block.rows].map((cells, index) => ({
          runs: cells.flatMap((runs, cell) => [
            ...(cell === 0 ? [] : [{ text: '  ·  ' }]),
            ...markdownRuns(runs, index === 0 ? { bold: true } : {}),
          ]),
          before: 2,
        }));
      default:
        return [{ runs: markdownRuns(block.runs), before: 8 }];
    }
  });
}

const LINE = 1.3;

/** Estimates the height of paragraphs in a width, in points. */
export function textHeight(paragraphs: readonly Paragraph[], width: number, size: number): number {
  return paragraphs.reduce((sum, { runs, level = 0, bullet, before = 7 }, index) => {
    const text = runs.map((run) => run.text).join('');
    const textSize = runs[0]?.size ?? size;
    const availableWidth = width - (bullet === undefined ? 0 : (level + 1) * 18);
    const lines = text
      .split('\n')
      .reduce(
        (count, line) =>
          count + Math.max(1, Math.ceil((textWidth(line, textSize) * 0.9) / Math.max(availableWidth, 40))),
        0,
      );
    return sum + lines * textSize * LINE + (index === 0 ? 0 : before);
  }, 0);
}

const MIN_SCALE = 0.5;

/** The scale of `size` with which the paragraphs fit; 1: unscaled. */
export function fittingScale(
  paragraphs: readonly Paragraph[],
  available: { width: number; height: number },
  size: number,
): number {
  for (let scale = 1; scale > MIN_SCALE; scale -= 0.05) {
    const scaled = paragraphs.map((paragraph) => ({
      ...paragraph,
      before: (paragraph.before ?? 7) * scale,
      runs: paragraph.runs.map((run) => ({
        ...run,
        ...(run.size !== undefined && { size: run.size * scale }),
      })),
    }));
    if (textHeight(scaled, available.width, size * scale) <= available.height) return scale;
  }
  return MIN_SCALE;
}
