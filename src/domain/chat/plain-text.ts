/** The longest tag, link text or address that is looked for; a longer one is text. */
const LONGEST_CONSTRUCT = 1_000;
const REMOVED_LINK = '(link removed)';
const TAG_START = /[A-Za-z/!?]/;
/** Two characters that begin or continue a construct together. */
const JOINS = /^(?:<[A-Za-z/!?]|!\[|\]\(|\]\[)$/;
const SPACE = /\s/;
/** A word ends before these. */
const WORD = /[^\s<[\]!]+/y;
const ADDRESS = /(?:[a-z][a-z0-9+.-]*:)?\/\/[^\s/]\S*|\bwww\.\S+/gi;
const AFTER_ADDRESS = /[)\]}.,;:!?"'”’»]+$/;

/**
 * Plain text of what a model says, as it streams in: without HTML tags, images and addresses, and with the text of links alone. So an
 * answer can neither run something nor load something from another host where it is shown, also as HTML or Markdown. What could still
 * become one of these is held back until more text comes.
 */
export class PlainText {
  private held = '';
  /** The last character given out; what follows never forms a construct with it. */
  private last: string;
  private isAfterRemoval = false;

  /** `before`: what was said of the answer already. */
  constructor(before = '') {
    this.last = before.at(-1) ?? '';
  }

  /** The text that is certain by now. */
  next(text: string): string {
    return this.take(text, false);
  }

  /** The rest. */
  end(): string {
    return this.take('', true);
  }

  private take(text: string, isEnd: boolean): string {
    const whole = this.held + text;
    let said = '';
    let at = 0;
    while (at < whole.length) {
      const found = constructAt(whole, at, isEnd);
      if (found === null) break;
      at = found.end;
      said += found.kind === 'text' ? this.joined(found.text) : this.removed(found.text);
    }
    this.held = whole.slice(at);
    return said;
  }

  /** What stood on both sides of something that was removed never joins to a new construct. */
  private joined(text: string): string {
    if (text === '') return '';
    const isApart = SPACE.test(text[0]!) || this.last === '' || SPACE.test(this.last);
    const isAfterRemoval = this.isAfterRemoval && !/^[.,;:!?)]+(?:\s|$)/.test(text);
    const given = !isApart && (isAfterRemoval || JOINS.test(this.last + text[0]!)) ? ` ${text}` : text;
    this.isAfterRemoval = false;
    this.last = given.at(-1)!;
    return given;
  }

  private removed(instead: string): string {
    this.isAfterRemoval ||= instead === '' ? this.last !== '' : /[\w.:/<]$/.test(this.last);
    if (instead === '') return '';
    const given = this.joined(instead);
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

/** null: more text is needed to tell what begins here. */
function constructAt(whole: string, at: number, isEnd: boolean): Construct | null {
  const first = whole[at]!;
  const mayGrow = !isEnd && whole.length - at < LONGEST_CONSTRUCT;
  if (SPACE.test(first)) return { kind: 'text', text: first, end: at + 1 };
  if (first === '<') return tagAt(whole, at, mayGrow);
  if (first === '!' && at + 1 === whole.length && mayGrow) return null;
  if (first === '!' && whole[at + 1] === '[') return linkAt(whole, at + 1, mayGrow);
  if (first === '[') return linkAt(whole, at, mayGrow);
  if (first === '!' || first === ']') return { kind: 'text', text: first, end: at + 1 };
  WORD.lastIndex = at;
  const [word] = WORD.exec(whole)!;
  const end = at + word.length;
  if (end === whole.length && mayGrow) return null;
  return { kind: 'text', text: withoutAddresses(word), end };
}

const withoutAddresses = (word: string): string =>
  word.replace(ADDRESS, (address) => REMOVED_LINK + (AFTER_ADDRESS.exec(address)?.[0] ?? ''));

function tagAt(whole: string, at: number, mayGrow: boolean): Construct | null {
  const next = whole[at + 1];
  if (next === undefined && mayGrow) return null;
  if (next === undefined || !TAG_START.test(next)) return { kind: 'text', text: '<', end: at + 1 };
  const close = whole.startsWith('<!--', at) ? '-->' : '>';
  const found = whole.slice(0, at + LONGEST_CONSTRUCT).indexOf(close, at + 1);
  if (found >= 0) return { kind: 'removed', text: '', end: found + close.length };
  // It never ends: what follows is text, without the sign that opens it.
  return mayGrow ? null : { kind: 'removed', text: '', end: at + 1 };
}

/** A link or an image of Markdown, `[text](address)` or `[text][reference]`, from its bracket on: its text stays. */
function linkAt(whole: string, at: number, mayGrow: boolean): Construct | null {
  const textEnd = closing(whole, at, '[', ']');
  if (textEnd === null) return mayGrow ? null : { kind: 'text', text: '[', end: at + 1 };
  const next = whole[textEnd + 1];
  if (next === undefined && mayGrow) return null;
  const isImage = whole[at - 1] === '!';
  const plain = new PlainText();
  const inner = whole.slice(at + 1, textEnd);
  const text = plain.next(inner) + plain.end();
  if (next !== '(' && next !== '[') {
    const kept = isImage ? text : `[${text}]`;
    return { kind: isImage ? 'removed' : 'text', text: kept, end: textEnd + 1 };
  }
  const targetEnd = closing(whole, textEnd + 1, next, next === '(' ? ')' : ']');
  if (targetEnd === null && mayGrow) return null;
  // A target that never ends takes the rest with it.
  return {
    kind: 'removed',
    text,
    end: targetEnd === null ? Math.min(whole.length, at + LONGEST_CONSTRUCT) : targetEnd + 1,
  };
}

/** Where the bracket at a place is closed; null: nowhere near. */
function closing(whole: string, at: number, open: string, close: string): number | null {
  let depth = 0;
  const end = Math.min(whole.length, at + LONGEST_CONSTRUCT);
  for (let index = at; index < end; index += 1) {
    if (whole[index] === open) depth += 1;
    else if (whole[index] === close) {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return null;
}
