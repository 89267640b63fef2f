import { trimCharactersEnd } from '../../lib/trim-characters.ts';

/** The id of a server-sent event: `<message_id>-<n>`. */
interface EventId {
  messageId: number;
  /** From 1; 0 is before the first. */
  number: number;
}

export const formatEventId = ({ messageId, number }: EventId): string => `${messageId}-${number}`;

/** Returns null if the text is not a valid event id. */
export function parseEventId(text: string): EventId | null {
  const parts = /^([1-9]\d{0,14})-(\d{1,6})$/.exec(text);
  return parts === null ? null : { messageId: Number(parts[1]), number: Number(parts[2]) };
}

const CHUNK_CHARACTERS = 40;

/** Splits a text into chunks of a few words. The chunks joined give the text. */
export function* splitIntoChunks(text: string, maxCharacters = CHUNK_CHARACTERS): Generator<string> {
  let chunk = '';
  for (const word of text.split(/(?<=\S)(?=\s)/u)) {
    if (chunk !== '' && chunk.length + word.length > maxCharacters) {
      yield chunk;
      chunk = '';
    }
    chunk += word;
  }
  if (chunk !== '') yield chunk;
}

/** Sanitizes streamed model output for storage: removes NUL and lone surrogates, and limits the total length. */
export class TextSanitizer {
  private readonly maxCharacters: number;
  private length = 0;
  private pendingSurrogate = '';

  constructor(most: number) {
    this.maxCharacters = most;
  }

  get isFull(): boolean {
    return this.length >= this.maxCharacters;
  }

  /** Returns the text that is complete so far. */
  push(text: string): string {
    const buffered = (this.pendingSurrogate + text).replaceAll('\0', '');
    const last = buffered.charCodeAt(buffered.length - 1);
    // The second half of the surrogate pair arrives in the next chunk.
    const cut = last >= 0xd800 && last <= 0xdbff ? buffered.length - 1 : buffered.length;
    this.pendingSurrogate = buffered.slice(cut);
    const output = buffered.slice(0, Math.min(cut, this.maxCharacters - this.length)).toWellFormed();
    this.length += output.length;
    return output;
  }
}

/** The maximum length of a tag, link text or URL; longer ones are plain text. */
const MAX_CONSTRUCT_CHARACTERS = 1_000;
const REMOVED_LINK = '(link removed)';
const TAG_START = /[A-Za-z/!?]/;
/** Two characters that form markup together. */
const JOINS = /^(?:<[A-Za-z/!?]|!\[|\]\(|\]\[)$/;
const SPACE = /\s/;
/** A word ends before these. */
const WORD = /[^\s<[\]!]+/y;
const URL_PATTERN = /(?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:)?\/\/[^\s/]\S*|\bwww\.\S+/gi;
const URL_TRAILING_PUNCTUATION = /[)\]}.,;:!?"'”’»]/;

/**
 * Removes HTML tags, images and URLs from streamed model output and keeps link texts, so that an answer cannot run code or load content
 * from other hosts. Holds back text that may become markup.
 */
export class MarkupRemover {
  private pending = '';
  /** The last emitted character; later text never forms markup with it. */
  private last: string;
  private isAfterRemoval = false;

  /** `before`: the part of the answer already sent. */
  constructor(before = '') {
    this.last = before.at(-1) ?? '';
  }

  /** Returns the text that is complete so far. */
  push(text: string): string {
    return this.process(text, false);
  }

  /** Returns the remaining text. */
  end(): string {
    return this.process('', true);
  }

  private process(text: string, isEnd: boolean): string {
    const buffer = this.pending + text;
    let output = '';
    let at = 0;
    while (at < buffer.length) {
      const found = parseConstruct(buffer, at, isEnd);
      if (found === null) break;
      at = found.end;
      output += found.kind === 'text' ? this.emit(found.text) : this.emitReplacement(found.text);
    }
    this.pending = buffer.slice(at);
    return output;
  }

