import { textWidth } from '../../domain/charts/drawing/text-size.ts';
import type { DeckRow, DeckTable } from '../../domain/reports/deck.ts';
import type { NativeTable, TableCell, TableRowLayout } from './native-table.ts';
import type { Palette } from './palette.ts';
import { plainParagraph, type Run, type RunFormat } from './text-body.ts';

const SIZES = [12, 11, 10, 9, 8] as const;
/** Of the table's width, at most. */
const LABEL_SHARE = 0.42;
const MAX_COLUMN_WIDTH = 130;
const LINE_HEIGHT = 1.22;
/** Texts are measured as in a wide typeface, which that of a report hardly is. */
const TEXT_WIDTH_FACTOR = 0.92;

interface AvailableSize {
  width: number;
  height: number;
}

/** A table as large as its room lets it be: type shrinks before anything is cut. Columns are no wider than their figures need. */
export function layoutTable(
  table: DeckTable,
  room: AvailableSize,
  palette: Palette,
): { table: NativeTable; height: number } {
  const made = SIZES.map((size) => layoutTableAtSize(table, room, size, palette));
  return made.find(({ height }) => height <= room.height) ?? made.at(-1)!;
}

function columnWidths({ corner, columns, rows }: DeckTable, width: number, size: number): number[] {
  const labels = [corner, ...rows.filter(({ kind }) => kind !== 'heading').map(({ label }) => label)];
  const longest = Math.max(...labels.map((label) => textWidth(label, size) * TEXT_WIDTH_FACTOR)) + 14;
  const share = columns.length === 0 ? width : width * LABEL_SHARE;
  const wanted = Math.min(Math.max(longest, 90), share);
  const each = Math.min((width - wanted) / Math.max(1, columns.length), MAX_COLUMN_WIDTH);
  const label =
    columns.length === 0 ? width : Math.min(width - each * columns.length, Math.max(wanted, width * 0.3));
  return [label, ...columns.map(() => each)];
}

function layoutTableAtSize(
  table: DeckTable,
  room: AvailableSize,
  size: number,
  palette: Palette,
): { table: NativeTable; height: number } {
  const { columns, rows } = table;
  const { style: look } = palette;
  const widths = columnWidths(table, room.width, size);
  const padding = { x: 5, y: size >= 11 ? 4 : 2.5 };
  const ink = palette.colorName(look.text);
  const soft = palette.colorName(look.mutedText);
  const accent = palette.colorName(look.accent.fill);
  const linesIn = (text: string, width: number) =>
    Math.max(1, Math.ceil((textWidth(text, size) * TEXT_WIDTH_FACTOR) / Math.max(width - 2 * padding.x, 10)));
  const height = (lines: number) => Math.round(lines * size * LINE_HEIGHT + 2 * padding.y);
  const cell = (text: string, runLook: RunFormat, align: Align, more: Run[] = []): TableCell => ({
    paragraphs: [{ runs: [{ ...runLook, size, text }, ...more], align, before: 0 }],
  });
  const lines: TableRowLayout[] = [];
  if (columns.some(({ heading }) => heading !== undefined))
    lines.push(headingLine(table, cell, soft, height(1)));
  const names = columns.map(({ label, letter }) => (letter === null ? label : `${label} (${letter})`));
  const headLines = [table.corner, ...names].map((name, index) => linesIn(name, widths[index]!));
  lines.push({
    cells: [
      { ...cell(table.corner, { fill: soft, bold: true }, 'start'), anchor: 'b' },
      ...names.map((name): TableCell => ({ ...cell(name, { fill: soft, bold: true }, 'end'), anchor: 'b' })),
    ],
    height: height(Math.min(4, Math.max(...headLines))),
    rule: 'strong',
  });
  for (const row of rows) {
    const count = Math.min(3, linesIn(row.label, row.kind === 'heading' ? room.width : widths[0]!));
    lines.push(
      rowLine(row, { span: columns.length + 1, height: height(count), ink, soft, accent, cell, size }),
    );
  }
  return {
    table: { widths, lines, hasHeader: true, padding },
    height: lines.reduce((sum, line) => sum + line.height, 0),
  };
}

type Align = 'start' | 'center' | 'end';
type CreateCell = (text: string, look: RunFormat, align: Align, more?: Run[]) => TableCell;

/** Above the columns: the variables that they are categories of. */
function headingLine({ columns }: DeckTable, cell: CreateCell, fill: string, height: number): TableRowLayout {
  const cells: TableCell[] = [cell('', {}, 'start')];
  let index = 0;
  while (index < columns.length) {
    const { heading } = columns[index]!;
    let end = index + 1;
    while (heading !== undefined && columns[end]?.heading === heading) end += 1;
    const made = cell(heading ?? '', { fill }, 'center');
    cells.push({ ...made, span: end - index, anchor: 'b' });
    index = end;
  }
  return { cells, height, rule: 'none' };
}

interface RowFormat {
  span: number;
  height: number;
  ink: string;
  soft: string;
  accent: string;
  cell: CreateCell;
  size: number;
}

function rowLine(row: DeckRow, look: RowFormat): TableRowLayout {
  const { span, height, ink, soft, accent, cell, size } = look;
  if (row.kind === 'heading') {
    const heading = { ...cell(row.label, { fill: ink, bold: true }, 'start'), span, anchor: 'b' } as const;
    return { cells: [heading], height: height + 4, rule: 'hair' };
  }
  const isStrong = row.kind === 'net' || row.kind === 'mean';
  const fill = row.kind === 'base' ? soft : ink;
  const figures = row.cells.map(({ text, letters }) => {
    const marks: Run[] =
      letters === '' ? [] : [{ text: ` ${letters}`, size: size - 1, bold: true, fill: accent }];
    return cell(text, { fill, bold: isStrong }, 'end', marks);
  });
  return { cells: [cell(row.label, { fill, bold: isStrong }, 'start'), ...figures], height };
}

/** Names and what they are, one below the other. */
export function factTable(
  facts: readonly (readonly [string, string])[],
  width: number,
  size: number,
  palette: Palette,
) {
  const { style: look } = palette;
  const label = Math.min(
    Math.max(...facts.map(([name]) => textWidth(name, size))) * TEXT_WIDTH_FACTOR + 20,
    width * 0.36,
  );
  const padding = { x: 5, y: 3 };
  const lines = facts.map(([name, value]): TableRowLayout => {
    const rows = Math.max(
      Math.ceil((textWidth(value, size) * TEXT_WIDTH_FACTOR) / (width - label - 10)),
      Math.ceil((textWidth(name, size) * TEXT_WIDTH_FACTOR) / (label - 10)),
      1,
    );
    const paragraph = (text: string, fill: string) => plainParagraph(text, { size, fill }, { before: 0 });
    return {
      cells: [
        { paragraphs: [paragraph(name, palette.colorName(look.mutedText))], anchor: 't' },
        { paragraphs: [paragraph(value, palette.colorName(look.text))], anchor: 't' },
      ],
      height: Math.round(rows * size * LINE_HEIGHT + 2 * padding.y),
    };
  });
  const table: NativeTable = { widths: [label, width - label], lines, hasHeader: false, padding };
  return { table, height: lines.reduce((sum, line) => sum + line.height, 0) };
}
