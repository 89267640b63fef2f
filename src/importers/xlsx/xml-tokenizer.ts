import { tooLarge } from '../../lib/errors.ts';
import { unreadableFile } from '../byte-file.ts';
import { formatMegabytes, MAX_CELL_BYTES, MAX_TAG_BYTES } from './workbook-limits.ts';

export interface XmlLimits {
  /** How the error names the part: `its shared strings`. */
  part: string;
  maxTags: number;
}

/** Receives the elements of a part. Names have no namespace prefix; `depth` of the root is 1. */
export interface XmlHandler {
  /** Whether the text at this place is needed; other text is skipped. */
  readonly isTextNeeded: boolean;
  openElement(name: string, depth: number, tag: XmlTag): void;
  /** Part of the text of an element: comments and CDATA split it. */
  addText(text: string): void;
  closeElement(name: string, depth: number): void;
}

/** A start tag, valid until the next one is read. */
export interface XmlTag {
  /** Calls back with each attribute: its qualified name and its value. */
  readAttributes(add: (name: string, value: string) => void): void;
}

/** Deeper than any part of a workbook. */
const MAX_DEPTH = 100;
const CDATA = '<![CDATA[';
/** Markup that is not a tag. */
const SECTIONS = [
  { start: CDATA, end: ']]>' },
  { start: '<!--', end: '-->' },
  { start: '<?', end: '?>' },
] as const;

const TAB = 0x09;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const COLON = 0x3a;
const EQUALS = 0x3d;
const GREATER = 0x3e;

/**
 * Reads an XML part and calls the handler with its elements, before the next chunk is read: `onChunk` is awaited after each. Checks that
 * tags match. Throws 400 where the part is not well-formed and 413 with the exceeded limit.
 */
export async function readXml(
  chunks: AsyncIterable<Buffer>,
  limits: XmlLimits,
  handler: XmlHandler,
  onChunk?: () => Promise<void>,
): Promise<void> {
  const tokenizer = new XmlTokenizer(limits, handler);
  let decoder: TextDecoder | null = null;
  for await (const chunk of chunks) {
    decoder ??= decoderFor(chunk);
    tokenizer.add(decode(decoder, chunk));
    await onChunk?.();
  }
  tokenizer.end();
}

function decode(decoder: TextDecoder, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw notWellFormed(`bytes that are not ${decoder.encoding}`);
  }
}

const ENCODING = /^<\?xml[^>]{0,100}?encoding\s{0,9}=\s{0,9}["']([A-Za-z0-9._-]{1,40})["']/;

/** Parts are UTF-8 or UTF-16; some programs declare others. */
function decoderFor(head: Buffer): TextDecoder {
  const declared = ENCODING.exec(head.subarray(0, 200).toString('latin1'))?.[1]?.toLowerCase();
  const [first, second] = head;
  let encoding = 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) encoding = 'utf-16le';
  else if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) encoding = 'utf-16be';
  else if (declared !== undefined && !declared.startsWith('utf-16')) encoding = declared;
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw notWellFormed(`the unknown encoding ${encoding}`);
  }
}

const notWellFormed = (what: string) => unreadableFile(`is a damaged .xlsx workbook: it has ${what}`);

class XmlTokenizer implements XmlTag {
  private input = '';
  private tags = 0;
  private textCharacters = 0;
  /** Qualified names of the open elements. */
  private readonly open: string[] = [];
  private hasRoot = false;
  /** The attributes of the current tag, in `input`. */
  private attributesStart = 0;
  private attributesEnd = 0;

  constructor(
    private readonly limits: XmlLimits,
    private readonly handler: XmlHandler,
  ) {}

  add(chunk: string): void {
    const { handler } = this;
    const input = this.input === '' ? chunk : this.input + chunk;
    this.input = input;
    let position = 0;
    while (position < input.length) {
      const open = input.indexOf('<', position);
      if (open < 0) break;
      if (open > position && handler.isTextNeeded) this.addText(input.slice(position, open));
      position = open;
      const next = input.charCodeAt(open + 1);
      let end: number;
      if (next === 0x21 || next === 0x3f) end = this.readSection(input, open);
      else {
        end = tagEnd(input, open + 1);
        if (end >= 0) this.readTag(input, open, end);
        end += 1;
      }
      if (end <= 0) break;
      position = end;
    }
    this.keepRest(input, position);
  }

  end(): void {
    if (this.input.startsWith('<'))
      throw unreadableFile('is a damaged .xlsx workbook: one of its parts ends within a tag');
    if (this.open.length > 0 || !this.hasRoot) throw notWellFormed('a part that is cut off');
  }

  readAttributes(add: (name: string, value: string) => void): void {
    const { input, attributesEnd: end } = this;
    let position = this.attributesStart;
    for (;;) {
      while (position < end && input.charCodeAt(position) <= SPACE) position += 1;
      if (position >= end) return;
      const nameStart = position;
      while (position < end && input.charCodeAt(position) > SPACE && input.charCodeAt(position) !== EQUALS)
        position += 1;
      const name = input.slice(nameStart, position);
      while (position < end && input.charCodeAt(position) <= SPACE) position += 1;
      if (position >= end || input.charCodeAt(position) !== EQUALS)
        throw notWellFormed(`the attribute ${name.slice(0, 40)} without a value`);
      position += 1;
      while (position < end && input.charCodeAt(position) <= SPACE) position += 1;
      const quote = input.charCodeAt(position);
      const close =
        quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE
          ? input.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", position + 1)
          : -1;
      if (close < 0 || close >= end) throw notWellFormed(`the attribute ${name.slice(0, 40)} without quotes`);
      const value = input.slice(position + 1, close);
      add(name, value.includes('&') ? decodeReferences(value) : value);
      position = close + 1;
    }
  }

