/** The maximum length of a tag, link text or URL; longer ones are plain text. */
const MAX_CONSTRUCT_CHARACTERS = 1_000;
const REMOVED_LINK = '(link removed)';
const TAG_START = /[A-Za-z/!?]/;
/** Two characters that form markup together. */
const JOINS = /^(?:<[A-Za-z/!?]|!\[|\]\(|\]\[)$/;
const SPACE = /\s/;
/** A word ends before these. */
const WORD = /[^\s<[\]!]+/y;
const URL_PATTERN = /(?:[a-z][a-z0-9+.-]*:)?\/\/[^\s/]\S*|\bwww\.\S+/gi;
const URL_TRAILING_PUNCTUATION = /[)\]}.,;:!?"'”’»]+$/;

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

  /** The rest. */
  end(): string {
    return this.process('', true);
  }

  private process(text: string, isEnd: boolean): string {
    const whole = this.pending + text;
    let said = '';
    let at = 0;
    while (at < whole.length) {
      const found = parseConstruct(whole, at, isEnd);
      if (found === null) break;
      at = found.end;
      said += found.kind === 'text' ? this.emit(found.text) : this.emitReplacement(found.text);
    }
    this.pending = whole.slice(at);
    return said;
  }

  /** Prevents text on both sides of removed markup from forming new markup. */
  private emit(text: string): string {
    if (text === '') return '';
    const isApart = SPACE.test(text[0]!) || this.last === '' || SPACE.test(this.last);
    const isAfterRemoval = this.isAfterRemoval && !/^[.,;:!?)]+(?:\s|$)/.test(text);
    const given = !isApart && (isAfterRemoval || JOINS.test(this.last + text[0]!)) ? ` ${text}` : text;
    this.isAfterRemoval = false;
    this.last = given.at(-1)!;
    return given;
  }

  private emitReplacement(instead: string): string {
    this.isAfterRemoval ||= instead === '' ? this.last !== '' : /[\w.:/<]$/.test(this.last);
    if (instead === '') return '';
    const given = this.emit(instead);
    this.isAfterRemoval = true;
    return given;
  }
}

interface Construct {
  /** `text`: kept. `removed`: replaced by `text`. */
  kind: 'text' | 'removed';
  text: string;
  end: number;
}

/** Returns null if more text is needed. */
function parseConstruct(whole: string, at: number, isEnd: boolean): Construct | null {
  const first = whole[at]!;
  const mayGrow = !isEnd && whole.length - at < MAX_CONSTRUCT_CHARACTERS;
  if (SPACE.test(first)) return { kind: 'text', text: first, end: at + 1 };
  if (first === '<') return parseTag(whole, at, mayGrow);
  if (first === '!' && at + 1 === whole.length && mayGrow) return null;
  if (first === '!' && whole[at + 1] === '[') return parseLink(whole, at + 1, mayGrow);
  if (first === '[') return parseLink(whole, at, mayGrow);
  if (first === '!' || first === ']') return { kind: 'text', text: first, end: at + 1 };
  WORD.lastIndex = at;
  const [word] = WORD.exec(whole)!;
  const end = at + word.length;
  if (end === whole.length && mayGrow) return null;
  return { kind: 'text', text: removeUrls(word), end };
}

const removeUrls = (word: string): string =>
  word.replace(URL_PATTERN, (address) => REMOVED_LINK + (URL_TRAILING_PUNCTUATION.exec(address)?.[0] ?? ''));

function parseTag(whole: string, at: number, mayGrow: boolean): Construct | null {
  const next = whole[at + 1];
  if (next === undefined && mayGrow) return null;
  if (next === undefined || !TAG_START.test(next)) return { kind: 'text', text: '<', end: at + 1 };
  const close = whole.startsWith('<!--', at) ? '-->' : '>';
  const found = whole.slice(0, at + MAX_CONSTRUCT_CHARACTERS).indexOf(close, at + 1);
  if (found >= 0) return { kind: 'removed', text: '', end: found + close.length };
  // An unclosed tag: removes only its opening character.
  return mayGrow ? null : { kind: 'removed', text: '', end: at + 1 };
}

/** Parses a Markdown link or image, `[text](address)` or `[text][reference]`, from its bracket; its text is kept. */
function parseLink(whole: string, at: number, mayGrow: boolean): Construct | null {
  const textEnd = findClosingBracket(whole, at, '[', ']');
  if (textEnd === null) return mayGrow ? null : { kind: 'text', text: '[', end: at + 1 };
  const next = whole[textEnd + 1];
  if (next === undefined && mayGrow) return null;
  const isImage = whole[at - 1] === '!';
  const plain = new MarkupRemover();
  const inner = whole.slice(at + 1, textEnd);
  const text = plain.push(inner) + plain.end();
  if (next !== '(' && next !== '[') {
    const kept = isImage ? text : `[${text}]`;
    return { kind: isImage ? 'removed' : 'text', text: kept, end: textEnd + 1 };
  }
  const targetEnd = findClosingBracket(whole, textEnd + 1, next, next === '(' ? ')' : ']');
  if (targetEnd === null && mayGrow) return null;
  // An unclosed target removes the rest.
  return {
    kind: 'removed',
    text,
    end: targetEnd === null ? Math.min(whole.length, at + MAX_CONSTRUCT_CHARACTERS) : targetEnd + 1,
  };
}

/** Returns the index of the matching closing bracket; null if it is not within the limit. */
function findClosingBracket(whole: string, at: number, open: string, close: string): number | null {
  let depth = 0;
  const end = Math.min(whole.length, at + MAX_CONSTRUCT_CHARACTERS);
  for (let index = at; index < end; index += 1) {
    if (whole[index] === open) depth += 1;
    else if (whole[index] === close) {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return null;
}
