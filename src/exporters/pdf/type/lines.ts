import { type Atom, atomsOf, cut, isReadFromRight, type Piece } from './atoms.ts';
import type { Typefaces } from './typefaces.ts';

export interface Line {
  /** From left to right. */
  atoms: Atom[];
  /** Points. */
  width: number;
  /** What of it is left of what was given; read by who copies it. */
  rightToLeft: boolean;
}

export interface LineRoom {
  /** Points. */
  width: number;
  /** What the last of them cannot hold is cut, with an ellipsis. */
  maxLines?: number;
  /** Whether the report is read from the right. */
  rightToLeft: boolean;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Texts in lines that fit. Lines are cut in the order of reading, and only then each is put in the order of seeing. */
export function linesOf(pieces: readonly Piece[], room: LineRoom, typefaces: Typefaces): Line[] {
  const lines: Line[] = [];
  for (const paragraph of paragraphsOf(pieces)) {
    const left = (room.maxLines ?? Infinity) - lines.length;
    if (left <= 0) break;
    const whole = paragraph.map(({ text }) => text).join('');
    const rightToLeft = isReadFromRight(whole, room.rightToLeft);
    const atoms = atomsOf(paragraph, rightToLeft, typefaces);
    for (const line of broken(atoms, { ...room, maxLines: left }, typefaces)) {
      lines.push({ atoms: inOrderOfSeeing(line), width: widthOf(line), rightToLeft });
    }
  }
  return lines;
}

function paragraphsOf(pieces: readonly Piece[]): Piece[][] {
  const paragraphs: Piece[][] = [[]];
  for (const { text, style } of pieces) {
    for (const [place, part] of text.split(/\r\n|[\n\r\u0085]/).entries()) {
      if (place > 0) paragraphs.push([]);
      paragraphs.at(-1)!.push({ text: part, style });
    }
  }
  return paragraphs;
}

const widthOf = (atoms: readonly Atom[]): number => atoms.reduce((sum, { width }) => sum + width, 0);

function withoutEnd(line: readonly Atom[]): Atom[] {
  const last = line.findLastIndex(({ isSpace }) => !isSpace);
  return line.slice(0, last + 1);
}

function broken(atoms: readonly Atom[], room: LineRoom, typefaces: Typefaces): Atom[][] {
  const { width, maxLines = Infinity } = room;
  const lines: Atom[][] = [];
  let line: Atom[] = [];
  let used = 0;
  const words = wordsOf(atoms).flatMap((word) =>
    widthOf(withoutEnd(word)) > width ? chopped(word, width) : [word],
  );
  for (const [place, word] of words.entries()) {
    if (line.length > 0 && used + widthOf(withoutEnd(word)) > width) {
      if (lines.length + 1 >= maxLines) {
        lines.push(shortened([...line, ...words.slice(place).flat()], width, typefaces));
        return lines;
      }
      lines.push(withoutEnd(line));
      [line, used] = [[], 0];
    }
    line.push(...word);
    used += widthOf(word);
  }
  lines.push(withoutEnd(line));
  return lines;
}

/** Atoms that stay together, with the spaces behind them. */
function wordsOf(atoms: readonly Atom[]): Atom[][] {
  const words: Atom[][] = [];
  let isOpen = false;
  for (const atom of atoms) {
    if (isOpen || (atom.isSpace && words.length > 0)) words.at(-1)!.push(atom);
    else words.push([atom]);
    isOpen = !atom.mayBreak && !atom.isSpace;
  }
  return words;
}

/** A word that is too long for any line, in parts that are not. */
function chopped(word: readonly Atom[], width: number): Atom[][] {
  const parts: Atom[][] = [];
  for (const atom of word) {
    let [text, used] = ['', 0];
    for (const { segment } of graphemes.segment(atom.text)) {
      const { width: more } = cut(atom, segment);
      if (text !== '' && used + more > width) {
        parts.push([cut(atom, text)]);
        [text, used] = ['', 0];
      }
      text += segment;
      used += more;
    }
    parts.push([cut(atom, text)]);
  }
  return parts;
}

/** As much of a text as fits on a line, with an ellipsis. */
function shortened(atoms: readonly Atom[], width: number, typefaces: Typefaces): Atom[] {
  const { style, level } = atoms[0]!;
  const [dots] = atomsOf([{ text: '…', style: { ...style, href: null } }], false, typefaces);
  const line: Atom[] = [];
  let left = width - dots!.width;
  for (const atom of atoms) {
    if (atom.width > left) {
      const kept = beginning(atom, left);
      if (kept !== null) line.push(kept);
      break;
    }
    line.push(atom);
    left -= atom.width;
  }
  return [...withoutEnd(line), { ...dots!, level: Math.min(level, 1) }];
}

function beginning(atom: Atom, width: number): Atom | null {
  const parts = [...graphemes.segment(atom.text)].map(({ segment }) => segment);
  let [fits, exceeds] = [0, parts.length];
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (cut(atom, parts.slice(0, middle).join('')).width <= width) fits = middle;
    else exceeds = middle;
  }
  return fits === 0 ? null : cut(atom, parts.slice(0, fits).join(''));
}

/** Rule L2 of the Unicode bidirectional algorithm. */
function inOrderOfSeeing(line: readonly Atom[]): Atom[] {
  const seen = [...line];
  const levels = seen.map(({ level }) => level);
  const least = Math.min(...levels.filter((level) => level % 2 === 1), Infinity);
  for (let level = Math.max(0, ...levels); level >= least; level -= 1) {
    for (let start = 0; start < seen.length; start += 1) {
      if (seen[start]!.level < level) continue;
      let end = start;
      while (end < seen.length && seen[end]!.level >= level) end += 1;
      seen.splice(start, end - start, ...seen.slice(start, end).reverse());
      start = end;
    }
  }
  return seen;
}
