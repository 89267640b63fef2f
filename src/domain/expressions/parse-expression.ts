import { sizeAtMost } from '../../lib/error-messages.ts';

/** An error in an expression and its position. `position` counts UTF-16 units from 0, as editors do. */
export interface ExpressionError {
  message: string;
  position: number;
  length: number;
}

export type ExpressionResult<T> = { ok: true; value: T } | { ok: false; error: ExpressionError };

/** A range of the source text. */
export interface Span {
  position: number;
  length: number;
}

/** Thrown inside this folder only; exported functions return the error as a value. */
export class InvalidExpressionError extends Error {
  readonly error: ExpressionError;

  constructor(message: string, { position, length }: Span) {
    super(message);
    this.error = { message, position, length };
  }
}

/** Returns an InvalidExpressionError as a value; rethrows other errors. */
export function catchInvalidExpression<T>(work: () => T): ExpressionResult<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof InvalidExpressionError) return { ok: false, error: error.error };
    throw error;
  }
}

/** The range from the start of one span to the end of another. */
export function spanOf(first: Span, last: Span): Span {
  return { position: first.position, length: last.position + last.length - first.position };
}

type Token = Span &
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
/** The code of a question in a loop ends with an item: `Q5[A]`. */
const WORD = /[\p{L}_][\p{L}\p{N}\p{M}_]*(?:\[[A-Za-z0-9_-]{1,20}\][\p{L}\p{N}\p{M}_]*)?/uy;
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

/** Throws InvalidExpressionError at the first invalid character. `end` follows the last token. */
function tokenize(source: string): { tokens: readonly Token[]; end: Token } {
  const tokens: Token[] = [];
  let position = 0;
  for (;;) {
    position += match(SPACE, source, position)?.length ?? 0;
    if (position >= source.length) break;
    const token = nextToken(source, position);
    tokens.push(token);
    position += token.length;
  }
  return { tokens, end: { kind: 'end', position: source.length, length: 0 } };
}

