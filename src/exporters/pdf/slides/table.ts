import { LIGHT_THEME } from '../../../domain/charts/drawing/chart-theme.ts';
import type { DeckRow, DeckTable } from '../../../domain/reports/deck.ts';
import type { Box } from '../../slides/slide-page.ts';
import type { Piece } from '../type/atoms.ts';
import { type Pen, styleOf, type Text, type TextLook } from '../pen.ts';
import { TINT } from './problem.ts';
import { sourceText } from '../../slides/source-text.ts';
import { drawSource } from './source.ts';

const CELL_GAP = 10;
const SIZES = [13, 12, 11, 10, 9, 8, 7, 6];
/** So small the type becomes for words above columns that would be broken otherwise. */
const LEAST_FOR_WORDS = 9;
const LEADING = 1.25;
const LABEL_LINES = 2;

interface Grid {
  size: number;
  label: number;
  /** Of a column of figures. */
  column: number;
  /** What letters take of each column, so that its figures stand below each other. */
  marks: number[];
  head: number;
  rows: number[];
  /** The row of headings above columns that belong together. */
  group: number;
}

/** A table as large as its room allows; returns where it ends. */
export function drawTable(table: DeckTable, box: Box, pen: Pen): void {
  const room = drawSource([sourceText(table.source)], box, pen);
  const grid = gridOf(table, room, pen);
  const width = grid.label + table.columns.length * grid.column;
  pen.part('Table', () => {
    let { y } = room;
    if (grid.group > 0) y = drawGroups(table, { ...room, y, width }, grid, pen);
    y = drawHead(table, { ...room, y, width }, grid, pen);
    table.rows.forEach((row, place) => {
      y = drawRow(row, { x: room.x, y, width, height: grid.rows[place]! }, grid, pen);
    });
  });
}

const padding = (size: number): number => size * 0.55;

function gridOf(table: DeckTable, room: Box, pen: Pen): Grid {
  const count = Math.max(1, table.columns.length);
  // A heading has the whole row.
  const labels = table.rows.flatMap(({ kind, label }) => (kind === 'heading' ? [] : [label]));
  const words = table.columns.flatMap(({ label }) => label.split(/\s+/));
  let grid: Grid | null = null;
  for (const size of SIZES) {
    const widest = (texts: readonly string[]) =>
      Math.max(...texts.map((text) => pen.width(text, { size, bold: true })), 0);
    const longest = widest([table.corner, ...labels]);
    const word = widest(words) + CELL_GAP;
    const least = Math.max(
      ...table.rows.flatMap(({ cells }) => cells.map((cell) => cellWidth(cell, size, pen))),
      0,
    );
    const wanted = Math.max(least + CELL_GAP, word, size * 6.5);
    const label = Math.max(
      Math.min(longest + CELL_GAP * 2, room.width - count * wanted, room.width * 0.55),
      Math.min(room.width * 0.26, longest + CELL_GAP * 2),
    );
    const column = Math.min((room.width - label) / count, 190);
    const height = (text: Text, width: number, lines: number, bold = false) =>
      pen.lines(text, width, { size, bold, maxLines: lines }).length * size * LEADING + padding(size);
    const head = Math.max(
      height(table.corner, label - CELL_GAP, 3, true),
      ...table.columns.map((one) => height(headOf(one, size, pen), column - CELL_GAP, 3)),
    );
    const rows = table.rows.map((row) =>
      height(
        row.label,
        (row.kind === 'heading' ? room.width : label) - CELL_GAP,
        LABEL_LINES,
        row.kind !== 'category',
      ),
    );
    const group = table.columns.some(({ heading }) => heading !== undefined)
      ? size * LEADING + padding(size)
      : 0;
    const marks = table.columns.map((_, place) =>
      Math.max(...table.rows.map(({ cells }) => marksWidth(cells[place]?.letters ?? '', size, pen)), 0),
    );
    grid = { size, label, column, marks, head, rows, group };
    const total = group + head + rows.reduce((sum, one) => sum + one, 0);
    const breaksWords = word > column && size > LEAST_FOR_WORDS;
    if (total <= room.height && least + CELL_GAP <= column && !breaksWords) return grid;
  }
  return grid!;
}

const letterSize = (size: number): number => size * 0.72;

function marksOf(letters: string, size: number, pen: Pen): Piece[] {
  const style = styleOf({ size: letterSize(size), bold: true, color: pen.look.accent.fill });
  // The gap is on the side of the figure.
  const text = pen.rightToLeft ? `${letters}\u00a0` : `\u00a0${letters}`;
  return letters === '' ? [] : [{ text, style: { ...style, rise: size * 0.3 } }];
}

const marksWidth = (letters: string, size: number, pen: Pen): number =>
  letters === '' ? 0 : pen.width(marksOf(letters, size, pen), { size });

