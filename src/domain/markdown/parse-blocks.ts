import type { MarkdownElement, MarkdownNode } from './markdown.ts';
import { type IsOwnAddress, parseInline } from './parse-inline.ts';

/** Lists in deeper lists are text. */
const MAX_DEPTH = 3;
const HEADING = /^(#{1,3})[ \t]+(?=\S)/;
const ITEM = /^( *)([-*]|\d{1,9}\.)[ \t]+(?=\S)/;
const HEADING_TAGS = ['h2', 'h3', 'h4'] as const;

interface ItemStart {
  indent: number;
  /** Columns up to the text of the item. */
  width: number;
  mark: string;
  /** null: a bullet. */
  number: number | null;
}

function itemStart(line: string): ItemStart | null {
  const found = ITEM.exec(line);
  if (found === null) return null;
  const [all, spaces = '', mark = ''] = found;
  return {
    indent: spaces.length,
    width: all.length,
    mark,
    number: /\d/.test(mark) ? Number.parseInt(mark, 10) : null,
  };
}

const isBlank = (line: string): boolean => line.trim() === '';

/**
 * Parses headings (`# …` to `### …`), lists (`- …`, `1. …`), and paragraphs, which empty lines separate; a single line break stays one. As in
 * CommonMark, a numbered list within a paragraph begins with 1. Unlike there, a list ends at the first line that is not indented, and a single
 * line with `*` is a footnote ("* Required").
 */
export function parseBlocks(text: string, isOwnAddress?: IsOwnAddress): MarkdownElement[] {
  return parseLines(text.split(/\r\n|\r|\n/), { depth: 0, isOwnAddress });
}

interface Place {
  /** Number of enclosing lists. */
  depth: number;
  isOwnAddress: IsOwnAddress | undefined;
}

function parseLines(lines: readonly string[], place: Place): MarkdownElement[] {
  const inline = (text: string) => parseInline(text.trim(), place.isOwnAddress);
  const blocks: MarkdownElement[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) blocks.push({ tag: 'p', children: inline(paragraph.join('\n')) });
    paragraph = [];
  };
  for (let index = 0; index < lines.length;) {
    const line = lines[index] ?? '';
    const level = HEADING.exec(line)?.[1]?.length;
    const item = place.depth < MAX_DEPTH ? itemStart(line) : null;
    const isList = item !== null && (paragraph.length === 0 || item.number === null || item.number === 1);
    if (isList && !isFootnote(lines, index, item)) {
      flush();
      const list = readList(lines, index, item, place);
      blocks.push(list.element);
      index = list.end;
      continue;
    }
    if (level !== undefined) {
      flush();
      const tag = HEADING_TAGS[level - 1] ?? 'h4';
      blocks.push({ tag, children: inline(line.slice(level)) });
    } else if (isBlank(line)) flush();
    else paragraph.push(line);
    index++;
  }
  flush();
  return blocks;
}

/** Reads the items of a list that begins at a line. `end`: the index of the first line after it. */
function readList(
  lines: readonly string[],
  start: number,
  first: ItemStart,
  place: Place,
): { element: MarkdownElement; end: number } {
  const children: MarkdownElement[] = [];
  let end = start;
  for (;;) {
    const item = itemStart(lines[end] ?? '');
    const isSameList =
      item !== null && item.indent <= first.indent && (item.number === null) === (first.number === null);
    if (!isSameList) break;
    const itemEnd = endOfItem(lines, end + 1, item.indent);
    const own = [
      (lines[end] ?? '').slice(item.width),
      ...lines.slice(end + 1, itemEnd).map((line) => outdent(line, item.width)),
    ];
    children.push({ tag: 'li', children: tightened(parseLines(own, { ...place, depth: place.depth + 1 })) });
    end = skipBlank(lines, itemEnd);
  }
  const element: MarkdownElement =
    first.number === null ? { tag: 'ul', children } : { tag: 'ol', start: first.number, children };
  return { element, end };
}

function isFootnote(lines: readonly string[], index: number, { mark, indent }: ItemStart): boolean {
  if (mark !== '*') return false;
  const next = itemStart(lines[skipBlank(lines, endOfItem(lines, index + 1, indent))] ?? '');
  return next?.mark !== '*';
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The lines of an item are indented further than its mark; empty lines may be between them. */
function endOfItem(lines: readonly string[], from: number, indent: number): number {
  let end = from;
  for (let index = from; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (isBlank(line)) continue;
    if (indentOf(line) <= indent) break;
    end = index + 1;
  }
  return end;
}

function skipBlank(lines: readonly string[], from: number): number {
  let index = from;
  while (index < lines.length && isBlank(lines[index] ?? '')) index++;
  return index;
}

const outdent = (line: string, width: number): string => line.slice(Math.min(indentOf(line), width));

/** The text of an item needs no paragraph of its own. */
function tightened(blocks: readonly MarkdownElement[]): MarkdownNode[] {
  const [first, ...rest] = blocks;
  return first?.tag === 'p' && rest.every(({ tag }) => tag !== 'p')
    ? [...first.children, ...rest]
    : [...blocks];
}