/** Returns the expression with other names of columns; an invalid one unchanged. */
export function renameColumns(source: string, rename: (name: string) => string): string {
  const read = catchInvalidExpression(() => tokenize(source).tokens);
  if (!read.ok) return source;
  let renamed = '';
  let end = 0;
  read.value.forEach((token, index) => {
    const next = read.value[index + 1];
    const isFunction = next?.kind === 'operator' && next.operator === '(';
    if (token.kind !== 'name' || (isFunction && !token.quoted)) return;
    const name = rename(token.name);
    renamed += source.slice(end, token.position) + (token.quoted ? `\`${name}\`` : name);
    end = token.position + token.length;
  });
  return renamed + source.slice(end);
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
  const character = String.fromCodePoint(source.codePointAt(position) ?? 0);
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

/** A parsed expression. Operators are calls named by their symbol; a minus before a value is `unary -`. */
export type SyntaxNode = Span &
  (
    | { kind: 'number'; value: number }
    | { kind: 'text'; value: string }
    | { kind: 'boolean'; value: boolean }
    | { kind: 'null' }
    | { kind: 'column'; name: string }
    | { kind: 'call'; name: string; args: SyntaxNode[]; nameSpan: Span }
  );

export const MAX_EXPRESSION_LENGTH = 2_000;
/** Nested parentheses, calls, signs and powers; a long sum is not deep. */
const MAX_DEPTH = 100;

/** From loosest to tightest. `not` is between `and` and the comparisons, a sign binds tighter than `*`, and `^` tighter than signs. */
const PRECEDENCE = new Map([
  ['or', 1],
  ['and', 2],
  ...['=', '!=', '<', '<=', '>', '>=', 'in'].map((operator) => [operator, 4] as const),
  ...['+', '-'].map((operator) => [operator, 5] as const),
  ...['*', '/', '%'].map((operator) => [operator, 6] as const),
]);
const NOT = 3;
const COMPARISON = 4;
const SIGN = 7;

/** Throws InvalidExpressionError. */
export function parseExpression(source: string): SyntaxNode {
  if (source.length > MAX_EXPRESSION_LENGTH) {
    throw new InvalidExpressionError(sizeAtMost(MAX_EXPRESSION_LENGTH, 'character', source.length), {
      position: MAX_EXPRESSION_LENGTH,
      length: source.length - MAX_EXPRESSION_LENGTH,
    });
  }
  return new Parser(tokenize(source)).parse();
}

/** Returns the first syntax error with its place; null: there is none. */
export function syntaxProblem(source: string): string | null {
  const parsed = catchInvalidExpression(() => parseExpression(source));
  return parsed.ok ? null : describeExpressionError(parsed.error);
}

/** Returns the message of an error with its place, which people count from 1. */
export const describeExpressionError = ({ message, position }: ExpressionError): string =>
  `${message} (at character ${position + 1})`;

/** Returns the names of the columns in an expression, without duplicates; none if it is invalid. */
export function columnNamesIn(source: string): string[] {
  const parsed = catchInvalidExpression(() => parseExpression(source));
  return parsed.ok ? [...new Set(namesIn(parsed.value))] : [];
}

function namesIn(node: SyntaxNode): string[] {
  if (node.kind === 'column') return [node.name];
  return node.kind === 'call' ? node.args.flatMap(namesIn) : [];
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  #at = 0;
  #depth = 0;

  constructor({ tokens, end }: { tokens: readonly Token[]; end: Token }) {
    this.#tokens = tokens;
    this.#end = end;
  }

  parse(): SyntaxNode {
    const node = this.#binary(0);
    const rest = this.#token;
    if (rest.kind !== 'end') throw new InvalidExpressionError(`${quoteToken(rest)} cannot stand here`, rest);
    return node;
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? this.#end;
  }

  #isOperator(operator: string): boolean {
    return this.#token.kind === 'operator' && this.#token.operator === operator;
  }

  /** Operators that bind at least as tightly as `lowest`. */
  #binary(lowest: number): SyntaxNode {
    let left = this.#prefixed(lowest);
    let compared = false;
    for (;;) {
      const token = this.#token;
      if (token.kind !== 'operator') return left;
      const precedence = PRECEDENCE.get(token.operator);
      if (precedence === undefined || precedence < lowest) return left;
      if (precedence === COMPARISON && compared)
        throw new InvalidExpressionError('comparisons do not chain: write a < b and b < c', token);
      compared = precedence === COMPARISON;
      this.#at++;
      if (token.operator === 'in') {
        const { args, last } = this.#arguments(token);
        left = call('in', [left, ...args], { nameToken: token, span: spanOf(left, last) });
      } else {
        const right = this.#binary(precedence + 1);
        left = call(token.operator, [left, right], { nameToken: token, span: spanOf(left, right) });
      }
    }
  }

  #prefixed(lowest: number): SyntaxNode {
    const token = this.#token;
    if (this.#isOperator('not') && lowest <= NOT) {
      this.#at++;
      const operand = this.#nested(token, () => this.#binary(NOT));
      return call('not', [operand], { nameToken: token, span: spanOf(token, operand) });
    }
    if (this.#isOperator('-')) {
      this.#at++;
      const operand = this.#nested(token, () => this.#binary(SIGN));
      return call('unary -', [operand], { nameToken: token, span: spanOf(token, operand) });
    }
    const base = this.#primary();
    const sign = this.#token;
    if (!this.#isOperator('^')) return base;
    this.#at++;
    const exponent = this.#nested(sign, () => this.#binary(SIGN));
    return call('^', [base, exponent], { nameToken: sign, span: spanOf(base, exponent) });
  }

  #primary(): SyntaxNode {
    const token = this.#token;
    this.#at++;
    const { position, length } = token;
    if (token.kind === 'number' || token.kind === 'text')
      return { kind: token.kind, value: token.value, position, length } as SyntaxNode;
    if (token.kind === 'name') return this.#name(token);
    if (token.kind === 'operator' && token.operator === '(') {
      const inside = this.#nested(token, () => this.#binary(0));
      return { ...inside, ...spanOf(token, this.#closingParenthesis(token)) };
    }
    if (token.kind === 'operator' && token.operator === 'in') {
      const { args, last } = this.#arguments(token);
      return call('in', args, { nameToken: token, span: spanOf(token, last) });
    }
    if (token.kind === 'end') throw new InvalidExpressionError('a value is missing at the end', token);
    throw new InvalidExpressionError(`a value is missing before ${quoteToken(token)}`, token);
  }

  #name(token: Token & { kind: 'name' }): SyntaxNode {
    const { name, quoted, position, length } = token;
    const lower = name.toLowerCase();
    if (!quoted && this.#isOperator('(')) {
      const { args, last } = this.#arguments(token);
      return call(lower, args, { nameToken: token, span: spanOf(token, last) });
    }
    if (!quoted && lower === 'null') return { kind: 'null', position, length };
    if (!quoted && (lower === 'true' || lower === 'false'))
      return { kind: 'boolean', value: lower === 'true', position, length };
    return { kind: 'column', name, position, length };
  }

  /** Parses `(a, b, …)` after a function name or `in`. */
  #arguments(after: Span): { args: SyntaxNode[]; last: Span } {
    const opening = this.#token;
    if (!this.#isOperator('('))
      throw new InvalidExpressionError('a list in parentheses is missing, such as (1, 2)', after);
    this.#at++;
    const args: SyntaxNode[] = [];
    if (!this.#isOperator(')')) {
      args.push(this.#nested(opening, () => this.#binary(0)));
      while (this.#isOperator(',')) {
        this.#at++;
        args.push(this.#nested(opening, () => this.#binary(0)));
      }
    }
    return { args, last: this.#closingParenthesis(opening) };
  }

  #closingParenthesis(opening: Span): Token {
    const token = this.#token;
    if (token.kind === 'end') throw new InvalidExpressionError('this parenthesis is not closed', opening);
    if (!this.#isOperator(')'))
      throw new InvalidExpressionError(
        `${quoteToken(token)} cannot stand here: an operator, a comma or ) is missing`,
        token,
      );
    this.#at++;
    return token;
  }

  #nested(at: Span, parse: () => SyntaxNode): SyntaxNode {
    if (++this.#depth > MAX_DEPTH)
      throw new InvalidExpressionError(`nests more than ${MAX_DEPTH} levels`, at);
    const node = parse();
    this.#depth--;
    return node;
  }
}

function call(
  name: string,
  args: SyntaxNode[],
  { nameToken, span }: { nameToken: Span; span: Span },
): SyntaxNode {
  const nameSpan = { position: nameToken.position, length: nameToken.length };
  return { kind: 'call', name, args, nameSpan, ...span };
}

function quoteToken(token: Token): string {
  switch (token.kind) {
    case 'operator':
      return `"${token.operator}"`;
    case 'name':
      return `"${token.name}"`;
    case 'number':
      return `the number ${token.value}`;
    case 'text':
      return 'a text';
    case 'end':
      return 'the end';
  }
}
