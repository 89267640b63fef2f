import { requireItem } from '../../lib/require-value.ts';
import { LIGHT_THEME } from '../../domain/charts/drawing/chart-theme.ts';
import type { DeckRow, DeckSlide, DeckTable, MethodSection } from '../../domain/reports/deck.ts';
import { type Box, joinSourceLines, TEXT_SIZES } from '../slide-page.ts';
import type { StyledText } from './text-layout.ts';
import { type FormattedText, type PdfCanvas, type TextFormat, toTextStyle } from './pdf-canvas.ts';
import { drawSource, TINT } from './slide-parts.ts';

const CELL_GAP = 10;
const LARGEST_SIZE = 13;
const SMALLER_SIZES = [12, 11, 10, 9, 8, 7, 6];
/** The smallest font size that is tried to avoid broken words in column headers. */
const MIN_SIZE_FOR_WORDS = 9;
const LEADING = 1.25;
const LABEL_LINES = 2;

interface Grid {
  size: number;
  labelWidth: number;
  /** Width of a data column. */
  columnWidth: number;
  /** Width of the letters in each column, so that figures align. */
  letterWidths: number[];
  headerHeight: number;
  rowHeights: number[];
  /** Height of the row with column group headings. */
  groupHeight: number;
}

/** Draws a table in the largest font size that fits. */
export function drawTable(table: DeckTable, box: Box, canvas: PdfCanvas): void {
  const area = drawSource([joinSourceLines(table.source)], box, canvas);
  const grid = layoutGrid(table, area, canvas);
  const width = grid.labelWidth + table.columns.length * grid.columnWidth;
  canvas.withTag('Table', () => {
    let { y } = area;
    if (grid.groupHeight > 0) y = drawGroups({ deckTable: table, box: { ...area, y, width }, grid, canvas });
    y = drawHeader({ deckTable: table, box: { ...area, y, width }, grid, canvas });
    table.rows.forEach((row, index) => {
      y = drawRow({
        row,
        box: { x: area.x, y, width, height: requireItem(grid.rowHeights, index) },
        grid,
        canvas,
      });
    });
  });
}

const padding = (size: number): number => size * 0.55;

/** The grid of the largest font size that fits, or of the smallest. */
function layoutGrid(table: DeckTable, area: Box, canvas: PdfCanvas): Grid {
  let { grid, fits } = layoutGridAtSize({ size: LARGEST_SIZE, table, area, canvas });
  for (const size of SMALLER_SIZES) {
    if (fits) break;
    ({ grid, fits } = layoutGridAtSize({ size, table, area, canvas }));
  }
  return grid;
}

