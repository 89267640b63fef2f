import { requireItem } from '../../lib/require-value.ts';
import { type TableCellProps, type TableRow, toInches } from './library.ts';
import type { Palette } from './ooxml.ts';
import {
  type Paragraph,
  plainParagraph,
  type Run,
  type RunFormat,
  textRuns,
  type WritingDirection,
} from './text-body.ts';
import { textWidth } from '../../domain/charts/drawing/chart-drawing.ts';
import type { DeckRow, DeckTable } from '../../domain/reports/deck.ts';

interface TableCell {
  paragraphs: Paragraph[];
  /** Number of columns; the covered cells are omitted. */
  span?: number;
  anchor?: 't' | 'ctr' | 'b';
}

interface TableRowLayout {
  cells: TableCell[];
  /** Points. */
  height: number;
  /** The line below the row; `strong` is darker. */
  rule?: 'none' | 'hair' | 'strong';
}

export interface NativeTable {
  /** Points. */
  widths: number[];
  lines: TableRowLayout[];
  hasHeader: boolean;
  /** Cell padding in points; the library reads values below 1 as inches. */
  padding: { x: number; y: number };
}

const ANCHORS = { t: 'top', ctr: 'middle', b: 'bottom' } as const;

/** Rows in the format of the library. Each cell has its own options, because the library modifies them. */
export function tableRows(
  { lines, padding }: NativeTable,
  palette: Palette,
  writing: WritingDirection,
): TableRow[] {
  const { line, mutedText } = palette.style;
  const rules = {
    none: () => ({ type: 'none' }) as const,
    hair: () => ({ type: 'solid', pt: 0.75, color: palette.colorName(line) }) as const,
    strong: () => ({ type: 'solid', pt: 1, color: palette.colorName(mutedText) }) as const,
  };
  const none = rules.none;
  return lines.map(({ cells, rule = 'hair' }) =>
    cells.map(({ paragraphs, span = 1, anchor = 'ctr' }): TableCellProps => {
      const size = paragraphs[0]?.runs[0]?.size;
      return {
        text: textRuns(paragraphs, writing),
        options: {
          valign: ANCHORS[anchor],
          margin: [padding.y, padding.x, padding.y, padding.x],
          border: [none(), none(), rules[rule](), none()],
          ...(size !== undefined && { fontSize: size }),
          ...(span > 1 && { colspan: span }),
        },
      };
    }),
  );
}

export const rowHeights = ({ lines }: NativeTable): number[] => lines.map(({ height }) => toInches(height));

const SIZES = [12, 11, 10, 9, 8] as const;
/** Maximum share of the table width. */
const LABEL_SHARE = 0.42;
const MAX_COLUMN_WIDTH = 130;
const LINE_HEIGHT = 1.22;
/** Texts are measured with a wide typeface; the typeface of a report is usually narrower. */
const TEXT_WIDTH_FACTOR = 0.92;

interface AvailableSize {
  width: number;
  height: number;
}

/** Lays out a table in the largest font size that fits. Columns are no wider than their figures need. */
export function layoutTable(
  table: DeckTable,
  available: AvailableSize,
  palette: Palette,
): { table: NativeTable; height: number } {
  const layouts = SIZES.map((size) => layoutTableAtSize({ table, available, size, palette }));
  return layouts.find(({ height }) => height <= available.height) ?? requireItem(layouts, -1);
}

function columnWidths({ corner, columns, rows }: DeckTable, width: number, size: number): number[] {
  const labels = [corner, ...rows.filter(({ kind }) => kind !== 'heading').map(({ label }) => label)];
  const longest = Math.max(...labels.map((label) => textWidth(label, size) * TEXT_WIDTH_FACTOR)) + 14;
  const share = columns.length === 0 ? width : width * LABEL_SHARE;
  const labelWidth = Math.min(Math.max(longest, 90), share);
  const columnWidth = Math.min((width - labelWidth) / Math.max(1, columns.length), MAX_COLUMN_WIDTH);
  const label =
    columns.length === 0
      ? width
      : Math.min(width - columnWidth * columns.length, Math.max(labelWidth, width * 0.3));
  return [label, ...columns.map(() => columnWidth)];
}

