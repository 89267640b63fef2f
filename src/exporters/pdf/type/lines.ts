import { type TextRun, splitIntoRuns, withText, isRightToLeftText, type StyledText } from './text-runs.ts';
import type { Typefaces } from './typefaces.ts';

export interface Line {
  /** From left to right. */
  runs: TextRun[];
  /** Points. */
  width: number;
  /** Whether the paragraph is right-to-left. */
  rightToLeft: boolean;
}

export interface LineLimits {
  /** Points. */
  width: number;
  /** Text after the last line is replaced by an ellipsis. */
  maxLines?: number;
  /** Whether the report is right-to-left. */
  rightToLeft: boolean;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Breaks texts into lines. Lines are broken in logical order and then reordered visually. */
export function layoutLines(texts: readonly StyledText[], limits: LineLimits, typefaces: Typefaces): Line[] {
  const lines: Line[] = [];
  for (const paragraph of splitParagraphs(texts)) {
    const linesLeft = (limits.maxLines ?? Infinity) - lines.length;
    if (linesLeft <= 0) break;
    const paragraphText = paragraph.map(({ text }) => text).join('');
    const rightToLeft = isRightToLeftText(paragraphText, limits.rightToLeft);
    const runs = splitIntoRuns(paragraph, rightToLeft, typefaces);
    for (const line of breakLines(runs, { ...limits, maxLines: linesLeft }, typefaces)) {
      lines.push({ runs: toVisualOrder(line), width: totalWidth(line), rightToLeft });
    }
  }
  return lines;
}

function splitParagraphs(texts: readonly StyledText[]): StyledText[][] {
  const paragraphs: StyledText[][] = [[]];
  for (const { text, style } of texts) {
    for (const [index, part] of text.split(/\r\n|[\n\r\u0085]/).entries()) {
      if (index > 0) paragraphs.push([]);
      paragraphs.at(-1)!.push({ text: part, style });
    }
  }
  return paragraphs;
}

const totalWidth = (runs: readonly TextRun[]): number => runs.reduce((sum, { width }) => sum + width, 0);

function trimTrailingSpace(line: readonly TextRun[]): TextRun[] {
  const last = line.findLastIndex(({ isSpace }) => !isSpace);
  return line.slice(0, last + 1);
}

function breakLines(runs: readonly TextRun[], limits: LineLimits, typefaces: Typefaces): TextRun[][] {
  const { width, maxLines = Infinity } = limits;
  const lines: TextRun[][] = [];
  let line: TextRun[] = [];
  let used = 0;
  const words = groupWords(runs).flatMap((word) =>
    totalWidth(trimTrailingSpace(word)) > width ? splitLongWord(word, width) : [word],
  );
  for (const [index, word] of words.entries()) {
    if (line.length > 0 && used + totalWidth(trimTrailingSpace(word)) > width) {
      if (lines.length + 1 >= maxLines) {
        lines.push(truncateWithEllipsis([...line, ...words.slice(index).flat()], width, typefaces));
        return lines;
      }
      lines.push(trimTrailingSpace(line));
      [line, used] = [[], 0];
    }
    line.push(...word);
    used += totalWidth(word);
  }
  lines.push(trimTrailingSpace(line));
  return lines;
}

/** Groups runs into words with their trailing spaces. */
function groupWords(runs: readonly TextRun[]): TextRun[][] {
  const words: TextRun[][] = [];
  let isOpen = false;
  for (const run of runs) {
    if (isOpen || (run.isSpace && words.length > 0)) words.at(-1)!.push(run);
    else words.push([run]);
    isOpen = !run.canBreakAfter && !run.isSpace;
  }
  return words;
}

/** Splits a word that is wider than a line. */
function splitLongWord(word: readonly TextRun[], width: number): TextRun[][] {
  const parts: TextRun[][] = [];
  for (const run of word) {
    let [text, used] = ['', 0];
    for (const { segment } of graphemes.segment(run.text)) {
      const { width: segmentWidth } = withText(run, segment);
      if (text !== '' && used + segmentWidth > width) {
        parts.push([withText(run, text)]);
        [text, used] = ['', 0];
      }
      text += segment;
      used += segmentWidth;
    }
    parts.push([withText(run, text)]);
  }
  return parts;
}

/** Truncates a text to one line with an ellipsis. */
function truncateWithEllipsis(runs: readonly TextRun[], width: number, typefaces: Typefaces): TextRun[] {
  const { style, level } = runs[0]!;
  const [ellipsis] = splitIntoRuns([{ text: '…', style: { ...style, href: null } }], false, typefaces);
  const line: TextRun[] = [];
  let remainingWidth = width - ellipsis!.width;
  for (const run of runs) {
    if (run.width > remainingWidth) {
      const kept = longestPrefix(run, remainingWidth);
      if (kept !== null) line.push(kept);
      break;
    }
    line.push(run);
    remainingWidth -= run.width;
  }
  return [...trimTrailingSpace(line), { ...ellipsis!, level: Math.min(level, 1) }];
}

function longestPrefix(run: TextRun, width: number): TextRun | null {
  const parts = [...graphemes.segment(run.text)].map(({ segment }) => segment);
  let [fits, exceeds] = [0, parts.length];
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (withText(run, parts.slice(0, middle).join('')).width <= width) fits = middle;
    else exceeds = middle;
  }
  return fits === 0 ? null : withText(run, parts.slice(0, fits).join(''));
}

/** Rule L2 of the Unicode bidirectional algorithm. */
function toVisualOrder(line: readonly TextRun[]): TextRun[] {
  const visual = [...line];
  const levels = visual.map(({ level }) => level);
  const least = Math.min(...levels.filter((level) => level % 2 === 1), Infinity);
  for (let level = Math.max(0, ...levels); level >= least; level -= 1) {
    for (let start = 0; start < visual.length; start += 1) {
      if (visual[start]!.level < level) continue;
      let end = start;
      while (end < visual.length && visual[end]!.level >= level) end += 1;
      visual.splice(start, end - start, ...visual.slice(start, end).reverse());
      start = end;
    }
  }
  return visual;
}