function layoutGridAtSize({
  size,
  table,
  area,
  canvas,
}: {
  size: number;
  table: DeckTable;
  area: Box;
  canvas: PdfCanvas;
}): { grid: Grid; fits: boolean } {
  const count = Math.max(1, table.columns.length);
  // A heading spans the whole row.
  const labels = table.rows.flatMap(({ kind, label }) => (kind === 'heading' ? [] : [label]));
  const words = table.columns.flatMap(({ label }) => label.split(/\s+/));
  const widest = (texts: readonly string[]) =>
    Math.max(...texts.map((text) => canvas.measureWidth(text, { size, bold: true })), 0);
  const longest = widest([table.corner, ...labels]);
  const word = widest(words) + CELL_GAP;
  const least = Math.max(
    ...table.rows.flatMap(({ cells }) => cells.map((cell) => cellWidth(cell, size, canvas))),
    0,
  );
  const neededColumnWidth = Math.max(least + CELL_GAP, word, size * 6.5);
  const label = Math.max(
    Math.min(longest + CELL_GAP * 2, area.width - count * neededColumnWidth, area.width * 0.55),
    Math.min(area.width * 0.26, longest + CELL_GAP * 2),
  );
  const columnWidth = Math.min((area.width - label) / count, 190);
  const height = ({
    text,
    width,
    lines,
    bold = false,
  }: {
    text: FormattedText;
    width: number;
    lines: number;
    bold?: boolean | undefined;
  }) =>
    canvas.layoutLines(text, width, { size, bold, maxLines: lines }).length * size * LEADING + padding(size);
  const headerHeight = Math.max(
    height({ text: table.corner, width: label - CELL_GAP, lines: 3, bold: true }),
    ...table.columns.map((one) =>
      height({ text: columnHeader(one, size, canvas), width: columnWidth - CELL_GAP, lines: 3 }),
    ),
  );
  const rowHeights = table.rows.map((row) =>
    height({
      text: row.label,
      width: (row.kind === 'heading' ? area.width : label) - CELL_GAP,
      lines: LABEL_LINES,
      bold: row.kind !== 'category',
    }),
  );
  const groupHeight = table.columns.some(({ heading }) => heading !== undefined)
    ? size * LEADING + padding(size)
    : 0;
  const letterWidths = table.columns.map((_, index) =>
    Math.max(...table.rows.map(({ cells }) => lettersWidth(cells[index]?.letters ?? '', size, canvas)), 0),
  );
  const total = groupHeight + headerHeight + rowHeights.reduce((sum, one) => sum + one, 0);
  const breaksWords = word > columnWidth && size > MIN_SIZE_FOR_WORDS;
  return {
    grid: { size, labelWidth: label, columnWidth, letterWidths, headerHeight, rowHeights, groupHeight },
    fits: total <= area.height && least + CELL_GAP <= columnWidth && !breaksWords,
  };
}

const letterSize = (size: number): number => size * 0.72;

function lettersText(letters: string, size: number, canvas: PdfCanvas): StyledText[] {
  const style = toTextStyle({ size: letterSize(size), bold: true, color: canvas.style.accent.fill });
  // The gap is on the side of the figure.
  const text = canvas.rightToLeft ? `${letters}\u00a0` : `\u00a0${letters}`;
  return letters === '' ? [] : [{ text, style: { ...style, rise: size * 0.3 } }];
}

const lettersWidth = (letters: string, size: number, canvas: PdfCanvas): number =>
  letters === '' ? 0 : canvas.measureWidth(lettersText(letters, size, canvas), { size });

const cellWidth = ({ text, letters }: DeckRow['cells'][number], size: number, canvas: PdfCanvas): number =>
  canvas.measureWidth(text, { size, bold: true }) + lettersWidth(letters, size, canvas);

function columnHeader(
  { label, letter }: DeckTable['columns'][number],
  size: number,
  canvas: PdfCanvas,
): StyledText[] {
  return [
    { text: label, style: toTextStyle({ size, bold: true }) },
    ...(letter === null
      ? []
      : [
          {
            text: ` (${letter})`,
            style: toTextStyle({ size: size * 0.9, bold: true, color: canvas.style.accent.fill }),
          },
        ]),
  ];
}

function drawGroups({
  deckTable: { columns },
  box,
  grid,
  canvas,
}: {
  deckTable: DeckTable;
  box: Box;
  grid: Grid;
  canvas: PdfCanvas;
}): number {
  const { size, labelWidth, columnWidth, groupHeight } = grid;
  const format: TextFormat = {
    size,
    color: LIGHT_THEME.mutedText,
    align: 'center',
    maxLines: 1,
    leading: LEADING,
  };
  canvas.withTag('TR', () => {
    drawCell({ canvas, kind: 'figure', text: '', area: { x: box.x, y: box.y, width: labelWidth }, format });
    for (let start = 0; start < columns.length;) {
      const { heading } = requireItem(columns, start);
      let end = start + 1;
      while (heading !== undefined && columns[end]?.heading === heading) end += 1;
      const x = box.x + labelWidth + start * columnWidth + CELL_GAP;
      const area = { x, y: box.y + padding(size) / 2, width: (end - start) * columnWidth - CELL_GAP };
      drawCell({ canvas, kind: 'column', text: heading ?? '', area, format });
      if (heading !== undefined) {
        canvas.drawArtifact(() =>
          canvas.drawRule({ x, y: box.y + groupHeight - 1, width: area.width }, LIGHT_THEME.line),
        );
      }
      start = end;
    }
  });
  return box.y + groupHeight;
}

