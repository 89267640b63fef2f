import { LIGHT_THEME } from '../../../domain/charts/drawing/chart-theme.ts';
import { markdownBlocks, type TextBlock, type TextRun } from '../../slides/markdown-blocks.ts';
import type { Box } from '../../slides/slide-page.ts';
import { FROM_RIGHT, type Piece } from '../type/atoms.ts';
import type { Line } from '../type/lines.ts';
import { type Pen, styleOf, type TextLook } from '../pen.ts';
import { TINT } from './problem.ts';

/** A block in lines. */
interface SetBlock {
  as: string;
  lines: Line[];
  look: TextLook;
  /** Points. */
  before: number;
  indent: number;
  marker: string | null;
  isQuote: boolean;
  isCode: boolean;
  /** Of a row of a table, side by side. */
  cells?: Line[][];
}

interface Fitted {
  columns: SetBlock[][];
  width: number;
}

const COLUMN_GAP = 40;
const CELL_GAP = 12;
const LEAST_SIZE = 9;
const LEADING = 1.45;
/** Wider lines are read with effort; two columns then. */
const WIDEST = 620;

/** Markdown in its room: in two columns where it is long, smaller where it is longer, cut only where even that is not enough. */
export function drawProse(markdown: string, box: Box, pen: Pen, { size }: { size: number }): void {
  const blocks = markdownBlocks(markdown);
  const { columns, width } = fitted(blocks, box, pen, size);
  columns.forEach((column, place) => {
    const x = box.x + place * (width + COLUMN_GAP);
    let y = box.y;
    column.forEach((block, index) => {
      const isItem = block.marker !== null;
      if (isItem && (index === 0 || column[index - 1]!.marker === null)) pen.open('L');
      const top = y + (index === 0 ? 0 : block.before);
      y = drawBlock(block, { x, y: top, width, height: 0 }, pen);
      if (isItem && (column[index + 1]?.marker ?? null) === null) pen.close();
    });
  });
}

function fitted(blocks: readonly TextBlock[], box: Box, pen: Pen, wanted: number): Fitted {
  const isWide = box.width > WIDEST;
  let last: Fitted | null = null;
  for (let size = wanted; size >= LEAST_SIZE; size -= 1) {
    const one = { width: isWide ? Math.min(box.width, size * 44) : box.width, count: 1 };
    const two = { width: (box.width - COLUMN_GAP) / 2, count: 2 };
    for (const { width, count } of isWide ? [one, two] : [one]) {
      const set = setBlocks(blocks, width, pen, size);
      const columns = inColumns(set, box.height, count);
      last = { columns, width };
      if (columns.flat().length >= set.length && !isCut(set, columns)) return last;
    }
  }
  return last!;
}

const lineCount = (blocks: readonly SetBlock[]): number =>
  blocks.reduce((sum, { lines }) => sum + lines.length, 0);
const isCut = (set: readonly SetBlock[], columns: readonly SetBlock[][]): boolean =>
  lineCount(columns.flat()) < lineCount(set);

const heightOf = ({ lines, look, isCode }: SetBlock): number =>
  lines.length * look.size * (look.leading ?? LEADING) + (isCode ? 12 : 0);

/** Blocks are cut between lines; a heading goes with what follows. */
function inColumns(set: readonly SetBlock[], height: number, count: number): SetBlock[][] {
  const columns: SetBlock[][] = [[]];
  let used = 0;
  const turn = (): void => {
    columns.push([]);
    used = 0;
  };
  for (const block of set) {
    const column = columns.at(-1)!;
    const step = block.look.size * (block.look.leading ?? LEADING);
    const before = column.length === 0 ? 0 : block.before;
    const isHeading = block.as.startsWith('H');
    if (used + before + heightOf(block) + (isHeading ? step * 2 : 0) <= height) {
      column.push(block);
      used += before + heightOf(block);
      continue;
    }
    const fit = isHeading || block.cells !== undefined ? 0 : Math.floor((height - used - before) / step);
    const kept = fit >= 2 && block.lines.length - fit >= 2 ? fit : fit >= block.lines.length ? fit : 0;
    if (kept > 0) column.push({ ...block, lines: block.lines.slice(0, kept) });
    if (columns.length === count) return columns;
    turn();
    const rest = { ...block, lines: block.lines.slice(kept), marker: kept > 0 ? null : block.marker };
    columns.at(-1)!.push(rest);
    used = heightOf(rest);
  }
  return columns;
}

