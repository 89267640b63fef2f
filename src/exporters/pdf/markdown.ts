import { LIGHT_THEME } from '../../domain/charts/drawing/chart-theme.ts';
import { parseMarkdownBlocks, type MarkdownBlock, type MarkdownSpan } from '../markdown-blocks.ts';
import type { Box } from '../slide-page.ts';
import { RIGHT_TO_LEFT_MARK, type StyledText, type Line } from './text-layout.ts';
import { type PdfCanvas, toTextStyle, type TextFormat } from './pdf-canvas.ts';
import { TINT } from './slide-parts.ts';

/** A block, laid out in lines. */
interface LaidOutBlock {
  tag: string;
  lines: Line[];
  format: TextFormat;
  /** Points. */
  before: number;
  indent: number;
  marker: string | null;
  isQuote: boolean;
  isCode: boolean;
  /** Cells of a table row, side by side. */
  cells?: Line[][];
}

interface LaidOutColumns {
  columns: LaidOutBlock[][];
  width: number;
}

const COLUMN_GAP = 40;
const CELL_GAP = 12;
const MIN_SIZE = 9;
const LEADING = 1.45;
/** Wider texts are set in two columns for legibility. */
const MAX_LINE_WIDTH = 620;

/** Draws Markdown in a box: first in two columns, then in smaller type; truncated only if that does not fit. */
export function drawMarkdown(
  markdown: string,
  box: Box,
  canvas: PdfCanvas,
  { size }: { size: number },
): void {
  const blocks = parseMarkdownBlocks(markdown);
  const { columns, width } = fitColumns({ blocks, box, canvas, largestSize: size });
  columns.forEach((column, columnIndex) => {
    const x = box.x + columnIndex * (width + COLUMN_GAP);
    let y = box.y;
    column.forEach((block, index) => {
      const isItem = block.marker !== null;
      if (isItem && (column[index - 1]?.marker ?? null) === null) canvas.openTag('L');
      const blockTop = y + (index === 0 ? 0 : block.before);
      y = drawBlock(block, { x, y: blockTop, width, height: 0 }, canvas);
      if (isItem && (column[index + 1]?.marker ?? null) === null) canvas.closeTag();
    });
  });
}

function fitColumns({
  blocks,
  box,
  canvas,
  largestSize,
}: {
  blocks: readonly MarkdownBlock[];
  box: Box;
  canvas: PdfCanvas;
  largestSize: number;
}): LaidOutColumns {
  const isWide = box.width > MAX_LINE_WIDTH;
  let last: LaidOutColumns = { columns: [], width: box.width };
  for (let size = largestSize; size >= MIN_SIZE; size -= 1) {
    const one = { width: isWide ? Math.min(box.width, size * 44) : box.width, count: 1 };
    const two = { width: (box.width - COLUMN_GAP) / 2, count: 2 };
    for (const { width, count } of isWide ? [one, two] : [one]) {
      const laidOut = layoutBlocks({ blocks, width, canvas, size });
      const columns = splitIntoColumns(laidOut, box.height, count);
      last = { columns, width };
      if (columns.flat().length >= laidOut.length && !isCut(laidOut, columns)) return last;
    }
  }
  return last;
}

const lineCount = (blocks: readonly LaidOutBlock[]): number =>
  blocks.reduce((sum, { lines }) => sum + lines.length, 0);
const isCut = (laidOut: readonly LaidOutBlock[], columns: readonly LaidOutBlock[][]): boolean =>
  lineCount(columns.flat()) < lineCount(laidOut);

const heightOf = ({ lines, format, isCode }: LaidOutBlock): number =>
  lines.length * format.size * (format.leading ?? LEADING) + (isCode ? 12 : 0);

/** Splits blocks between lines; a heading stays with the next block. */
function splitIntoColumns(laidOut: readonly LaidOutBlock[], height: number, count: number): LaidOutBlock[][] {
  let column: LaidOutBlock[] = [];
  const columns = [column];
  let used = 0;
  const startColumn = (): void => {
    column = [];
    columns.push(column);
    used = 0;
  };
  for (const block of laidOut) {
    const step = block.format.size * (block.format.leading ?? LEADING);
    const before = column.length === 0 ? 0 : block.before;
    const isHeading = block.tag.startsWith('H');
    if (used + before + heightOf(block) + (isHeading ? step * 2 : 0) <= height) {
      column.push(block);
      used += before + heightOf(block);
      continue;
    }
    const fit = isHeading || block.cells !== undefined ? 0 : Math.floor((height - used - before) / step);
    const kept = fit >= 2 && block.lines.length - fit >= 2 ? fit : fit >= block.lines.length ? fit : 0;
    if (kept > 0) column.push({ ...block, lines: block.lines.slice(0, kept) });
    if (columns.length === count) return columns;
    startColumn();
    const rest = { ...block, lines: block.lines.slice(kept), marker: kept > 0 ? null : block.marker };
    column.push(rest);
    used = heightOf(rest);
  }
  return columns;
}

