import { sizeAtMost } from '../../../lib/error-messages.ts';
/**
 * Regular expressions written by survey authors, matched in linear time.
 *
 * The JavaScript engine backtracks: `(a+)+$` or `\d*\d*\d*x` on a crafted answer would block the server. Therefore an author's pattern is
 * parsed into states, and all states are followed at once (Thompson's construction): time is bounded by states × characters. Constructs
 * that need backtracking (back-references, look-arounds, \b) are rejected when the question is saved. A pattern must match the whole text,
 * as in the HTML pattern attribute, and has the u flag.
 */
interface SafePattern {
  matches(text: string): boolean;
  /** Generates a matching text; `random` returns numbers in [0, 1). Returns null if the random choices gave no match. */
  example(random: () => number): string | null;
}
export type CompiledPattern = { ok: true; pattern: SafePattern } | { ok: false; message: string };

const MAX_PATTERN_LENGTH = 200;
/** Maximum length of a text to match, which limits the time for one answer to a few milliseconds. */
export const MAX_PATTERN_TEXT = 2_000;
const MAX_STATES = 300;
const MAX_DEPTH = 50;

type CharacterTest = (character: string) => boolean;

type Node =
  | { kind: 'character'; test: CharacterTest }
  | { kind: 'edge'; edge: 'start' | 'end' }
  | { kind: 'sequence'; parts: Node[] }
  | { kind: 'choice'; branches: Node[] }
  | { kind: 'repeat'; part: Node; min: number; max: number };

type State =
  | { kind: 'character'; test: CharacterTest }
  | { kind: 'edge'; edge: 'start' | 'end' }
  | { kind: 'split'; to: number[] }
  | { kind: 'match' };

class PatternError extends Error {}

/** Tests one element such as `\p{L}` or `[a-z]` with the native engine, which cannot backtrack on a single character. */
function characterTest(element: string): CharacterTest {
  const native = new RegExp(`^${element}$`, 'u');
  const known: (boolean | undefined)[] = [];
  return (character) => {
    const code = character.charCodeAt(0);
    if (character.length > 1 || code > 127) return native.test(character);
    return (known[code] ??= native.test(character));
  };
}

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
    const branches = [this.sequence()];
    while (this.source[this.at] === '|') {
      this.at++;
      branches.push(this.sequence());
    }
    this.depth--;
    return { kind: 'choice', branches };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at]!)) {
      parts.push(this.repeated());
    }
    return { kind: 'sequence', parts };
  }

  private repeated(): Node {
    const part = this.element();
    const [quantifier, sign, low, comma, high] =
      /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/.exec(this.source.slice(this.at)) ?? [];
    if (quantifier === undefined) return part;
    this.at += quantifier.length;
    if (sign !== undefined) {
      return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    }
    const min = Number(low);
    return { kind: 'repeat', part, min, max: comma === undefined ? min : high ? Number(high) : Infinity };
  }

  private element(): Node {
    const rest = this.source.slice(this.at);
    const character = String.fromCodePoint(rest.codePointAt(0)!);
    if (character === '(') return this.group(rest);
    if (character === '^' || character === '$') {
      this.at++;
      return { kind: 'edge', edge: character === '^' ? 'start' : 'end' };
    }
    const element =
      character === '['
        ? /^\[(?:\\[^]|[^\]\\])*\]/u.exec(rest)![0]
        : character === '\\'
          ? this.escape(rest)
          : character;
    this.at += element.length;
    return { kind: 'character', test: characterTest(element) };
  }

  private escape(rest: string): string {
    if (/^\\(?:[1-9]|k)/.test(rest)) throw new PatternError('must not use back-references such as \\1');
    if (/^\\b/i.test(rest)) throw new PatternError('must not use \\b or \\B');
    return /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|.)/su.exec(rest)![0];
  }

  private group(rest: string): Node {
    const [opening] = /^\((?:\?:|\?<(?![=!])[^>]*>)?/.exec(rest)!;
    if (opening === '(' && rest[1] === '?') {
      throw new PatternError('must not use look-ahead, look-behind or flags in a group');
    }
    this.at += opening.length;
    const node = this.choice();
    this.at++;
    return node;
  }
}