  /** Prevents text on both sides of removed markup from forming new markup. */
  private emit(text: string): string {
    if (text === '') return '';
    const first = text.charAt(0);
    const isApart = SPACE.test(first) || this.last === '' || SPACE.test(this.last);
    const isAfterRemoval = this.isAfterRemoval && !/^[.,;:!?)]+(?:\s|$)/.test(text);
    const output = !isApart && (isAfterRemoval || JOINS.test(this.last + first)) ? ` ${text}` : text;
    this.isAfterRemoval = false;
    this.last = output.charAt(output.length - 1);
    return output;
  }

  private emitReplacement(instead: string): string {
    this.isAfterRemoval ||= instead === '' ? this.last !== '' : /[\w.:/<]$/.test(this.last);
    if (instead === '') return '';
    const output = this.emit(instead);
    this.isAfterRemoval = true;
    return output;
  }
}

interface Construct {
  /** `text`: kept. `removed`: replaced by `text`. */
  kind: 'text' | 'removed';
  text: string;
  end: number;
}

/** Returns null if more text is needed. */
function parseConstruct(buffer: string, at: number, isEnd: boolean): Construct | null {
  const first = buffer.charAt(at);
  const mayGrow = !isEnd && buffer.length - at < MAX_CONSTRUCT_CHARACTERS;
  if (SPACE.test(first)) return { kind: 'text', text: first, end: at + 1 };
  if (first === '<') return parseTag(buffer, at, mayGrow);
  if (first === '!' && at + 1 === buffer.length && mayGrow) return null;
  if (first === '!' && buffer[at + 1] === '[') return parseLink(buffer, at + 1, mayGrow);
  if (first === '[') return parseLink(buffer, at, mayGrow);
  if (first === '!' || first === ']') return { kind: 'text', text: first, end: at + 1 };
  WORD.lastIndex = at;
  const [word = first] = WORD.exec(buffer) ?? [];
  const end = at + word.length;
  if (end === buffer.length && mayGrow) return null;
  return { kind: 'text', text: removeUrls(word), end };
}

const removeUrls = (word: string): string =>
  word.replace(
    URL_PATTERN,
    (address) => REMOVED_LINK + address.slice(trimCharactersEnd(address, URL_TRAILING_PUNCTUATION).length),
  );

function parseTag(buffer: string, at: number, mayGrow: boolean): Construct | null {
  const next = buffer[at + 1];
  if (next === undefined && mayGrow) return null;
  if (next === undefined || !TAG_START.test(next)) return { kind: 'text', text: '<', end: at + 1 };
  const close = buffer.startsWith('<!--', at) ? '-->' : '>';
  const found = buffer.slice(0, at + MAX_CONSTRUCT_CHARACTERS).indexOf(close, at + 1);
  if (found >= 0) return { kind: 'removed', text: '', end: found + close.length };
  // An unclosed tag: removes only its opening character.
  return mayGrow ? null : { kind: 'removed', text: '', end: at + 1 };
}

/** Parses a Markdown link or image, `[text](address)` or `[text][reference]`, from its bracket; its text is kept. */
function parseLink(buffer: string, at: number, mayGrow: boolean): Construct | null {
  const textEnd = findClosingBracket(buffer, at);
  if (textEnd === null) return mayGrow ? null : { kind: 'text', text: '[', end: at + 1 };
  const next = buffer[textEnd + 1];
  if (next === undefined && mayGrow) return null;
  const isImage = buffer[at - 1] === '!';
  const plain = new MarkupRemover();
  const inner = buffer.slice(at + 1, textEnd);
  const text = plain.push(inner) + plain.end();
  if (next !== '(' && next !== '[') {
    const kept = isImage ? text : `[${text}]`;
    return { kind: isImage ? 'removed' : 'text', text: kept, end: textEnd + 1 };
  }
  const targetEnd = findClosingBracket(buffer, textEnd + 1);
  if (targetEnd === null && mayGrow) return null;
  // An unclosed target removes the rest.
  return {
    kind: 'removed',
    text,
    end: targetEnd === null ? Math.min(buffer.length, at + MAX_CONSTRUCT_CHARACTERS) : targetEnd + 1,
  };
}

/** Returns the index of the bracket that closes the one at `at`; null if it is not within the limit. */
function findClosingBracket(buffer: string, at: number): number | null {
  const open = buffer.charAt(at);
  const close = open === '(' ? ')' : ']';
  let depth = 0;
  const end = Math.min(buffer.length, at + MAX_CONSTRUCT_CHARACTERS);
  for (let index = at; index < end; index += 1) {
    if (buffer[index] === open) depth += 1;
    else if (buffer[index] === close) {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return null;
}