function layoutBlocks({
  blocks,
  width,
  canvas,
  size,
}: {
  blocks: readonly MarkdownBlock[];
  width: number;
  canvas: PdfCanvas;
  size: number;
}): LaidOutBlock[] {
  return blocks.flatMap((block) => {
    const indent = indentOf(block, size);
    const format = formatOf(block, size);
    const base = {
      format,
      indent,
      marker: markerOf(block),
      before: beforeOf(block, size),
      tag: tagOf(block),
    };
    const flags = { isQuote: block.kind === 'quote', isCode: block.kind === 'code' };
    const lines = (text: string | StyledText[]) => canvas.layoutLines(text, width - indent, format);
    if (block.kind === 'code') return [{ ...base, ...flags, lines: lines(block.text) }];
    if (block.kind !== 'table') {
      return [
        { ...base, ...flags, lines: lines(block.runs.map((run) => toStyledText(run, format, canvas))) },
      ];
    }
    const cellWidth = width / Math.max(1, block.header.length);
    return [block.header, ...block.rows].map((row, index): LaidOutBlock => {
      const rowFormat = { ...format, bold: index === 0 };
      const cells = row.map((cell) =>
        canvas.layoutLines(
          cell.map((run) => toStyledText(run, rowFormat, canvas)),
          cellWidth - CELL_GAP,
          rowFormat,
        ),
      );
      const lines = cells.reduce((most, one) => (one.length > most.length ? one : most), []);
      return { ...base, ...flags, before: index === 0 ? base.before : size * 0.3, lines, cells };
    });
  });
}

function toStyledText(
  { text, bold, italic, code, href }: MarkdownSpan,
  format: TextFormat,
  canvas: PdfCanvas,
): StyledText {
  const style = toTextStyle({
    ...format,
    bold: bold || format.bold === true,
    italic: italic || format.italic === true,
    ...(href === null ? {} : { color: canvas.style.accent.fill }),
    ...(code ? { color: LIGHT_THEME.mutedText } : {}),
  });
  return { text, style: href === null ? style : { ...style, href } };
}

function formatOf(block: MarkdownBlock, size: number): TextFormat {
  if (block.kind === 'heading') {
    return { size: size * (block.level <= 2 ? 1.25 : 1.05), bold: true, leading: 1.25 };
  }
  if (block.kind === 'quote') return { size, italic: true, color: LIGHT_THEME.mutedText, leading: LEADING };
  if (block.kind === 'code') return { size: size * 0.85, leading: LEADING };
  return { size, leading: LEADING };
}

function indentOf(block: MarkdownBlock, size: number): number {
  if (block.kind === 'item') return (block.level + 1) * size * 1.35;
  if (block.kind === 'paragraph') return block.indent * size * 1.35;
  return block.kind === 'quote' ? size * 1.1 : block.kind === 'code' ? size * 0.7 : 0;
}

const markerOf = (block: MarkdownBlock): string | null =>
  block.kind !== 'item' ? null : block.number === null ? (block.level === 0 ? '•' : '–') : `${block.number}.`;

function beforeOf(block: MarkdownBlock, size: number): number {
  if (block.kind === 'heading') return size * 1.1;
  return block.kind === 'item' ? size * 0.35 : size * 0.7;
}

function tagOf(block: MarkdownBlock): string {
  if (block.kind === 'heading') return block.level <= 1 ? 'H2' : 'H3';
  if (block.kind === 'quote') return 'BlockQuote';
  return block.kind === 'code' ? 'Code' : block.kind === 'item' ? 'LBody' : 'P';
}

function drawBlock(block: LaidOutBlock, box: Box, canvas: PdfCanvas): number {
  const { lines, format, indent, marker, isQuote, isCode } = block;
  const height = heightOf(block);
  if (block.cells !== undefined) {
    const width = box.width / Math.max(1, block.cells.length);
    block.cells.forEach((cell, index) => {
      canvas.withTag('P', () => {
        canvas.markContent(() =>
          canvas.drawLines(cell, { x: box.x + index * width, y: box.y, width: width - CELL_GAP }, format),
        );
        canvas.addPendingLinks();
      });
    });
    canvas.drawArtifact(() =>
      canvas.drawRule({ ...box, y: box.y + height + format.size * 0.12 }, LIGHT_THEME.line, 0.5),
    );
    return box.y + height;
  }
  const area = { x: box.x + indent, y: box.y + (isCode ? 6 : 0), width: box.width - indent };
  if (isQuote)
    canvas.drawArtifact(() => canvas.fillBox({ ...box, width: 3, height }, canvas.style.accent.fill, 1.5));
  if (isCode) canvas.drawArtifact(() => canvas.fillBox({ ...box, height }, TINT, 5));
  const text = (tag: string) =>
    canvas.withTag(tag, () => {
      canvas.markContent(() => canvas.drawLines(lines, area, format));
      canvas.addPendingLinks();
    });
  if (marker === null) text(block.tag === 'LBody' ? 'P' : block.tag);
  else {
    const markerWidth = format.size * 2;
    const markerFormat: TextFormat = { ...format, color: canvas.style.accent.fill, bold: true, align: 'end' };
    canvas.withTag('LI', () => {
      canvas.withTag('Lbl', () => {
        const markerArea = { x: area.x - markerWidth - format.size * 0.5, y: area.y, width: markerWidth };
        const text = canvas.rightToLeft ? `${RIGHT_TO_LEFT_MARK}${marker}` : marker;
        canvas.markContent(() =>
          canvas.drawLines(canvas.layoutLines(text, markerWidth, markerFormat), markerArea, markerFormat),
        );
      });
      text('LBody');
    });
  }
  return box.y + height;
}