/** Appends the states of a node to `states`; each state leads to the next one unless it is a split. */
function build(node: Node, states: State[]): void {
  const push = (state: State): number => {
    if (states.length >= MAX_STATES) {
      throw new PatternError(`must have at most ${MAX_STATES} steps, repetitions included`);
    }
    return states.push(state) - 1;
  };
  switch (node.kind) {
    case 'character':
    case 'edge':
      push(node);
      return;
    case 'sequence':
      for (const part of node.parts) build(part, states);
      return;
    case 'choice': {
      if (node.branches.length === 1) return build(node.branches[0]!, states);
      const entry: State = { kind: 'split', to: [] };
      const exits: { kind: 'split'; to: number[] }[] = [];
      push(entry);
      for (const branch of node.branches) {
        entry.to.push(states.length);
        build(branch, states);
        const exit: State = { kind: 'split', to: [] };
        push(exit);
        exits.push(exit);
      }
      for (const exit of exits) exit.to.push(states.length);
      return;
    }
    case 'repeat': {
      for (let count = 0; count < node.min; count++) build(node.part, states);
      if (node.max === Infinity) {
        const loop: State = { kind: 'split', to: [] };
        const start = push(loop);
        loop.to.push(start + 1);
        build(node.part, states);
        push({ kind: 'split', to: [start] });
        loop.to.push(states.length);
        return;
      }
      const skips: { kind: 'split'; to: number[] }[] = [];
      for (let count = node.min; count < node.max; count++) {
        const skip: State = { kind: 'split', to: [states.length + 1] };
        push(skip);
        skips.push(skip);
        build(node.part, states);
      }
      for (const skip of skips) skip.to.push(states.length);
    }
  }
}

function matchesAll(states: readonly State[], text: string): boolean {
  const characters = [...text];
  const last = characters.length;
  // A state is in the list of a position if its stamp equals the position, so lists are never cleared.
  const stamps = new Int32Array(states.length).fill(-1);
  let current: number[] = [];
  let next: number[] = [];
  const waiting: number[] = [];
  const followState = (into: number[], first: number, position: number): void => {
    waiting.push(first);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (stamps[at] === position) continue;
      stamps[at] = position;
      const state = states[at]!;
      if (state.kind === 'split') for (const to of state.to) waiting.push(to);
      else if (state.kind !== 'edge') into.push(at);
      else if (position === (state.edge === 'start' ? 0 : last)) waiting.push(at + 1);
    }
  };
  followState(current, 0, 0);
  for (let position = 0; position < last; position++) {
    const character = characters[position]!;
    next.length = 0;
    for (const at of current) {
      const state = states[at]!;
      if (state.kind === 'character' && state.test(character)) followState(next, at + 1, position + 1);
    }
    if (next.length === 0) return false;
    [current, next] = [next, current];
  }
  return current.includes(states.length - 1);
}

const EXAMPLE_CHARACTERS = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:;/@+#%&()[] äéñçЖ中',
];
const MAX_EXAMPLE_STEPS = 1_000;

/** Follows the states, choosing each branch with equal probability. Edges (^ and $) are checked by `matches` afterwards. */
function exampleOf(states: readonly State[], random: () => number): string | null {
  const any = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  let text = '';
  for (let step = 0, at = 0; step < MAX_EXAMPLE_STEPS; step++) {
    const state = states[at]!;
    if (state.kind === 'match') return matchesAll(states, text) ? text : null;
    at = state.kind === 'split' ? any(state.to)! : at + 1;
    if (state.kind !== 'character') continue;
    const character = any(EXAMPLE_CHARACTERS.filter((one) => state.test(one)));
    if (character === undefined) return null;
    text += character;
  }
  return null;
}

/** Compiles a pattern, or returns why it is invalid; the message continues "pattern …". */
export function compilePattern(source: string): CompiledPattern {
  if (source === '') return { ok: false, message: 'must not be empty' };
  if (source.length > MAX_PATTERN_LENGTH) {
    return { ok: false, message: sizeAtMost(MAX_PATTERN_LENGTH, 'character', source.length) };
  }
  try {
    new RegExp(source, 'u');
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : 'syntax error';
    return { ok: false, message: `is not a regular expression: ${reason}` };
  }
  try {
    const states: State[] = [];
    build(new Parser(source).parse(), states);
    states.push({ kind: 'match' });
    return {
      ok: true,
      pattern: {
        matches: (text) => matchesAll(states, text),
        example: (random) => exampleOf(states, random),
      },
    };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, message: error.message };
    throw error;
  }
}
