import { textWidth } from '../../domain/charts/drawing/text-size.ts';
import type { DeckRow, DeckTable } from '../../domain/reports/deck.ts';
import type { NativeTable, TableCell, TableLine } from './native-table.ts';
import type { Paint } from './paint.ts';
import { plainParagraph, type Run, type RunLook } from './text-body.ts';

const SIZES = [12, 11, 10, 9, 8] as const;
/** Of the table's width, at most. */
const LABEL_SHARE = 0.42;
const MOST_COLUMN = 130;
const LINE = 1.22;
/** Texts are measured as in a wide typeface, which that of a report hardly is. */
const NARROWER = 0.92;

interface Room {
  width: number;
  height: number;
}

/** A table as large as its room lets it be: type shrinks before anything is cut. Columns are no wider than their figures need. */
export function deckTable(
  table: DeckTable,
  room: Room,
  paint: Paint,
): { table: NativeTable; height: number } {
  const made = SIZES.map((size) => atSize(table, room, size, paint));
  return made.find(({ height }) => height <= room.height) ?? made.at(-1)!;
}

function columnWidths({ corner, columns, rows }: DeckTable, width: number, size: number): number[] {
  const labels = [corner, ...rows.filter(({ kind }) => kind !== 'heading').map(({ label }) => label)];
  const longest = Math.max(...labels.map((label) => textWidth(label, size) * NARROWER)) + 14;
  const share = columns.length === 0 ? width : width * LABEL_SHARE;
  const wanted = Math.min(Math.max(longest, 90), share);
  const each = Math.min((width - wanted) / Math.max(1, columns.length), MOST_COLUMN);
  const label =
    columns.length === 0 ? width : Math.min(width - each * columns.length, Math.max(wanted, width * 0.3));
  return [label, ...columns.map(() => each)];
}

function atSize(
  table: DeckTable,
  room: Room,
  size: number,
  paint: Paint,
): { table: NativeTable; height: number } {
  const { columns, rows } = table;
  const { look } = paint;
  const widths = columnWidths(table, room.width, size);
  const padding = { x: 5, y: size >= 11 ? 4 : 2.5 };
  const ink = paint.name(look.text);
  const soft = paint.name(look.mutedText);
  const accent = paint.name(look.accent.fill);
  const linesIn = (text: string, width: number) =>
    Math.max(1, Math.ceil((textWidth(text, size) * NARROWER) / Math.max(width - 2 * padding.x, 10)));
  const height = (lines: number) => Math.round(lines * size * LINE + 2 * padding.y);
  const cell = (text: string, runLook: RunLook, align: Align, more: Run[] = []): TableCell => ({
    paragraphs: [{ runs: [{ ...runLook, size, text }, ...more], align, before: 0 }],
  });
  const lines: TableLine[] = [];
  if (columns.some(({ heading }) => heading !== undefined))
    lines.push(headingLine(table, cell, soft, height(1)));
  const names = columns.map(({ label, letter }) => (letter === null ? label : `${label} (${letter})`));
  const headLines = [table.corner, ...names].map((name, place) => linesIn(name, widths[place]!));
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
type CellOf = (text: string, look: RunLook, align: Align, more?: Run[]) => TableCell;

/** Above the columns: the variables that they are categories of. */
function headingLine({ columns }: DeckTable, cell: CellOf, fill: string, height: number): TableLine {
  const cells: TableCell[] = [cell('', {}, 'start')];
  let place = 0;
  while (place < columns.length) {
    const { heading } = columns[place]!;
    let end = place + 1;
    while (heading !== undefined && columns[end]?.heading === heading) end += 1;
    const made = cell(heading ?? '', { fill }, 'center');
    cells.push({ ...made, span: end - place, anchor: 'b' });
    place = end;
  }
  return { cells, height, rule: 'none' };
}

interface RowLook {
  span: number;
  height: number;
  ink: string;
  soft: string;
  accent: string;
  cell: CellOf;
  size: number;
}

function rowLine(row: DeckRow, look: RowLook): TableLine {
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
  paint: Paint,
) {
  const { look } = paint;
  const label = Math.min(
    Math.max(...facts.map(([name]) => textWidth(name, size))) * NARROWER + 20,
    width * 0.36,
  );
  const padding = { x: 5, y: 3 };
  const lines = facts.map(([name, value]): TableLine => {
    const rows = Math.max(
      Math.ceil((textWidth(value, size) * NARROWER) / (width - label - 10)),
      Math.ceil((textWidth(name, size) * NARROWER) / (label - 10)),
      1,
    );
    const paragraph = (text: string, fill: string) => plainParagraph(text, { size, fill }, { before: 0 });
    return {
      cells: [
        { paragraphs: [paragraph(name, paint.name(look.mutedText))], anchor: 't' },
        { paragraphs: [paragraph(value, paint.name(look.text))], anchor: 't' },
      ],
      height: Math.round(rows * size * LINE + 2 * padding.y),
    };
  });
  const table: NativeTable = { widths: [label, width - label], lines, hasHeader: false, padding };
  return { table, height: lines.reduce((sum, line) => sum + line.height, 0) };
}
