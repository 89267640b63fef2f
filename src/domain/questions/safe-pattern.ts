import { RE2JS, RE2JSException } from 're2js';
import { sizeAtMost } from '../../lib/error-messages.ts';

/** A regular expression written by a survey author. It must match the whole text, as in the HTML pattern attribute, and has the u flag. */
interface SafePattern {
  matches(text: string): boolean;
  /** Generates a matching text; `random` returns numbers in [0, 1). Returns null if the random choices gave no match. */
  example(random: () => number): string | null;
}
export type CompiledPattern = { ok: true; pattern: SafePattern } | { ok: false; message: string };

const MAX_PATTERN_LENGTH = 200;
const MAX_STEPS = 300;
const MAX_DEPTH = 50;

type Node =
  /** One character: `a`, `\p{L}` or `[a-z]`. */
  | { kind: 'character'; element: string }
  | { kind: 'edge'; edge: '^' | '$' }
  | { kind: 'sequence'; parts: Node[] }
  | { kind: 'choice'; branches: Node[] }
  | { kind: 'repeat'; part: Node; min: number; max: number };

class PatternError extends Error {}

const SET_ESCAPE = /^\\(?:[dDsSwW]|[pP]\{[^}]*\})/;
const ESCAPE = /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|.)/su;

/** Parses an expression that the JavaScript engine accepts. */
class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly source: string) {}

  parse(): Node {
    const node = this.choice();
    if (this.at < this.source.length)
      throw new PatternError(`has an unexpected ")" at character ${this.at + 1}`);
    return node;
  }

  private choice(): Node {
    if (++this.depth > MAX_DEPTH) throw new PatternError(`must have at most ${MAX_DEPTH} levels of groups`);
    const first = this.sequence();
    const branches = [first];
    while (this.source[this.at] === '|') {
      this.at++;
      branches.push(this.sequence());
    }
    this.depth--;
    return branches.length === 1 ? first : { kind: 'choice', branches };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source.charAt(this.at)))
      parts.push(this.repeated());
    return { kind: 'sequence', parts };
  }

  private repeated(): Node {
    const part = this.element();
    const [quantifier, sign, low, comma, high] =
      /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/.exec(this.source.slice(this.at)) ?? [];
    if (quantifier === undefined) return part;
    this.at += quantifier.length;
    if (sign !== undefined)
      return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    const min = Number(low);
    return { kind: 'repeat', part, min, max: comma === undefined ? min : high ? Number(high) : Infinity };
  }

  private element(): Node {
    const rest = this.source.slice(this.at);
    const [character = ''] = rest;
    if (character === '(') return this.group(rest);
    if (character === '^' || character === '$') {
      this.at++;
      return { kind: 'edge', edge: character };
    }
    const element =
      character === '['
        ? /^\[(?:\\[^]|[^\]\\])*\]/u.exec(rest)?.[0]
        : character === '\\'
          ? readEscape(rest)
          : character;
    if (element === undefined) throw new PatternError(`has an unexpected "[" at character ${this.at + 1}`);
    this.at += element.length;
    return { kind: 'character', element };
  }

  private group(rest: string): Node {
    const opening = /^\((?:\?:|\?<(?![=!])[^>]*>)?/.exec(rest)?.[0] ?? '(';
    if (opening === '(' && rest[1] === '?')
      throw new PatternError('must not use look-ahead, look-behind or flags in a group');
    this.at += opening.length;
    const node = this.choice();
    this.at++;
    return node;
  }
}

function readEscape(rest: string): string | undefined {
  if (/^\\(?:[1-9]|k)/.test(rest)) throw new PatternError('must not use back-references such as \\1');
  if (/^\\b/i.test(rest)) throw new PatternError('must not use \\b or \\B');
  return ESCAPE.exec(rest)?.[0];
}

/** Counts the characters and branches of the expression with its repetitions written out. */
function countSteps(node: Node): number {
  switch (node.kind) {
    case 'character':
    case 'edge':
      return 1;
    case 'sequence':
      return node.parts.reduce((total, part) => total + countSteps(part), 0);
    case 'choice':
      return node.branches.reduce((total, branch) => total + countSteps(branch) + 1, 1);
    case 'repeat': {
      const { min, max } = node;
      const steps = countSteps(node.part);
      return max === Infinity ? min * steps + steps + 2 : min * steps + (max - min) * (steps + 1);
    }
  }
}

const codePoint = (code: number): string => `\\x{${code.toString(16).toUpperCase()}}`;

const LAST_CODE_POINT = 0x10_ff_ff;

/** Ranges of the common sets, for RE2, whose \s differs from that of JavaScript. Others are added when they are first used. */
const setRanges = new Map([
  ['\\d', '0-9'],
  ['\\w', '0-9A-Z_a-z'],
  [
    '\\s',
    '\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}',
  ],
]);

/** Returns the characters of a set such as `\p{Script=Greek}` according to the JavaScript engine, as the inside of a class of RE2. */
function rangesOf(escape: string): string {
  const known = setRanges.get(escape);
  if (known !== undefined) return known;
  const native = new RegExp(`^${escape}$`, 'u');
  const ranges: string[] = [];
  let start = -1;
  for (let code = 0; code <= LAST_CODE_POINT + 1; code++) {
    const isMember = code <= LAST_CODE_POINT && native.test(String.fromCodePoint(code));
    if (isMember && start < 0) start = code;
    if (isMember || start < 0) continue;
    ranges.push(`${codePoint(start)}-${codePoint(code - 1)}`);
    start = -1;
  }
  const joined = ranges.join('');
  setRanges.set(escape, joined);
  return joined;
}

