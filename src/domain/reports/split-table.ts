import type { DeckRow, DeckTable } from './deck.ts';

export interface TableSize {
  rows: number;
  columns: number;
}

/** The table size that is readable on one slide. */
const SLIDE_TABLE_SIZE: TableSize = { rows: 16, columns: 8 };

/** A heading with its base rows, repeated on every part, and the rows below them. */
interface Section {
  header: DeckRow[];
  rows: DeckRow[];
}

/**
 * Splits a table into parts that each fit on a slide, in column order, then row order. Every part repeats the row labels, and the heading
 * and base rows of a section that it continues. Columns with the same heading stay together if possible. A leading total column, which has
 * neither letter nor heading, is repeated.
 */
export function splitTable(table: DeckTable, size: TableSize = SLIDE_TABLE_SIZE): DeckTable[] {
  const parts = splitRows(table.rows, size.rows);
  return splitColumns(table.columns, size.columns).flatMap((columnIndexes) =>
    parts.map((rows) => ({
      ...table,
      columns: columnIndexes.map((index) => table.columns[index]!),
      rows: rows.map((row) =>
        row.kind === 'heading' ? row : { ...row, cells: columnIndexes.map((index) => row.cells[index]!) },
      ),
    })),
  );
}

function splitRows(rows: readonly DeckRow[], most: number): DeckRow[][] {
  if (rows.length <= most) return [[...rows]];
  const parts: DeckRow[][] = [];
  let part: DeckRow[] = [];
  const startPart = () => {
    if (part.length > 0) parts.push(part);
    part = [];
  };
  for (const { header, rows: body } of sectionsOf(rows)) {
    // A section that fits on one slide is not split to fill a few remaining rows.
    const sectionLength = header.length + body.length;
    const room = most - part.length;
    const tearing = sectionLength > room && (sectionLength <= most || room < header.length + 2);
    if (tearing) startPart();
    part.push(...header);
    for (const row of body) {
      if (part.length >= most) {
        startPart();
        part.push(...header.map(continuedHeading));
      }
      part.push(row);
    }
  }
  startPart();
  return parts;
}

const continuedHeading = (row: DeckRow): DeckRow =>
  row.kind === 'heading' ? { ...row, label: `${row.label} (continued)` } : row;

function sectionsOf(rows: readonly DeckRow[]): Section[] {
  const sections: Section[] = [];
  for (const row of rows) {
    const last = sections.at(-1);
    if (last === undefined || row.kind === 'heading') {
      const isHeader = row.kind === 'heading' || row.kind === 'base';
      sections.push(isHeader ? { header: [row], rows: [] } : { header: [], rows: [row] });
    } else if (row.kind === 'base' && last.rows.length === 0) last.header.push(row);
    else last.rows.push(row);
  }
  return sections;
}

/** Returns the column indexes of each part. */
function splitColumns(columns: DeckTable['columns'], most: number): number[][] {
  if (columns.length <= most) return [columns.map((_, index) => index)];
  const [first] = columns;
  const kept =
    first!.letter === null &&
    first!.heading === undefined &&
    columns.some(({ heading }) => heading !== undefined)
      ? [0]
      : [];
  const room = most - kept.length;
  const parts: number[][] = [];
  let part: number[] = [];
  for (const group of groupByHeading(columns, kept.length)) {
    if (
      part.length > 0 &&
      part.length + group.length > room &&
      (group.length <= room || room - part.length < 2)
    ) {
      parts.push(part);
      part = [];
    }
    for (const index of group) {
      if (part.length >= room) {
        parts.push(part);
        part = [];
      }
      part.push(index);
    }
  }
  return [...parts, part].map((columnIndexes) => [...kept, ...columnIndexes]);
}

/** Groups adjacent columns with the same heading. */
function groupByHeading(columns: DeckTable['columns'], from: number): number[][] {
  const groups: number[][] = [];
  for (let index = from; index < columns.length; index++) {
    const { heading } = columns[index]!;
    const isNext = index > from && heading !== undefined && columns[index - 1]!.heading === heading;
    if (isNext) groups.at(-1)!.push(index);
    else groups.push([index]);
  }
  return groups;
}
