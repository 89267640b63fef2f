import { requireItem } from '../../lib/require-value.ts';
import type { Typefaces, Face, FaceStyle } from './typefaces.ts';
import bidiFactory, { type Bidi } from 'bidi-js';

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
  let paragraph: StyledText[] = [];
  const paragraphs = [paragraph];
  for (const { text, style } of texts) {
    for (const [index, part] of text.split(/\r\n|[\n\r\u0085]/).entries()) {
      if (index > 0) {
        paragraph = [];
        paragraphs.push(paragraph);
      }
      paragraph.push({ text: part, style });
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
    const word = words.at(-1);
    if (word !== undefined && (isOpen || run.isSpace)) word.push(run);
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
  const { style, level } = requireItem(runs, 0);
  const ellipsis = requireItem(
    splitIntoRuns([{ text: '…', style: { ...style, href: null } }], false, typefaces),
    0,
  );
  const line: TextRun[] = [];
  let remainingWidth = width - ellipsis.width;
  for (const run of runs) {
    if (run.width > remainingWidth) {
      const kept = longestPrefix(run, remainingWidth);
      if (kept !== null) line.push(kept);
      break;
    }
    line.push(run);
    remainingWidth -= run.width;
  }
  return [...trimTrailingSpace(line), { ...ellipsis, level: Math.min(level, 1) }];
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
    const isReversed = (index: number) => (visual[index]?.level ?? -1) >= level;
    for (let start = 0; start < visual.length; start += 1) {
      if (!isReversed(start)) continue;
      let end = start;
      while (isReversed(end)) end += 1;
      visual.splice(start, end - start, ...visual.slice(start, end).reverse());
      start = end;
    }
  }
  return visual;
}

/** The Unicode bidirectional algorithm. The package is CommonJS, unlike its types. */
const bidi = (bidiFactory as unknown as () => Bidi)();

/** In thousandths of the type's size. */
export interface ShapedGlyph {
  id: number;
  /** Code points for text extraction. */
  codes: number[];
  /** Width of the glyph, and advance to the next one. */
  width: number;
  advance: number;
  dx: number;
  dy: number;
}

interface ShapedText {
  glyphs: ShapedGlyph[];
  width: number;
}

const MAX_CACHED = 20_000;
const cache = new Map<string, ShapedText>();

/** Characters that control direction and are never drawn. */
const DIRECTION_CONTROLS = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/**
 * Shapes a text to glyphs from left to right. `text` and the code points of the glyphs are in logical order,
 * so that brackets keep their original characters and letters include their combining marks.
 */