const CONTROL_ESCAPES = new Map([
  ['0', 0],
  ['b', 8],
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
]);

/** Returns the code of a character or of an escape for one character. */
function readCode(text: string): number {
  const [, hex, pair] = /^\\(?:u\{|u|x)([0-9a-fA-F]+)\}?(?:\\u([0-9a-fA-F]{4}))?$/.exec(text) ?? [];
  if (hex !== undefined && pair !== undefined)
    return String.fromCharCode(parseInt(hex, 16), parseInt(pair, 16)).codePointAt(0) ?? 0;
  if (hex !== undefined) return parseInt(hex, 16);
  if (!text.startsWith('\\')) return text.codePointAt(0) ?? 0;
  const name = text.slice(1);
  if (/^c./.test(name)) return name.charCodeAt(1) % 32;
  return CONTROL_ESCAPES.get(name) ?? name.codePointAt(0) ?? 0;
}

/** Translates `[a-z]`. */
function translateClass(element: string): string {
  const isNegated = element.startsWith('[^');
  const members = element
    .slice(isNegated ? 2 : 1, -1)
    .match(new RegExp(`${ESCAPE.source.slice(1)}|.`, 'gsu'));
  // RE2 has no empty class.
  if (members === null) return isNegated ? '[\\x{0}-\\x{10FFFF}]' : '[^\\x{0}-\\x{10FFFF}]';
  const parts: string[] = [];
  for (let index = 0; index < members.length; index++) {
    const member = members[index] ?? '';
    const end = members[index + 1] === '-' ? members[index + 2] : undefined;
    if (SET_ESCAPE.test(member)) parts.push(rangesOf(member));
    else if (end === undefined) parts.push(codePoint(readCode(member)));
    else {
      parts.push(`${codePoint(readCode(member))}-${codePoint(readCode(end))}`);
      index += 2;
    }
  }
  return `[${isNegated ? '^' : ''}${parts.join('')}]`;
}

function translateElement(element: string): string {
  if (element === '.') return '[^\\n\\r\\x{2028}\\x{2029}]';
  if (element.startsWith('[')) return translateClass(element);
  return SET_ESCAPE.test(element) ? `[${rangesOf(element)}]` : codePoint(readCode(element));
}

/** Writes the expression in the syntax of RE2, with the meaning it has in JavaScript. */
function translate(node: Node): string {
  switch (node.kind) {
    case 'character':
      return translateElement(node.element);
    case 'edge':
      return node.edge;
    case 'sequence':
      return node.parts.map(translate).join('');
    case 'choice':
      return `(?:${node.branches.map(translate).join('|')})`;
    case 'repeat':
      return `(?:${translate(node.part)}){${node.min},${node.max === Infinity ? '' : node.max}}`;
  }
}

const EXAMPLE_CHARACTERS = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:;/@+#%&()[] äéñçЖ中',
];
const MAX_EXAMPLE_LENGTH = 1_000;

/** Chooses each branch with equal probability; null if a character has no example. Edges are checked by matching the result. */
function generateExample(node: Node, random: () => number): string | null {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  switch (node.kind) {
    case 'character': {
      const native = new RegExp(`^${node.element}$`, 'u');
      return pick(EXAMPLE_CHARACTERS.filter((character) => native.test(character))) ?? null;
    }
    case 'edge':
      return '';
    case 'sequence':
      return joinExamples(node.parts, random);
    case 'choice': {
      const branch = pick(node.branches);
      return branch === undefined ? null : generateExample(branch, random);
    }
    case 'repeat': {
      let times = node.min;
      while (times < node.max && times < MAX_EXAMPLE_LENGTH && random() < 0.5) times++;
      return joinExamples(Array<Node>(times).fill(node.part), random);
    }
  }
}

function joinExamples(parts: readonly Node[], random: () => number): string | null {
  let text = '';
  for (const part of parts) {
    const example = generateExample(part, random);
    if (example === null || text.length + example.length > MAX_EXAMPLE_LENGTH) return null;
    text += example;
  }
  return text;
}

const tooManySteps = `must have at most ${MAX_STEPS} steps, repetitions included`;

function compileNode(node: Node): SafePattern {
  if (countSteps(node) > MAX_STEPS) throw new PatternError(tooManySteps);
  const compiled = RE2JS.compile(translate(node));
  const matches = (text: string) => compiled.testExact(text);
  return {
    matches,
    example(random) {
      const text = generateExample(node, random);
      return text !== null && matches(text) ? text : null;
    },
  };
}

/**
 * Compiles a pattern, or returns why it is invalid; the message continues "pattern …". The JavaScript engine backtracks: `(a+)+$` on a
 * crafted answer would block the server. RE2 matches in linear time, so constructs that need backtracking (back-references, look-arounds,
 * \b) are rejected. See docs/adr/0035-author-patterns-with-re2.md.
 */
export function compilePattern(source: string): CompiledPattern {
  if (source === '') return { ok: false, message: 'must not be empty' };
  if (source.length > MAX_PATTERN_LENGTH)
    return { ok: false, message: sizeAtMost(MAX_PATTERN_LENGTH, 'character', source.length) };
  try {
    new RegExp(source, 'u');
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : 'syntax error';
    return { ok: false, message: `is not a regular expression: ${reason}` };
  }
  try {
    return { ok: true, pattern: compileNode(new Parser(source).parse()) };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, message: error.message };
    // RE2 limits repetitions, also of nothing.
    if (error instanceof RE2JSException) return { ok: false, message: tooManySteps };
    throw error;
  }
}
