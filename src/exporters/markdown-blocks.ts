import { requireItem } from '../lib/require-value.ts';
import MarkdownIt from 'markdown-it';

type Token = ReturnType<MarkdownIt['parse']>[number];

/** Text with one format. A line break is `\n`. */
export interface MarkdownSpan {
  text: string;
  bold: boolean;
  italic: boolean;
  code: boolean;
  /** http, https or mailto. */
  href: string | null;
}

export type MarkdownBlock =
  | { kind: 'heading'; level: number; runs: MarkdownSpan[] }
  /** `indent`: number of enclosing lists. */
  | { kind: 'paragraph'; indent: number; runs: MarkdownSpan[] }
  /** A list item; level 0 is the outermost; `number` null: a bullet. */
  | { kind: 'item'; level: number; number: number | null; runs: MarkdownSpan[] }
  | { kind: 'quote'; runs: MarkdownSpan[] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; header: MarkdownSpan[][]; rows: MarkdownSpan[][][] };

const LINK = /^(https?:\/\/|mailto:)/i;

const parser = createParser();

function createParser(): MarkdownIt {
  const markdownIt = new MarkdownIt({ html: false, linkify: true, typographer: true });
  markdownIt.validateLink = (address) => LINK.test(address.trim());
  return markdownIt;
}

/** Parses Markdown to a flat list of blocks. HTML tags stay text; images become their alternative text. */
export function parseMarkdownBlocks(markdown: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  const lists: { next: number | null }[] = [];
  let item: { number: number | null } | null = null;
  let quotes = 0;
  let table: Extract<MarkdownBlock, { kind: 'table' }> | null = null;
  let row: MarkdownSpan[][] = [];
  let heading = 0;

  const add = (runs: MarkdownSpan[]): void => {
    if (table !== null) row.push(runs);
    else if (heading > 0) blocks.push({ kind: 'heading', level: heading, runs });
    else if (item !== null) blocks.push({ kind: 'item', level: lists.length - 1, number: item.number, runs });
    else if (quotes > 0 && lists.length === 0) blocks.push({ kind: 'quote', runs });
    else blocks.push({ kind: 'paragraph', indent: lists.length, runs });
    item = null;
  };

  for (const token of parser.parse(markdown, {})) {
    switch (token.type) {
      case 'heading_open':
        heading = Number(token.tag.slice(1));
        break;
      case 'heading_close':
        heading = 0;
        break;
      case 'bullet_list_open':
        lists.push({ next: null });
        break;
      case 'ordered_list_open':
        lists.push({ next: Number(token.attrGet('start') ?? 1) });
        break;
      case 'bullet_list_close':
      case 'ordered_list_close':
        lists.pop();
        break;
      case 'list_item_open': {
        const list = requireItem(lists, -1);
        item = { number: list.next };
        if (list.next !== null) list.next += 1;
        break;
      }
      case 'list_item_close':
        item = null;
        break;
      case 'blockquote_open':
        quotes += 1;
        break;
      case 'blockquote_close':
        quotes -= 1;
        break;
      case 'table_open':
        table = { kind: 'table', header: [], rows: [] };
        blocks.push(table);
        break;
      case 'table_close':
        table = null;
        break;
      case 'tr_open':
        row = [];
        break;
      case 'tr_close':
        if (table?.header.length === 0) table.header = row;
        else table?.rows.push(row);
        break;
      case 'inline':
        add(parseSpans(token.children ?? []));
        break;
      case 'fence':
      case 'code_block':
        blocks.push({ kind: 'code', text: token.content.replace(/\n$/, '') });
        break;
    }
  }
  return blocks;
}

function parseSpans(tokens: readonly Token[]): MarkdownSpan[] {
  const runs: MarkdownSpan[] = [];
  let [bold, italic] = [0, 0];
  let href: string | null = null;
  const add = (text: string, code = false): void => {
    const run: MarkdownSpan = { text, bold: bold > 0, italic: italic > 0, code, href };
    const last = runs.at(-1);
    if (last !== undefined && hasSameFormat(last, run)) last.text += text;
    else if (text !== '') runs.push(run);
  };
  for (const token of tokens) {
    switch (token.type) {
      case 'strong_open':
      case 'strong_close':
        bold += token.nesting;
        break;
      case 'em_open':
      case 'em_close':
        italic += token.nesting;
        break;
      case 'link_open':
        href = token.attrGet('href');
        break;
      case 'link_close':
        href = null;
        break;
      case 'softbreak':
        add(' ');
        break;
      case 'hardbreak':
        add('\n');
        break;
      default:
        add(token.content, token.type === 'code_inline');
    }
  }
  return runs;
}

const hasSameFormat = (one: MarkdownSpan, other: MarkdownSpan): boolean =>
  one.bold === other.bold &&
  one.italic === other.italic &&
  one.code === other.code &&
  one.href === other.href;
