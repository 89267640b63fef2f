/** The text capacity of a slide; a line wider than `width` characters counts as several. */
export interface TextSize {
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
    if (fence !== null) {
      last!.text += `\n${line}`;
      if (mark?.startsWith(fence) === true) [fence, open] = [null, false];
    } else if (line.trim() === '') open = false;
    else {
      const kind = HEADING.test(line) ? 'heading' : ITEM.test(line) ? 'item' : 'other';
      // An indented paragraph is a part of the item above it.
      const isInside = !open && last?.kind === 'item' && /^(\t| {2,})/.test(line);
      if (open && kind === 'other' && mark === undefined) last!.text += `\n${line}`;
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
  for (const sentence of block.text.match(/[^.!?。！？]+(?:[.!?。！？]+\s*|$)|[.!?。！？]+\s*/gu) ?? []) {
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
