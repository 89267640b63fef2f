import type { ChartFigures } from '../charts/chart-data.ts';
import { figureTypeOf } from '../charts/registry.ts';
import { trimCharactersEnd } from '../../lib/trim-characters.ts';
import type { DeckRow, DeckTable, MethodSection } from './deck.ts';

/** The text capacity of a slide; a line wider than `width` characters counts as several. */
interface TextSize {
  characters: number;
  lines: number;
  width: number;
}

export const SLIDE_TEXT_SIZE: TextSize = { characters: 1_100, lines: 16, width: 100 };
/** Beside a chart. */
export const SIDE_TEXT_SIZE: TextSize = { characters: 500, lines: 10, width: 50 };

/** A block that is split only if it is too long: a paragraph, heading, list item or code block. */
interface Block {
  text: string;
  kind: 'heading' | 'item' | 'other';
  /** An item follows another one without an empty line between. */
  tight: boolean;
}

/**
 * Splits Markdown into texts that each fit on a slide, between blocks; splits overlong paragraphs after a sentence. Never leaves a heading
 * last. The first part may have another size.
 */
export function splitMarkdown(
  markdown: string,
  size: TextSize = SLIDE_TEXT_SIZE,
  first: TextSize = size,
): string[] {
  const parts: Block[][] = [];
  let part: Block[] = [];
  const limit = () => (parts.length === 0 ? first : size);
  const startPart = () => {
    const moved = part.at(-1)?.kind === 'heading' && part.length > 1 ? part.splice(-1) : [];
    if (part.length > 0) parts.push(part);
    part = moved;
  };
  for (const block of parseBlocks(markdown)) {
    if (fits([...part, block], limit())) {
      part.push(block);
      continue;
    }
    if (part.some(({ kind }) => kind !== 'heading')) startPart();
    if (fits([...part, block], limit())) part.push(block);
    else {
      for (const piece of splitBlock(block, limit())) {
        if (!fits([...part, piece], limit()) && part.some(({ kind }) => kind !== 'heading')) startPart();
        part.push(piece);
      }
    }
  }
  if (part.length > 0) parts.push(part);
  return parts.map(joinBlocks);
}

function fits(blocks: readonly Block[], { characters, lines, width }: TextSize): boolean {
  const text = joinBlocks(blocks);
  if (text.length > characters) return false;
  const rows = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0);
  return rows <= lines;
}

const joinBlocks = (blocks: readonly Block[]): string =>
  blocks.map(({ text, tight }, index) => (index === 0 ? '' : tight ? '\n' : '\n\n') + text).join('');

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ITEM = /^ {0,3}([-*+]|\d{1,9}[.)])\s+/;
const HEADING = /^ {0,3}#{1,6}(\s|$)/;

function parseBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  let fence: string | null = null;
  let open = false;
  for (const line of markdown.replaceAll('\r\n', '\n').split('\n')) {
    const mark: string | undefined = FENCE.exec(line)?.[1];
    const last = blocks.at(-1);
    if (fence !== null && last !== undefined) {
      last.text += `\n${line}`;
      if (mark?.startsWith(fence) === true) [fence, open] = [null, false];
    } else if (line.trim() === '') open = false;
    else {
      const kind = HEADING.test(line) ? 'heading' : ITEM.test(line) ? 'item' : 'other';
      // An indented paragraph is a part of the item above it.
      const isInside = !open && last?.kind === 'item' && /^(\t| {2,})/.test(line);
      if (open && last !== undefined && kind === 'other' && mark === undefined) last.text += `\n${line}`;
      else if (isInside) last.text += `\n\n${line}`;
      else blocks.push({ text: line, kind, tight: open && kind === 'item' && last?.kind === 'item' });
      fence = mark ?? null;
      open = kind !== 'heading';
    }
  }
  return withItemNumbers(blocks);
}