function drawHeader({
  deckTable: { corner, columns },
  box,
  grid,
  canvas,
}: {
  deckTable: DeckTable;
  box: Box;
  grid: Grid;
  canvas: PdfCanvas;
}): number {
  const { size, labelWidth, columnWidth, headerHeight, letterWidths } = grid;
  const y = box.y + padding(size) / 2;
  canvas.withTag('TR', () => {
    const format: TextFormat = { size, leading: LEADING, maxLines: 3 };
    drawCell({
      canvas,
      kind: 'column',
      text: corner,
      area: { x: box.x, y, width: labelWidth - CELL_GAP },
      format: { ...format, color: LIGHT_THEME.mutedText },
    });
    columns.forEach((one, index) => {
      const x = box.x + labelWidth + index * columnWidth + CELL_GAP;
      // Aligned with the figures if it fits beside the letters.
      const width = columnWidth - CELL_GAP;
      const widthBesideLetters = width - requireItem(letterWidths, index);
      const fits =
        canvas.layoutLines(columnHeader(one, size, canvas), widthBesideLetters, { size }).length === 1;
      const area = { x, y, width: fits ? widthBesideLetters : width };
      drawCell({
        canvas,
        kind: 'column',
        text: columnHeader(one, size, canvas),
        area,
        format: { ...format, align: 'end' },
      });
    });
  });
  canvas.drawArtifact(() => canvas.drawRule({ ...box, y: box.y + headerHeight }, LIGHT_THEME.text, 1));
  return box.y + headerHeight;
}

function drawRow({
  row,
  box,
  grid,
  canvas,
}: {
  row: DeckRow;
  box: Box;
  grid: Grid;
  canvas: PdfCanvas;
}): number {
  const { size, labelWidth, columnWidth } = grid;
  const y = box.y + padding(size) / 2;
  const isHeading = row.kind === 'heading';
  const format: TextFormat = {
    size,
    leading: LEADING,
    maxLines: LABEL_LINES,
    bold: isHeading || row.kind === 'net',
    ...(row.kind === 'base' ? { color: LIGHT_THEME.mutedText } : {}),
  };
  if (isHeading) canvas.drawArtifact(() => canvas.fillBox(box, TINT));
  canvas.withTag('TR', () => {
    const inset = isHeading ? 6 : 0;
    const width = (isHeading ? box.width : labelWidth) - CELL_GAP;
    drawCell({
      canvas,
      kind: 'row',
      text: row.label,
      area: { x: box.x + inset, y, width: width - inset },
      format,
    });
    row.cells.forEach((one, index) => {
      const letterWidth = requireItem(grid.letterWidths, index);
      const width = columnWidth - letterWidth;
      const x = box.x + labelWidth + index * columnWidth;
      const figure = canvas.layoutLines(one.text, width, format);
      const letters = canvas.layoutLines(lettersText(one.letters, size, canvas), columnWidth, format);
      canvas.withTag('TD', () =>
        canvas.markContent(() => {
          canvas.drawLines(figure, { x, y, width }, { ...format, align: 'end' });
          canvas.drawLines(letters, { x: x + width, y, width: letterWidth }, format);
        }),
      );
    });
  });
  if (!isHeading)
    canvas.drawArtifact(() => canvas.drawRule({ ...box, y: box.y + box.height }, LIGHT_THEME.line, 0.5));
  return box.y + box.height;
}

function drawCell({
  canvas,
  kind,
  text,
  area,
  format,
}: {
  canvas: PdfCanvas;
  kind: 'column' | 'row' | 'figure';
  text: FormattedText;
  area: Omit<Box, 'height'>;
  format: TextFormat;
}): void {
  const lines = canvas.layoutLines(text, area.width, format);
  const scope = kind === 'figure' ? {} : ({ scope: kind === 'row' ? 'Row' : 'Column' } as const);
  canvas.withTag(
    kind === 'figure' ? 'TD' : 'TH',
    () => canvas.markContent(() => canvas.drawLines(lines, area, format)),
    scope,
  );
}

