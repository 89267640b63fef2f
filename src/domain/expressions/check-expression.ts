import { sizeAtLeast, sizeAtMost, unknownObject, unknownValue } from '../../lib/error-messages.ts';
import { formatList } from '../../lib/format-list.ts';
import { quote } from '../../lib/quote.ts';
import { findSimilar } from '../dataset/columns/similar-codes.ts';
import { resolveOptionValue } from '../survey/logic/condition-names.ts';
import { InvalidExpressionError, type ExpressionResult, catchInvalidExpression } from './expression-error.ts';
import { parseExpression } from './parse-expression.ts';
import { coerce, FUNCTIONS, OPERATORS } from './signatures.ts';
import type { SyntaxNode } from './syntax.ts';
import type {
  ExpressionColumn,
  ExpressionColumns,
  ExpressionType,
  OpenNode,
  TypedNode,
} from './typed-expression.ts';

export interface CheckedExpression {
  type: ExpressionType;
  /** The columns it reads, without duplicates, in order of appearance and with their actual names. */
  columnNames: readonly string[];
  root: TypedNode;
}

/**
 * Parses an expression over these columns and determines its type, which must be `wanted` if given. The lookup of names decides whether
 * case matters. Errors are returned with their position.
 */
export function checkExpression(
  source: string,
  columns: ExpressionColumns,
  wanted?: ExpressionType,
): ExpressionResult<CheckedExpression> {
  return catchInvalidExpression(() => {
    const checker = new Checker(columns);
    const open = checker.check(parseExpression(source));
    const root = coerce(open, wanted ?? (open.type === 'null' ? 'number' : open.type));
    return { type: root.type, columnNames: [...checker.columnNames], root };
  });
}

class Checker {
  readonly columnNames = new Set<string>();
  readonly #columns: ExpressionColumns;

  constructor(columns: ExpressionColumns) {
    this.#columns = columns;
  }

  check(node: SyntaxNode): OpenNode {
    const { position, length } = node;
    switch (node.kind) {
      case 'number':
      case 'text':
        return { kind: 'constant', type: node.kind, value: node.value, position, length };
      case 'boolean':
        return { kind: 'constant', type: 'boolean', value: Number(node.value), position, length };
      case 'null':
        return { kind: 'null', type: 'null', position, length };
      case 'column':
        return this.#column(node);
      case 'call':
        return this.#call(node);
    }
  }

  #column(node: SyntaxNode & { kind: 'column' }): OpenNode {
    const { name: written, position, length } = node;
    const column = this.#columns.get(written);
    if (!column) {
      const name = truncateName(written);
      const message = FUNCTIONS.has(name.toLowerCase())
        ? `${unknownObject('column', name)}; ${name} is a function: ${name}(…)`
        : unknownObject('column', name, '', { similar: findSimilar(name, this.#columns.keys()) });
      throw new InvalidExpressionError(message, node);
    }
    if (column.problem !== undefined) throw new InvalidExpressionError(column.problem, node);
    const { name = written, type, labels = null, isFlag = false, isMetadata = false } = column;
    this.columnNames.add(name);
    return { kind: 'column', name, type, labels, isFlag, isMetadata, position, length };
  }

  #call(node: SyntaxNode & { kind: 'call' }): OpenNode {
    const { name, nameSpan, position, length } = node;
    const signature = OPERATORS.get(name) ?? FUNCTIONS.get(name);
    if (!signature) {
      const similar = findSimilar(name, FUNCTIONS.keys());
      throw new InvalidExpressionError(
        unknownObject('function', truncateName(name), '', { similar }),
        nameSpan,
      );
    }
    const { min, max } = signature;
    const given = node.args.length;
    if (given < min || given > max) {
      const message = given < min ? sizeAtLeast(min, 'argument', given) : sizeAtMost(max, 'argument', given);
      throw new InvalidExpressionError(`${name} ${message}`, nameSpan);
    }
    return {
      kind: 'call',
      name,
      ...signature.check(this.#arguments(node)),
      position,
      length,
    };
  }

  /** In a comparison of a coded column with a text, the text names an option: `gender = "Female"`. */
  #arguments({ name, args }: SyntaxNode & { kind: 'call' }): OpenNode[] {
    const checked = args.map((arg) => this.check(arg));
    if (!OPTION_COMPARISONS.has(name)) return checked;
    const columns = checked.flatMap((arg) =>
      arg.kind === 'column' ? (this.#columns.get(arg.name) ?? []) : [],
    );
    const options = columns.find((column) => column.type === 'number' && column.options)?.options;
    return options === undefined ? checked : checked.map((arg) => replaceLabelByCode(arg, options));
  }
}

/** Only comparisons for equality identify an option. */
const OPTION_COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', 'in']);
const LISTED_LABELS = 5;

function replaceLabelByCode(node: OpenNode, options: NonNullable<ExpressionColumn['options']>): OpenNode {
  if (node.kind !== 'constant' || typeof node.value !== 'string') return node;
  const text = node.value;
  const found = resolveOptionValue(text, options);
  if (typeof found === 'object') throw new InvalidExpressionError(found.message, node);
  const option = options.find(({ value }) => value === found);
  if (option === undefined) {
    const accepted = formatList(options, LISTED_LABELS, ({ label }) => quote(label));
    throw new InvalidExpressionError(unknownValue(text, 'an option', { accepted }), node);
  }
  return { ...node, type: 'number', value: option.code };
}

/** A name can have up to 2,000 characters; messages quote its beginning. */
function truncateName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}