/** Numbers list items explicitly, so that a split list continues counting. */
function withItemNumbers(blocks: Block[]): Block[] {
  let next: number | null = null;
  return blocks.map((block) => {
    const found = block.kind === 'item' ? /^( {0,3})(\d{1,9})([.)])/.exec(block.text) : null;
    if (found === null) {
      next = null;
      return block;
    }
    const [all, indent, marker, mark] = found;
    const number: number = next ?? Number(marker);
    next = number + 1;
    return { ...block, text: `${indent}${number}${mark}${block.text.slice(all.length)}` };
  });
}

/** Splits a block that is too long between sentences, otherwise between words. */
function splitBlock(block: Block, { characters, lines, width }: TextSize): Block[] {
  const most = Math.min(characters, lines * width);
  const found: string[] = [];
  let piece = '';
  const add = (text: string) => {
    if (piece !== '' && (piece + text).trimEnd().length > most) {
      found.push(piece.trim());
      piece = '';
    }
    piece += text;
  };
  for (const sentence of block.text.match(/[^.!?。！？]+[.!?。！？]*\s*|[.!?。！？]+\s*/gu) ?? []) {
    if (sentence.length <= most) add(sentence);
    else
      for (const word of sentence.match(/\S+\s*|\s+/gu) ?? [])
        for (const cut of splitWord(word, most)) add(cut);
  }
  if (piece.trim() !== '') found.push(piece.trim());
  return found.map((text, index) => ({
    ...block,
    text,
    kind: index === 0 ? block.kind : 'other',
    tight: false,
  }));
}

/** Splits a word between code points. */
function splitWord(word: string, most: number): string[] {
  if (word.length <= most) return [word];
  const letters = Array.from(word);
  const half = Math.ceil(letters.length / 2);
  return [letters.slice(0, half), letters.slice(half)].flatMap((part) => splitWord(part.join(''), most));
}