function layoutTableAtSize({
  table,
  available,
  size,
  palette,
}: {
  table: DeckTable;
  available: AvailableSize;
  size: number;
  palette: Palette;
}): { table: NativeTable; height: number } {
  const { columns, rows } = table;
  const { style } = palette;
  const widths = columnWidths(table, available.width, size);
  const padding = { x: 5, y: size >= 11 ? 4 : 2.5 };
  const textColor = palette.colorName(style.text);
  const mutedColor = palette.colorName(style.mutedText);
  const accentColor = palette.colorName(style.accent.fill);
  const linesIn = (text: string, width: number) =>
    Math.max(1, Math.ceil((textWidth(text, size) * TEXT_WIDTH_FACTOR) / Math.max(width - 2 * padding.x, 10)));
  const height = (lines: number) => Math.round(lines * size * LINE_HEIGHT + 2 * padding.y);
  const cell = (text: string, format: RunFormat, align: Align, extraRuns: Run[] = []): TableCell => ({
    paragraphs: [{ runs: [{ ...format, size, text }, ...extraRuns], align, before: 0 }],
  });
  const lines: TableRowLayout[] = [];
  if (columns.some(({ heading }) => heading !== undefined))
    lines.push(headingLine({ deckTable: table, cell, fill: mutedColor, height: height(1) }));
  const names = columns.map(({ label, letter }) => (letter === null ? label : `${label} (${letter})`));
  const headLines = [table.corner, ...names].map((name, index) => linesIn(name, requireItem(widths, index)));
  lines.push({
    cells: [
      { ...cell(table.corner, { fill: mutedColor, bold: true }, 'start'), anchor: 'b' },
      ...names.map((name): TableCell => ({
        ...cell(name, { fill: mutedColor, bold: true }, 'end'),
        anchor: 'b',
      })),
    ],
    height: height(Math.min(4, Math.max(...headLines))),
    rule: 'strong',
  });
  for (const row of rows) {
    const count = Math.min(
      3,
      linesIn(row.label, row.kind === 'heading' ? available.width : requireItem(widths, 0)),
    );
    lines.push(
      rowLine(row, {
        span: columns.length + 1,
        height: height(count),
        textColor,
        mutedColor,
        accentColor,
        cell,
        size,
      }),
    );
  }
  return {
    table: { widths, lines, hasHeader: true, padding },
    height: lines.reduce((sum, line) => sum + line.height, 0),
  };
}

type Align = 'start' | 'center' | 'end';
type CreateCell = (text: string, format: RunFormat, align: Align, extraRuns?: Run[]) => TableCell;

/** The row above the columns with the variables of their categories. */
function headingLine({
  deckTable: { columns },
  cell,
  fill,
  height,
}: {
  deckTable: DeckTable;
  cell: CreateCell;
  fill: string;
  height: number;
}): TableRowLayout {
  const cells: TableCell[] = [cell('', {}, 'start')];
  let index = 0;
  while (index < columns.length) {
    const { heading } = requireItem(columns, index);
    let end = index + 1;
    while (heading !== undefined && columns[end]?.heading === heading) end += 1;
    const headingCell = cell(heading ?? '', { fill }, 'center');
    cells.push({ ...headingCell, span: end - index, anchor: 'b' });
    index = end;
  }
  return { cells, height, rule: 'none' };
}

interface RowFormat {
  span: number;
  height: number;
  textColor: string;
  mutedColor: string;
  accentColor: string;
  cell: CreateCell;
  size: number;
}

function rowLine(row: DeckRow, format: RowFormat): TableRowLayout {
  const { span, height, textColor, mutedColor, accentColor, cell, size } = format;
  if (row.kind === 'heading') {
    const heading = {
      ...cell(row.label, { fill: textColor, bold: true }, 'start'),
      span,
      anchor: 'b',
    } as const;
    return { cells: [heading], height: height + 4, rule: 'hair' };
  }
  const isStrong = row.kind === 'net' || row.kind === 'mean';
  const fill = row.kind === 'base' ? mutedColor : textColor;
  const figures = row.cells.map(({ text, letters }) => {
    const marks: Run[] =
      letters === '' ? [] : [{ text: ` ${letters}`, size: size - 1, bold: true, fill: accentColor }];
    return cell(text, { fill, bold: isStrong }, 'end', marks);
  });
  return { cells: [cell(row.label, { fill, bold: isStrong }, 'start'), ...figures], height };
}

/** A table of names and values. */
export function factTable({
  facts,
  width,
  size,
  palette,
}: {
  facts: readonly (readonly [string, string])[];
  width: number;
  size: number;
  palette: Palette;
}) {
  const { style } = palette;
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
        { paragraphs: [paragraph(name, palette.colorName(style.mutedText))], anchor: 't' },
        { paragraphs: [paragraph(value, palette.colorName(style.text))], anchor: 't' },
      ],
      height: Math.round(rows * size * LINE_HEIGHT + 2 * padding.y),
    };
  });
  const table: NativeTable = { widths: [label, width - label], lines, hasHeader: false, padding };
  return { table, height: lines.reduce((sum, line) => sum + line.height, 0) };
}