function setBlocks(blocks: readonly TextBlock[], width: number, pen: Pen, size: number): SetBlock[] {
  return blocks.flatMap((block) => {
    const indent = indentOf(block, size);
    const look = lookOf(block, size);
    const base = { look, indent, marker: markerOf(block), before: beforeOf(block, size), as: tagOf(block) };
    const marks = { isQuote: block.kind === 'quote', isCode: block.kind === 'code' };
    const lines = (text: string | Piece[]) => pen.lines(text, width - indent, look);
    if (block.kind === 'code') return [{ ...base, ...marks, lines: lines(block.text) }];
    if (block.kind !== 'table') {
      return [{ ...base, ...marks, lines: lines(block.runs.map((run) => pieceOf(run, look, pen))) }];
    }
    const across = width / Math.max(1, block.header.length);
    return [block.header, ...block.rows].map((row, place): SetBlock => {
      const head = { ...look, bold: place === 0 };
      const cells = row.map((cell) =>
        pen.lines(
          cell.map((run) => pieceOf(run, head, pen)),
          across - CELL_GAP,
          head,
        ),
      );
      const lines = cells.reduce((most, one) => (one.length > most.length ? one : most), []);
      return { ...base, ...marks, before: place === 0 ? base.before : size * 0.3, lines, cells };
    });
  });
}

function pieceOf({ text, bold, italic, code, href }: TextRun, look: TextLook, pen: Pen): Piece {
  const style = styleOf({
    ...look,
    bold: bold || look.bold === true,
    italic: italic || look.italic === true,
    ...(href === null ? {} : { color: pen.look.accent.fill }),
    ...(code ? { color: LIGHT_THEME.mutedText } : {}),
  });
  return { text, style: href === null ? style : { ...style, href } };
}

function lookOf(block: TextBlock, size: number): TextLook {
  if (block.kind === 'heading') {
    return { size: size * (block.level <= 2 ? 1.25 : 1.05), bold: true, leading: 1.25 };
  }
  if (block.kind === 'quote') return { size, italic: true, color: LIGHT_THEME.mutedText, leading: LEADING };
  if (block.kind === 'code') return { size: size * 0.85, leading: LEADING };
  return { size, leading: LEADING };
}

function indentOf(block: TextBlock, size: number): number {
  if (block.kind === 'item') return (block.level + 1) * size * 1.35;
  if (block.kind === 'paragraph') return block.indent * size * 1.35;
  return block.kind === 'quote' ? size * 1.1 : block.kind === 'code' ? size * 0.7 : 0;
}

const markerOf = (block: TextBlock): string | null =>
  block.kind !== 'item' ? null : block.number === null ? (block.level === 0 ? '•' : '–') : `${block.number}.`;

function beforeOf(block: TextBlock, size: number): number {
  if (block.kind === 'heading') return size * 1.1;
  return block.kind === 'item' ? size * 0.35 : size * 0.7;
}

function tagOf(block: TextBlock): string {
  if (block.kind === 'heading') return block.level <= 1 ? 'H2' : 'H3';
  if (block.kind === 'quote') return 'BlockQuote';
  return block.kind === 'code' ? 'Code' : block.kind === 'item' ? 'LBody' : 'P';
}

function drawBlock(block: SetBlock, box: Box, pen: Pen): number {
  const { lines, look, indent, marker, isQuote, isCode } = block;
  const height = heightOf(block);
  if (block.cells !== undefined) {
    const width = box.width / Math.max(1, block.cells.length);
    block.cells.forEach((cell, place) => {
      pen.part('P', () => {
        pen.seen(() => pen.draw(cell, { x: box.x + place * width, y: box.y, width: width - CELL_GAP }, look));
        pen.flushLinks();
      });
    });
    pen.aside(() => pen.rule({ ...box, y: box.y + height + look.size * 0.12 }, LIGHT_THEME.line, 0.5));
    return box.y + height;
  }
  const room = { x: box.x + indent, y: box.y + (isCode ? 6 : 0), width: box.width - indent };
  if (isQuote) pen.aside(() => pen.fill({ ...box, width: 3, height }, pen.look.accent.fill, 1.5));
  if (isCode) pen.aside(() => pen.fill({ ...box, height }, TINT, 5));
  const text = (as: string) =>
    pen.part(as, () => {
      pen.seen(() => pen.draw(lines, room, look));
      pen.flushLinks();
    });
  if (marker === null) text(block.as === 'LBody' ? 'P' : block.as);
  else {
    const across = look.size * 2;
    const mark: TextLook = { ...look, color: pen.look.accent.fill, bold: true, align: 'end' };
    pen.part('LI', () => {
      pen.part('Lbl', () => {
        const at = { x: room.x - across - look.size * 0.5, y: room.y, width: across };
        const text = pen.rightToLeft ? `${FROM_RIGHT}${marker}` : marker;
        pen.seen(() => pen.draw(pen.lines(text, across, mark), at, mark));
      });
      text('LBody');
    });
  }
  return box.y + height;
}