interface TableSize {
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
      columns: columnIndexes.flatMap((index) => table.columns[index] ?? []),
      rows: rows.map((row) =>
        row.kind === 'heading'
          ? row
          : { ...row, cells: columnIndexes.flatMap((index) => row.cells[index] ?? []) },
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
    first?.letter === null &&
    first.heading === undefined &&
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
  const groups: { heading: string | undefined; indexes: number[] }[] = [];
  for (const [index, { heading }] of columns.entries()) {
    if (index < from) continue;
    const last = groups.at(-1);
    if (last !== undefined && heading !== undefined && last.heading === heading) last.indexes.push(index);
    else groups.push({ heading, indexes: [index] });
  }
  return groups.map(({ indexes }) => indexes);
}

/** Maximum number of lines on an appendix slide; a text with more than TEXT_WIDTH characters needs several lines. */
const MAX_LINES = 19;
const TEXT_WIDTH = 105;
/** Characters per line for the value of a fact, next to its name. */
const FACT_WIDTH = 85;
const HEADING_LINES = 2;

/** Distributes the sections of an appendix over slides: short sections share a slide, long ones continue with the same heading. */
export function splitMethodSections(methods: readonly MethodSection[]): MethodSection[][] {
  return chunkByLines(methods.flatMap(splitSection), countLines, MAX_LINES);
}

const textLines = (text: string, width: number): number => Math.max(1, Math.ceil(text.length / width));
const factLines = ([, value]: [string, string]): number => textLines(value, FACT_WIDTH);

function countLines({ facts, paragraphs, table }: MethodSection): number {
  return (
    HEADING_LINES +
    facts.reduce((sum, fact) => sum + factLines(fact), 0) +
    paragraphs.reduce((sum, text) => sum + textLines(text, TEXT_WIDTH), 0) +
    (table === null ? 0 : table.rows.length + 1)
  );
}

/** Splits a section into parts that each fit on a slide. */
function splitSection(method: MethodSection): MethodSection[] {
  if (countLines(method) <= MAX_LINES) return [method];
  const { heading, facts, paragraphs, table } = method;
  const emptySection: MethodSection = { heading, facts: [], paragraphs: [], table: null };
  const room = MAX_LINES - HEADING_LINES;
  const found: MethodSection[] = [
    ...chunkByLines(facts, factLines, room).map((some) => ({ ...emptySection, facts: some })),
    ...chunkByLines(paragraphs, (text) => textLines(text, TEXT_WIDTH), room).map((some) => ({
      ...emptySection,
      paragraphs: some,
    })),
    ...(table === null
      ? []
      : splitTable(table, { rows: room - 1, columns: 8 }).map((some) => ({ ...emptySection, table: some }))),
  ];
  return found.map((piece, index) => (index === 0 ? piece : { ...piece, heading: `${heading} (continued)` }));
}

/** Chunks of at most `most` lines; a longer entry is a chunk alone. */
function chunkByLines<T>(list: readonly T[], linesOfOne: (one: T) => number, most: number): T[][] {
  const found: T[][] = [];
  let room = 0;
  for (const one of list) {
    const lines = linesOfOne(one);
    const last = found.at(-1);
    if (last === undefined || lines > room) {
      found.push([one]);
      room = most;
    } else last.push(one);
    room -= lines;
  }
  return found;
}

interface ChartPart {
  figures: ChartFigures;
  /** The shared end of the value axis. Null: the chart is not split, and its axis ends automatically. */
  axisMax: number | null;
}

/**
 * Splits a chart with many bars into charts of similar size with the same value axis. Returns a chart of a type without such a limit unsplit. If significance
 * letters refer to categories, the parts have no letters, because these would refer to categories of other parts.
 */
export function splitChart(figures: ChartFigures): ChartPart[] {
  const { categories, series } = figures;
  const most = figureTypeOf(figures).maxCategories(figures);
  if (most === null || categories.length <= most) return [{ figures, axisMax: null }];
  const count = Math.ceil(categories.length / most);
  const size = Math.ceil(categories.length / count);
  const axisMax = axisEnd(figures);
  return Array.from({ length: count }, (_, part) => {
    const cut = <T>(list: readonly T[]) => list.slice(part * size, (part + 1) * size);
    const cutSeries = series.map(({ letters, ...one }) => ({
      ...one,
      values: cut(one.values),
      counts: cut(one.counts),
      percents: cut(one.percents),
      ...(letters !== undefined && series.length > 1 && { letters: cut(letters) }),
    }));
    return { figures: { ...figures, categories: cut(categories), series: cutSeries }, axisMax };
  });
}

/** Returns a round number at or above every bar; null without values. */
function axisEnd(figures: ChartFigures): number | null {
  const { series, aggregation, categories } = figures;
  const isStacked = figureTypeOf(figures).layout === 'stack';
  const heights = categories.flatMap((_, index) => {
    const values = series.map(({ values: list }) => list[index] ?? 0);
    return isStacked ? [values.reduce((sum, value) => sum + value, 0)] : values;
  });
  const highest = Math.max(0, ...heights);
  if (highest === 0) return null;
  const isShare = aggregation.function === 'percent' || aggregation.function === 'top_box';
  if (isShare && highest <= 100 + 1e-9) return Math.min(100, Math.ceil(highest / 10 - 1e-9) * 10);
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= highest) ?? 10;
  return Number((step * power).toPrecision(12));
}

/** Splits a Markdown text into the heading of its first line, without # marks, and the rest; null: it begins with no heading. */
export function splitHeading(text: string): { heading: string; rest: string } | null {
  const lineBreak = text.indexOf('\n');
  const line = lineBreak < 0 ? text : text.slice(0, lineBreak);
  const mark = /^#{1,6}(?=\s)/.exec(line)?.[0];
  if (mark === undefined) return null;
  const words = line.slice(mark.length).trim();
  const opened = trimCharactersEnd(words, /#/);
  // "C#" is a word; only # after a space closes the heading.
  const heading = opened === opened.trimEnd() ? words : opened.trimEnd();
  return opened === '' ? null : { heading, rest: text.slice(line.length).trim() };
}