const cellWidth = ({ text, letters }: DeckRow['cells'][number], size: number, pen: Pen): number =>
  pen.width(text, { size, bold: true }) + marksWidth(letters, size, pen);

function headOf({ label, letter }: DeckTable['columns'][number], size: number, pen: Pen): Piece[] {
  return [
    { text: label, style: styleOf({ size, bold: true }) },
    ...(letter === null
      ? []
      : [
          {
            text: ` (${letter})`,
            style: styleOf({ size: size * 0.9, bold: true, color: pen.look.accent.fill }),
          },
        ]),
  ];
}

function drawGroups({ columns }: DeckTable, box: Box, grid: Grid, pen: Pen): number {
  const { size, label, column, group } = grid;
  const look: TextLook = {
    size,
    color: LIGHT_THEME.mutedText,
    align: 'center',
    maxLines: 1,
    leading: LEADING,
  };
  pen.part('TR', () => {
    cell(pen, 'figure', '', { x: box.x, y: box.y, width: label }, look);
    for (let start = 0; start < columns.length;) {
      const { heading } = columns[start]!;
      let end = start + 1;
      while (heading !== undefined && columns[end]?.heading === heading) end += 1;
      const x = box.x + label + start * column + CELL_GAP;
      const room = { x, y: box.y + padding(size) / 2, width: (end - start) * column - CELL_GAP };
      cell(pen, 'column', heading ?? '', room, look);
      if (heading !== undefined) {
        pen.aside(() => pen.rule({ x, y: box.y + group - 1, width: room.width }, LIGHT_THEME.line));
      }
      start = end;
    }
  });
  return box.y + group;
}

function drawHead({ corner, columns }: DeckTable, box: Box, grid: Grid, pen: Pen): number {
  const { size, label, column, head, marks } = grid;
  const y = box.y + padding(size) / 2;
  pen.part('TR', () => {
    const look: TextLook = { size, leading: LEADING, maxLines: 3 };
    cell(
      pen,
      'column',
      corner,
      { x: box.x, y, width: label - CELL_GAP },
      { ...look, color: LIGHT_THEME.mutedText },
    );
    columns.forEach((one, place) => {
      const x = box.x + label + place * column + CELL_GAP;
      // It stands above the figures, as far as it has room beside their letters.
      const width = column - CELL_GAP;
      const beside = width - marks[place]!;
      const fits = pen.lines(headOf(one, size, pen), beside, { size }).length === 1;
      const room = { x, y, width: fits ? beside : width };
      cell(pen, 'column', headOf(one, size, pen), room, { ...look, align: 'end' });
    });
  });
  pen.aside(() => pen.rule({ ...box, y: box.y + head }, LIGHT_THEME.text, 1));
  return box.y + head;
}

function drawRow(row: DeckRow, box: Box, grid: Grid, pen: Pen): number {
  const { size, label, column } = grid;
  const y = box.y + padding(size) / 2;
  const isHeading = row.kind === 'heading';
  const look: TextLook = {
    size,
    leading: LEADING,
    maxLines: LABEL_LINES,
    bold: isHeading || row.kind === 'net',
    ...(row.kind === 'base' ? { color: LIGHT_THEME.mutedText } : {}),
  };
  if (isHeading) pen.aside(() => pen.fill(box, TINT));
  pen.part('TR', () => {
    const inset = isHeading ? 6 : 0;
    const width = (isHeading ? box.width : label) - CELL_GAP;
    cell(pen, 'row', row.label, { x: box.x + inset, y, width: width - inset }, look);
    row.cells.forEach((one, place) => {
      const width = column - grid.marks[place]!;
      const x = box.x + label + place * column;
      const figure = pen.lines(one.text, width, look);
      const letters = pen.lines(marksOf(one.letters, size, pen), column, look);
      pen.part('TD', () =>
        pen.seen(() => {
          pen.draw(figure, { x, y, width }, { ...look, align: 'end' });
          pen.draw(letters, { x: x + width, y, width: grid.marks[place]! }, look);
        }),
      );
    });
  });
  if (!isHeading) pen.aside(() => pen.rule({ ...box, y: box.y + box.height }, LIGHT_THEME.line, 0.5));
  return box.y + box.height;
}

function cell(
  pen: Pen,
  as: 'column' | 'row' | 'figure',
  text: Text,
  room: Omit<Box, 'height'>,
  look: TextLook,
): void {
  const lines = pen.lines(text, room.width, look);
  const scope = as === 'figure' ? {} : ({ scope: as === 'row' ? 'Row' : 'Column' } as const);
  pen.part(as === 'figure' ? 'TD' : 'TH', () => pen.seen(() => pen.draw(lines, room, look)), scope);
}
