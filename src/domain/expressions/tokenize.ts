import { InvalidExpressionError, type Span } from './expression-error.ts';

export type Token = Span &
  (
    | { kind: 'number'; value: number }
    | { kind: 'text'; value: string }
    /** A word. In backquotes it is always a column. */
    | { kind: 'name'; name: string; quoted: boolean }
    /** Symbols, and the word operators in lower case. */
    | { kind: 'operator'; operator: string }
    | { kind: 'end' }
  );

const SPACE = /\s+/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}_][\p{L}\p{N}\p{M}_]*/uy;
const OPERATOR = /==|<>|!=|<=|>=|[-+*/%^=<>(),]/y;
/** A doubled quote inside is a literal quote. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]+`/y;

const WORD_OPERATORS = new Set(['and', 'or', 'not', 'in']);
const OTHER_SPELLINGS = new Map([
  ['==', '='],
  ['<>', '!='],
]);

function match(pattern: RegExp, source: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(source)?.[0];
}

/** Throws InvalidExpressionError at the first invalid character. The last token is `end`. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (;;) {
    position += match(SPACE, source, position)?.length ?? 0;
    if (position >= source.length) break;
    const token = nextToken(source, position);
    tokens.push(token);
    position += token.length;
  }
  return [...tokens, { kind: 'end', position: source.length, length: 0 }];
}

function nextToken(source: string, position: number): Token {
  const number = match(NUMBER, source, position);
  if (number !== undefined) return numberToken(number, position);
  const word = match(WORD, source, position);
  if (word !== undefined) return wordToken(word, position);
  const quoted = match(QUOTED, source, position);
  if (quoted !== undefined) return quotedToken(quoted, position);
  const operator = match(OPERATOR, source, position);
  if (operator === undefined) return rejectCharacter(source, position);
  return {
    kind: 'operator',
    operator: OTHER_SPELLINGS.get(operator) ?? operator,
    position,
    length: operator.length,
  };
}

function numberToken(text: string, position: number): Token {
  const value = Number(text);
  const span = { position, length: text.length };
  if (!Number.isFinite(value)) throw new InvalidExpressionError(`the number ${text} is too large`, span);
  return { kind: 'number', value, ...span };
}

function wordToken(word: string, position: number): Token {
  const span = { position, length: word.length };
  const lower = word.toLowerCase();
  return WORD_OPERATORS.has(lower)
    ? { kind: 'operator', operator: lower, ...span }
    : { kind: 'name', name: word, quoted: false, ...span };
}

function quotedToken(quoted: string, position: number): Token {
  const span = { position, length: quoted.length };
  const quote = quoted.charAt(0);
  const inside = quoted.slice(1, -1);
  if (quote === '`') return { kind: 'name', name: inside, quoted: true, ...span };
  return { kind: 'text', value: inside.replaceAll(quote + quote, quote), ...span };
}

function rejectCharacter(source: string, position: number): never {
  const character = String.fromCodePoint(source.codePointAt(position)!);
  if (`'"\``.includes(character)) {
    const span = { position, length: source.length - position };
    throw new InvalidExpressionError(`a text that begins with ${character} does not end`, span);
  }
  const hint = character === '.' ? '; a column has no members' : '';
  throw new InvalidExpressionError(`"${character}" cannot stand here${hint}`, {
    position,
    length: character.length,
  });
}
