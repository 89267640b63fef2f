import { isHttpUrl } from '../../lib/urls.ts';
import { joinTexts, type MarkdownElement, type MarkdownNode } from './markdown.ts';

const ESCAPABLE = new Set('\\*_[]()#+-.');
const MAX_PIPE_LENGTH = 300;
/** Longer runs of marks are lines to write on or stars, not emphasis. */
const MAX_RUN = 3;
/** Further marks stay text. A limit, so that texts of marks alone take linear time too. */
const MAX_OPEN_MARKS = 100;
const WORD = /[\p{L}\p{M}\p{N}]/u;
const SPACE = /\s/u;
/** A mark before one of these does not open: "(___)", "*.jpg". */
const CLOSING = /[)\]}.,:;!?]/;
/** Addresses are shown as they are written, with `_` in them. */
const BARE_ADDRESS = /https?:\/\/(?:\{\{[^{}]*\}\}|[^\s<>"{}()[\]*\\])+/iy;
/** Pipes may fill only what follows the host, so an answer cannot choose the site. */
const ADDRESS_BEFORE_PIPES = /^(?:https?:\/\/[^/?#{}]+(?:[/?#]|$)|mailto:[^?{}]+(?:\?|$))/i;

/** A run of `*` or `_` that may begin emphasis, or a `[` that may begin a link. Until it does, it is text in the output. */
interface Mark {
  /** Empty for a `[` that cannot begin a link any more. */
  character: string;
  /** How many characters of the run are not used yet. */
  length: number;
  /** Index of its place in the output. */
  place: number;
}

/**
 * Parses emphasis (`*text*`, `_text_`), strong emphasis (`**text**`) and links (`[text](https://…)`). As in CommonMark, a mark beside a
 * space has no effect; unlike there, a single `*` within a word has none either ("Kund*innen", "2*3*4"). Takes linear time.
 * `isOwnAddress` allows further addresses of links.
 */
export function parseInline(text: string, isOwnAddress: IsOwnAddress = () => false): MarkdownNode[] {
  return new InlineParser(text, isOwnAddress).parse();
}

/** Allows addresses besides http, https and mailto. */
export type IsOwnAddress = (address: string) => boolean;

class InlineParser {
  private readonly output: MarkdownNode[] = [];
  private readonly open: Mark[] = [];
  private position = 0;

  constructor(
    private readonly text: string,
    private readonly isOwnAddress: IsOwnAddress,
  ) {}

  parse(): MarkdownNode[] {
    const { text } = this;
    let start = 0;
    const flush = () => {
      if (start < this.position) this.output.push(text.slice(start, this.position));
    };
    while (this.position < text.length) {
      const character = text[this.position] ?? '';
      const atomEnd = pipeEndAt(text, this.position) ?? bareAddressEndAt(text, this.position);
      if (atomEnd !== null) this.position = atomEnd;
      else if (character === '\\' && ESCAPABLE.has(text[this.position + 1] ?? '')) {
        flush();
        start = this.position + 1;
        this.position += 2;
      } else if ('*_[]'.includes(character)) {
        flush();
        this.readMark(character);
        start = this.position;
      } else this.position++;
    }
    flush();
    return joinTexts(this.output);
  }

  private readMark(character: string): void {
    if (character === '[') {
      this.addMark(character, 1);
      this.position++;
    } else if (character === ']') this.readLinkEnd();
    else this.readRun(character);
  }

  private addMark(character: string, length: number): void {
    if (this.open.length < MAX_OPEN_MARKS) this.open.push({ character, length, place: this.output.length });
    this.output.push(character.repeat(length));
  }

  private readRun(character: string): void {
    const { text, position } = this;
    let end = position;
    while (text[end] === character) end++;
    this.position = end;
    const length = end - position;
    const { canOpen, canClose } = flanking(text, position, end);
    let rest = length;
    if (length <= MAX_RUN && canClose) rest = this.close(character, length);
    if (rest === 0) return;
    if (length <= MAX_RUN && canOpen) this.addMark(character, rest);
    else this.output.push(character.repeat(rest));
  }

  /** Closes emphasis as far as there are marks that opened it; returns how many characters of the run are left. */
  private close(character: string, length: number): number {
    let rest = length;
    while (rest > 0) {
      const index = this.findOpen(character);
      const mark = this.open[index];
      if (mark === undefined) return rest;
      this.open.length = index + 1;
      const used = rest >= 2 && mark.length >= 2 ? 2 : 1;
      rest -= used;
      mark.length -= used;
      this.wrap(mark.place + 1, { tag: used === 2 ? 'strong' : 'em' });
      this.output[mark.place] = character.repeat(mark.length);
      if (mark.length === 0) this.open.pop();
    }
    return 0;
  }

  /** Emphasis does not begin before a link and end in it. */
  private findOpen(character: string): number {
    const index = this.open.findLastIndex((mark) => mark.character === character || mark.character === '[');
    return this.open[index]?.character === character ? index : -1;
  }

  private readLinkEnd(): void {
    const index = this.open.findLastIndex((mark) => mark.character === '[');
    const bracket = this.open[index];
    const address = addressAt(this.text, this.position + 1, this.isOwnAddress);
    this.position++;
    if (bracket === undefined) this.output.push(']');
    else if (address === null || bracket.place === this.output.length - 1) {
      this.open.splice(index, 1);
      this.output.push(']');
    } else this.addLink(bracket, address);
  }

  private addLink(bracket: Mark, address: { href: string; end: number }): void {
    this.open.length = this.open.indexOf(bracket);
    this.position = address.end;
    this.wrap(bracket.place + 1, { tag: 'a', href: address.href });
    this.output[bracket.place] = '';
    // A link cannot contain another one.
    for (const mark of this.open) if (mark.character === '[') mark.character = '';
  }

  /** Replaces the output from a place on by an element that contains it. */
  private wrap(place: number, element: Omit<MarkdownElement, 'children'>): void {
    this.output.push({ ...element, children: joinTexts(this.output.splice(place)) });
  }
}

/** Returns where the pipe that begins here ends; null if none does. */
function pipeEndAt(text: string, position: number): number | null {
  if (!text.startsWith('{{', position)) return null;
  const end = text.slice(position, position + MAX_PIPE_LENGTH).indexOf('}}');
  return end === -1 ? null : position + end + 2;
}

function bareAddressEndAt(text: string, position: number): number | null {
  if (text[position] !== 'h' && text[position] !== 'H') return null;
  BARE_ADDRESS.lastIndex = position;
  return BARE_ADDRESS.test(text) ? BARE_ADDRESS.lastIndex : null;
}

/** Decides from the characters around a run of marks whether it can open and close emphasis. A pipe counts as a word. */
function flanking(text: string, start: number, end: number): { canOpen: boolean; canClose: boolean } {
  const before = text.endsWith('}}', start) && start > 1 ? 'x' : characterBefore(text, start);
  const after = text.startsWith('{{', end) ? 'x' : String.fromCodePoint(text.codePointAt(end) ?? 0x20);
  const [wordBefore, wordAfter] = [WORD.test(before), WORD.test(after)];
  const [spaceBefore, spaceAfter] = [SPACE.test(before), SPACE.test(after)];
  const isLeft = !spaceAfter && (wordAfter || !wordBefore) && !CLOSING.test(after);
  const isRight = !spaceBefore && (wordBefore || !wordAfter);
  const isWithinWord = wordBefore && wordAfter && !text.startsWith('**', start);
  return { canOpen: isLeft && !isWithinWord, canClose: isRight && !isWithinWord };
}

function characterBefore(text: string, position: number): string {
  const isLowSurrogate = /[\uDC00-\uDFFF]/.test(text[position - 1] ?? '');
  return text.slice(Math.max(0, position - (isLowSurrogate ? 2 : 1)), position) || ' ';
}

/** Reads `(address)` at a position. An address has no spaces and brackets outside pipes, and parentheses only in pairs. */
function addressAt(
  text: string,
  position: number,
  isOwnAddress: IsOwnAddress,
): { href: string; end: number } | null {
  if (text[position] !== '(') return null;
  let depth = 0;
  for (let end = position; end < text.length; end++) {
    const character = text[end] ?? '';
    end = (pipeEndAt(text, end) ?? end + 1) - 1;
    if (character === '(') depth++;
    else if (character === ')' && --depth === 0) {
      const href = text.slice(position + 1, end);
      return isLinkAddress(href) || isOwnAddress(href) ? { href, end: end + 1 } : null;
    } else if ('[]'.includes(character) || SPACE.test(character)) return null;
  }
  return null;
}

function isLinkAddress(address: string): boolean {
  const filled = address.replace(/\{\{[^{}]*\}\}/g, 'x');
  return ADDRESS_BEFORE_PIPES.test(address) && (isHttpUrl(filled) || /^mailto:/i.test(filled));
}