function shapeText(face: Face, text: string, rightToLeft: boolean): ShapedText {
  const key = `${face.id}${rightToLeft ? '<' : '>'}${text}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  if (cache.size >= MAX_CACHED) cache.clear();
  const scale = 1000 / face.font.unitsPerEm;
  const plain = text.replace(DIRECTION_CONTROLS, '');
  const mirrored = rightToLeft ? plain.replace(MIRRORABLE, mirrorCharacter) : plain;
  const run = face.font.layout(mirrored, undefined, undefined, undefined, rightToLeft ? 'rtl' : 'ltr');
  const glyphs = run.glyphs.map(({ id, codePoints, advanceWidth }, index) => {
    const { xAdvance, xOffset, yOffset } = requireItem(run.positions, index);
    return {
      id,
      codes: rightToLeft
        ? codePoints.map((code) => codePointAt(mirrorCharacter(String.fromCodePoint(code))))
        : codePoints,
      width: advanceWidth * scale,
      advance: xAdvance * scale,
      dx: xOffset * scale,
      dy: yOffset * scale,
    };
  });
  if (rightToLeft) attachMarksToLetters(glyphs);
  const shaped = { glyphs, width: glyphs.reduce((sum, { advance }) => sum + advance, 0) };
  cache.set(key, shaped);
  return shaped;
}

const MIRRORABLE = /[^\p{L}\p{M}\p{N}\s]/gu;
const MARK = /^\p{M}+$/u;

const mirrorCharacter = (character: string): string => bidi.getMirroredCharacter(character) ?? character;

/** Throws a RangeError after the end of the text. */
function codePointAt(text: string, position = 0): number {
  const code = text.codePointAt(position);
  if (code === undefined) throw new RangeError(`no character at ${position} of ${text.length}`);
  return code;
}

/** In visual order, marks precede their letter. Separate marks would be extracted as separate lines. */
function attachMarksToLetters(glyphs: ShapedGlyph[]): void {
  let marks: number[] = [];
  for (const glyph of glyphs) {
    if (glyph.codes.length === 0) continue;
    if (MARK.test(String.fromCodePoint(...glyph.codes))) {
      marks = [...glyph.codes, ...marks];
      glyph.codes = [];
    } else if (marks.length > 0) {
      glyph.codes = [...glyph.codes, ...marks];
      marks = [];
    }
  }
}

/** Returns a box for each character without a glyph. */
function missingGlyphBoxes(face: Face, text: string): ShapedText {
  const box = requireItem(shapeText(face, '\uffff', false).glyphs, 0);
  const glyphs = [...text].map((character) => ({ ...box, id: 0, codes: [codePointAt(character)] }));
  return { glyphs, width: glyphs.length * box.advance };
}

export interface TextStyle extends FaceStyle {
  /** Points. */
  size: number;
  color: string;
  href?: string | null;
  /** Points above the line. */
  rise?: number;
}

export interface StyledText {
  text: string;
  style: TextStyle;
}

/** Part of a text with one face, one style and one direction. */
export interface TextRun {
  /** In logical order. */
  text: string;
  style: TextStyle;
  face: Face;
  /** Bidirectional embedding level; odd levels are right-to-left. */
  level: number;
  shaped: ShapedText;
  /** Points. */
  width: number;
  isMissing: boolean;
  isSpace: boolean;
  /** Whether a line may break after the run. */
  canBreakAfter: boolean;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LETTER = /\p{L}/u;

/** Prefix that makes a text without letters right-to-left. */
export const RIGHT_TO_LEFT_MARK = '\u200f';

/** In right-to-left reports, the share of right-to-left letters that makes a paragraph right-to-left. */
const RIGHT_TO_LEFT_SHARE = 0.3;

/** Whether a paragraph is right-to-left: by its first letter; in right-to-left reports also by the share of such letters. */
function isRightToLeftText(text: string, isReportRightToLeft: boolean): boolean {
  if (text.startsWith(RIGHT_TO_LEFT_MARK)) return true;
  if (!RIGHT_TO_LEFT.test(text)) return false;
  if (RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '')) return true;
  const letters = text.match(/\p{L}/gu) ?? [];
  return (
    isReportRightToLeft &&
    letters.filter((letter) => RIGHT_TO_LEFT.test(letter)).length > letters.length * RIGHT_TO_LEFT_SHARE
  );
}

/** Isolates the direction of a text from the rest of the line. */
export const isolateDirection = (text: string): string => `\u2068${text}\u2069`;

const NUMBER_SIGN = /(?<![\p{L}\p{N}])([+−±-])(?=\d)/gu;

const normalizeText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\t\u2028\u2029]/g, ' ')
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, '');

/** Splits a paragraph into runs. */
function splitIntoRuns(texts: readonly StyledText[], rightToLeft: boolean, typefaces: Typefaces): TextRun[] {
  const pieces = texts.map(({ text, style }) => ({
    // Keeps a sign before its number, because numbers are left-to-right.
    text: rightToLeft ? normalizeText(text).replace(NUMBER_SIGN, '\u200e$1') : normalizeText(text),
    style,
  }));
  const whole = pieces.map(({ text }) => text).join('');
  const isLeftToRight = !rightToLeft && !RIGHT_TO_LEFT.test(whole);
  const levels = isLeftToRight ? null : bidi.getEmbeddingLevels(whole, rightToLeft ? 'rtl' : 'ltr').levels;
  const runs: TextRun[] = [];
  let at = 0;
  let previous: Face | null = null;
  for (const { text, style } of pieces) {
    const end = at + text.length;
    let start = at;
    let face: Face | null = null;
    const closeRun = (until: number, canBreakAfter: boolean): void => {
      const level = levels?.[start] ?? 0;
      if (until > start)
        runs.push(createRun(whole.slice(start, until), { style, face, level, canBreakAfter, typefaces }));
      start = until;
    };
    while (at < end) {
      const code = codePointAt(whole, at);
      const next = at + (code > 0xffff ? 2 : 1);
      const characterFace = typefaces.faceFor(code, style, previous);
      const isSpace = code === 0x20;
      if (
        at > start &&
        (characterFace !== face || levels?.[at] !== levels?.[start] || isSpace !== (whole[start] === ' '))
      ) {
        closeRun(at, whole[at - 1] === ' ');
      }
      face = characterFace;
      previous = characterFace ?? previous;
      if (!isSpace && next < whole.length && isBreakOpportunity(whole, at, next)) closeRun(next, true);
      at = next;
    }
    closeRun(end, whole[end - 1] === ' ');
  }
  return runs;
}

type UnmeasuredRun = Pick<TextRun, 'text' | 'face' | 'level' | 'isMissing' | 'style'>;

interface RunProperties {
  style: TextStyle;
  face: Face | null;
  level: number;
  canBreakAfter: boolean;
  typefaces: Typefaces;
}

function createRun(text: string, { style, face, level, canBreakAfter, typefaces }: RunProperties): TextRun {
  const isMissing = face === null;
  const drawnFace = face ?? typefaces.latinFace({ bold: false, italic: false });
  const run = { text, style, face: drawnFace, level, isMissing, isSpace: /^ +$/.test(text), canBreakAfter };
  return { ...run, ...measureRun(run) };
}

/** A copy of a run with another text. */
const withText = (from: TextRun, text: string): TextRun => ({
  ...from,
  text,
  ...measureRun({ ...from, text }),
});

function measureRun({
  text,
  face,
  level,
  isMissing,
  style,
}: UnmeasuredRun): Pick<TextRun, 'shaped' | 'width'> {
  const shaped = isMissing ? missingGlyphBoxes(face, text) : shapeText(face, text, level % 2 === 1);
  return { shaped, width: (shaped.width * style.size) / 1000 };
}

const WIDE = /[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u;
const OPENING = /[([{（「『【〈《［｛“‘]/u;
const CLOSING = /[)\]},.:;!?%、。，．・：；？！）」』】〉》］｝ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ”’…]/u;

/** Break opportunities without spaces: between Chinese and Japanese characters, and after hyphens within words. */
function isBreakOpportunity(text: string, at: number, next: number): boolean {
  const [one, other] = [text.slice(at, next), String.fromCodePoint(codePointAt(text, next))];
  if (other === ' ') return false;
  if (/[-–—/]/.test(one)) return LETTER.test(text[at - 1] ?? '') && LETTER.test(other);
  return (WIDE.test(one) || WIDE.test(other)) && !OPENING.test(one) && !CLOSING.test(other);
}
