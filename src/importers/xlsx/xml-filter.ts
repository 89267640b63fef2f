import { tooLarge } from '../../lib/errors.ts';
import { unreadableFile } from '../byte-file.ts';
import { formatMegabytes, MAX_CELL_BYTES, MAX_TAG_BYTES } from './workbook-limits.ts';

export interface XmlLimits {
  /** How the error names the part: `its shared strings`. */
  part: string;
  maxTags: number;
  /** Elements around the needed text, outermost first. */
  containers: readonly string[];
  /** The innermost elements, whose text is needed. All other text is dropped. */
  textElements: ReadonlySet<string>;
}

/** Phonetic hints of Japanese texts, which exceljs would include in the text. */
const PHONETIC = 'rPh';
/** Delimiters of markup that is not a tag, the longest first. */
const SECTIONS = [
  { start: '<![CDATA[', end: ']]>' },
  { start: '<!--', end: '-->' },
  { start: '<?', end: '?>' },
] as const;
const CDATA = SECTIONS[0];

/**
 * Splits an XML part into chunks of complete tags and checks their size before the parser gets them: exceljs holds each text and tag, and
 * all elements of shared strings and styles, in memory without a limit. Drops comments and converts CDATA to text. Throws 413 with the
 * exceeded limit.
 */
export async function* filterXml(chunks: AsyncIterable<Buffer>, xml: XmlLimits): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  const filter = new XmlFilter(xml);
  for await (const chunk of chunks) {
    const text = filter.add(decoder.decode(chunk, { stream: true }));
    if (text !== '') yield text;
  }
  filter.end();
}

class XmlFilter {
  /** A tag or section that has not ended yet. */
  private rest = '';
  private tags = 0;
  /** How many of the containers are open. */
  private level = 0;
  private isPhonetic = false;
  private isTextNeeded = false;
  private textCharacters = 0;

  constructor(private readonly xml: XmlLimits) {}

  add(chunk: string): string {
    const input = this.rest + chunk;
    let output = '';
    /** From here to `position` is passed on. */
    let kept = 0;
    let position = 0;
    const leaveOut = (from: number, to: number) => {
      output += input.slice(kept, from);
      kept = to;
    };
    this.rest = '';
    while (position < input.length) {
      const open = input.indexOf('<', position);
      const textEnd = open < 0 ? input.length : open;
      if (textEnd > position) {
        if (this.isTextNeeded) this.count(textEnd - position);
        else leaveOut(position, textEnd);
      }
      if (open < 0) break;
      const section = sectionAt(input, open);
      if (section === null) {
        leaveOut(open, input.length);
        this.rest = input.slice(open);
        break;
      }
      const end =
        section === undefined
          ? input.indexOf('>', open)
          : input.indexOf(section.end, open + section.start.length);
      if (end < 0) {
        leaveOut(open, input.length);
        this.keepIncomplete(input.slice(open), section === CDATA ? MAX_CELL_BYTES : MAX_TAG_BYTES);
        break;
      }
      if (section === undefined) {
        position = end + 1;
        if (!this.isTagNeeded(input, open, end)) leaveOut(open, position);
      } else {
        position = end + section.end.length;
        leaveOut(open, position);
        if (section === CDATA && this.isTextNeeded) {
          const text = input.slice(open + section.start.length, end);
          this.count(text.length);
          output += escapeXml(text);
        }
      }
    }
    return output + input.slice(kept);
  }

  end(): void {
    if (this.rest !== '')
      throw unreadableFile('is a damaged .xlsx workbook: one of its parts ends within a tag');
  }

  private keepIncomplete(rest: string, maxCharacters: number): void {
    if (rest.length > maxCharacters)
      throw tooLarge(`file: ${this.xml.part} hold a tag of more than ${maxCharacters} characters`);
    this.rest = rest;
  }

  private count(characters: number): void {
    this.textCharacters += characters;
    if (this.textCharacters > MAX_CELL_BYTES)
      throw tooLarge(`file: ${this.xml.part} hold a text of more than ${formatMegabytes(MAX_CELL_BYTES)}`);
  }

  private isTagNeeded(input: string, open: number, end: number): boolean {
    const { containers, textElements, maxTags, part } = this.xml;
    this.tags += 1;
    if (this.tags > maxTags) throw tooLarge(`file: ${part} hold more than ${maxTags} XML tags`);
    this.isTextNeeded = false;
    this.textCharacters = 0;
    const isEnd = input[open + 1] === '/';
    const name = nameAt(input, isEnd ? open + 2 : open + 1);
    const isEmpty = input[end - 1] === '/';
    if (name === PHONETIC) {
      this.isPhonetic = !isEnd && !isEmpty;
      return false;
    }
    if (this.isPhonetic) return false;
    if (isEnd) {
      const closed = containers.indexOf(name);
      if (closed >= 0) this.level = Math.min(this.level, closed);
    } else if (!isEmpty) {
      if (name === containers[this.level]) this.level += 1;
      this.isTextNeeded = this.level === containers.length && textElements.has(name);
    }
    return true;
  }
}

/** undefined: a tag; null: more input is needed to decide. */
function sectionAt(input: string, open: number): (typeof SECTIONS)[number] | undefined | null {
  const next = input[open + 1];
  if (next !== undefined && next !== '!' && next !== '?') return undefined;
  if (input.length < open + CDATA.start.length) return null;
  const section = SECTIONS.find(({ start }) => input.startsWith(start, open));
  if (section === undefined)
    throw unreadableFile('cannot be read as an .xlsx workbook: it has a document type declaration');
  return section;
}

function nameAt(input: string, start: number): string {
  let end = start;
  for (; ; end += 1) {
    const code = input.charCodeAt(end);
    if (code <= 0x20 || code === 0x2f || code === 0x3e) return input.slice(start, end);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);