type MethodSlide = Extract<DeckSlide, { type: 'method' }>;

const SECTION_GAP = 18;
const MIN_SIZE = 7;
const MIN_TABLE_HEIGHT = 110;

/** Draws the method sections in the largest font size that fits. */
export function drawMethod({ parts, survey, title }: MethodSlide, body: Box, canvas: PdfCanvas): void {
  let { y } = body;
  const bottom = body.y + body.height;
  if (survey !== '' && survey !== title) {
    y =
      canvas.drawParagraph(survey, body, {
        size: TEXT_SIZES.small,
        color: LIGHT_THEME.mutedText,
        maxLines: 1,
      }) + 6;
  }
  const tables = parts.filter(({ table }) => table !== null).length;
  const availableHeight = bottom - y - tables * MIN_TABLE_HEIGHT;
  let size: number = TEXT_SIZES.small + 1;
  while (
    size > MIN_SIZE &&
    parts.reduce((sum, part) => sum + textHeight({ part, width: body.width, size, canvas }), 0) >
      availableHeight
  ) {
    size -= 0.5;
  }
  let tablesLeft = tables;
  for (const part of parts) {
    if (y > bottom - size * 2) return;
    y = drawText({ part, box: { ...body, y, height: bottom - y }, size, canvas });
    if (part.table !== null) {
      const height = (bottom - y - SECTION_GAP * (tablesLeft - 1)) / tablesLeft;
      drawTable(part.table, { ...body, y, height }, canvas);
      y += height;
      tablesLeft -= 1;
    }
    y += SECTION_GAP;
  }
}

const NAME_SHARE = 0.24;
const factWidths = (width: number) => ({ name: width * NAME_SHARE, value: width * (1 - NAME_SHARE) - 12 });
const headingFormat = (size: number): TextFormat => ({ size: size * 1.15, bold: true });

function textHeight({
  part,
  width,
  size,
  canvas,
}: {
  part: MethodSection;
  width: number;
  size: number;
  canvas: PdfCanvas;
}): number {
  const { name, value } = factWidths(width);
  const heightOf = (text: string, room: number) =>
    canvas.layoutLines(text, room, { size }).length * size * 1.35;
  const facts = part.facts.map(
    ([one, two]) => Math.max(heightOf(one, name), heightOf(two, value)) + size * 0.3,
  );
  const paragraphs = part.paragraphs.map((text) => heightOf(text, width) + size * 0.5);
  return [...facts, ...paragraphs].reduce((sum, one) => sum + one, size * 2.2 + SECTION_GAP);
}

function drawText({
  part,
  box,
  size,
  canvas,
}: {
  part: MethodSection;
  box: Box;
  size: number;
  canvas: PdfCanvas;
}): number {
  const bottom = box.y + box.height;
  let y =
    canvas.drawParagraph(part.heading, box, { ...headingFormat(size), maxLines: 1, as: 'H2' }) + size * 0.4;
  const { name: nameWidth, value: valueWidth } = factWidths(box.width);
  const linesLeft = () => Math.max(1, Math.floor((bottom - y) / (size * 1.35)));
  for (const [factName, factValue] of part.facts) {
    if (y + size * 1.35 > bottom) return y;
    const maxLines = linesLeft();
    const nameEnd = canvas.drawParagraph(
      factName,
      { ...box, y, width: nameWidth },
      { size, color: LIGHT_THEME.mutedText, maxLines },
    );
    const valueEnd = canvas.drawParagraph(
      factValue,
      { x: box.x + nameWidth + 12, y, width: valueWidth },
      { size, maxLines },
    );
    y = Math.max(nameEnd, valueEnd) + size * 0.3;
  }
  if (part.facts.length > 0) y += size * 0.4;
  for (const text of part.paragraphs) {
    if (y + size * 1.35 > bottom) return y;
    y = canvas.drawParagraph(text, { ...box, y }, { size, maxLines: linesLeft() }) + size * 0.5;
  }
  return y;
}