  /** Keeps a tag, section or needed text that has not ended yet. */
  private keepRest(input: string, position: number): void {
    const isMarkup = input.charCodeAt(position) === 0x3c;
    if (!isMarkup && !this.handler.isTextNeeded) {
      this.input = '';
      return;
    }
    const length = input.length - position;
    if (!isMarkup || (this.handler.isTextNeeded && input.startsWith(CDATA, position))) this.checkText(length);
    else if (length > MAX_TAG_BYTES)
      throw tooLarge(`file: ${this.limits.part} hold a tag of more than ${MAX_TAG_BYTES} characters`);
    this.input = input.slice(position);
  }

  /** Returns the position behind the section, or 0 where more input is needed. */
  private readSection(input: string, open: number): number {
    const section = SECTIONS.find(({ start }) => input.startsWith(start, open));
    if (section === undefined) {
      if (input.length < open + CDATA.length) return 0;
      throw unreadableFile('cannot be read as an .xlsx workbook: it has a document type declaration');
    }
    const textStart = open + section.start.length;
    const end = input.indexOf(section.end, textStart);
    if (end < 0) return 0;
    if (section.start === CDATA && this.handler.isTextNeeded) {
      this.checkText(end - textStart);
      this.handler.addText(normalizeLineEnds(input.slice(textStart, end)));
    }
    return end + section.end.length;
  }

  private readTag(input: string, open: number, end: number): void {
    this.tags += 1;
    if (this.tags > this.limits.maxTags)
      throw tooLarge(`file: ${this.limits.part} hold more than ${this.limits.maxTags} XML tags`);
    this.textCharacters = 0;
    const isEnd = input.charCodeAt(open + 1) === SLASH;
    const nameStart = isEnd ? open + 2 : open + 1;
    let localStart = nameStart;
    let nameEnd = nameStart;
    for (; nameEnd < end; nameEnd += 1) {
      const code = input.charCodeAt(nameEnd);
      if (code <= SPACE || code === SLASH) break;
      if (code === COLON) localStart = nameEnd + 1;
    }
    const qualified = input.slice(nameStart, nameEnd);
    const name = localStart === nameStart ? qualified : input.slice(localStart, nameEnd);
    if (isEnd) {
      if (this.open.at(-1) !== qualified)
        throw notWellFormed(`the end </${qualified.slice(0, 40)}> of an element that is not open`);
      this.handler.closeElement(name, this.open.length);
      this.open.pop();
      return;
    }
    if (name === '') throw notWellFormed('an element without a name');
    if (this.open.length === 0 && this.hasRoot) throw notWellFormed('a part with two roots');
    this.hasRoot = true;
    const isEmpty = input.charCodeAt(end - 1) === SLASH;
    this.attributesStart = nameEnd;
    this.attributesEnd = isEmpty ? end - 1 : end;
    this.open.push(qualified);
    const depth = this.open.length;
    if (depth > MAX_DEPTH) throw tooLarge(`file: ${this.limits.part} are nested more than ${MAX_DEPTH} deep`);
    this.handler.openElement(name, depth, this);
    if (!isEmpty) return;
    this.handler.closeElement(name, depth);
    this.open.pop();
  }

  private addText(text: string): void {
    this.checkText(text.length);
    const lines = normalizeLineEnds(text);
    this.handler.addText(lines.includes('&') ? decodeReferences(lines) : lines);
    this.textCharacters += text.length;
  }

  private checkText(characters: number): void {
    if (this.textCharacters + characters > MAX_CELL_BYTES)
      throw tooLarge(`file: ${this.limits.part} hold a text of more than ${formatMegabytes(MAX_CELL_BYTES)}`);
  }
}

/** Returns the position of the `>` that ends a tag, which attributes may contain; -1 where it follows in the next chunk. */
function tagEnd(input: string, start: number): number {
  for (let position = start; position < input.length; position += 1) {
    const code = input.charCodeAt(position);
    if (code === GREATER) return position;
    if (code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE) continue;
    position = input.indexOf(code === DOUBLE_QUOTE ? '"' : "'", position + 1);
    if (position < 0) return -1;
  }
  return -1;
}

/** XML parsers read every line end as a line feed; `&#13;` is a carriage return. */
const normalizeLineEnds = (text: string): string =>
  text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Replaces entities and character references once: `&amp;amp;` is the text `&amp;`. */
function decodeReferences(text: string): string {
  return text.replaceAll(/&([^;&]{0,12})(;?)/g, (_, name: string, end: string) => {
    const decoded = end === '' ? undefined : (ENTITIES.get(name) ?? characterOf(name));
    if (decoded === undefined) throw notWellFormed(`the unknown reference &${name}${end}`);
    return decoded;
  });
}

function characterOf(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9A-Fa-f]+)|([0-9]+))$/.exec(name) ?? [];
  const code = hex !== undefined ? Number.parseInt(hex, 16) : decimal === undefined ? NaN : Number(decimal);
  return code >= TAB && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
