import { compileNumberBranches, compileTextBranches } from './branch-loops.ts';
import type { ColumnSource } from './column-source.ts';
import { dateDifference } from './date-difference.ts';
import { type Fold, FOLDS, equalsAny, NUMBER_FUNCTIONS, PAIR_LOOPS } from './number-loops.ts';
import { type DateUnit, isCondition } from './signatures.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { textLengths, compareTextPairs, textEqualsAny } from './text-loops.ts';
import type { TypedNode } from './typed-expression.ts';
import type { Numbers, TextValues } from './value-readers.ts';

type Sources = ReadonlyMap<string, ColumnSource>;
type Call = TypedNode & { kind: 'call' };

/** Comparisons that have a result even if metadata are missing; `!=` is computed from `=`. */
const EQUALITIES: ReadonlySet<string> = new Set(['=', 'in', 'contains']);

const isMetadata = (node: TypedNode): boolean => node.kind === 'column' && node.isMetadata;

/** Compiles the loops of one expression over one table, for at most `size` rows at a time. Each loop keeps one buffer of that size. */
export class LoopCompiler {
  readonly #sources: Sources;
  readonly #size: number;

  constructor(sources: Sources, size: number) {
    this.#sources = sources;
    this.#size = size;
  }

  numbers(node: TypedNode): Numbers {
    if (node.kind === 'column') return this.#numberColumn(node.name);
    const out = new Float64Array(this.#size);
    if (node.kind === 'constant') {
      out.fill(typeof node.value === 'number' ? node.value : NaN);
      return () => out;
    }
    return this.#numberCall(node, out);
  }

  texts(node: TypedNode): TextValues {
    if (node.kind === 'column') return this.#textColumn(node.name);
    const out = new Array<string | null>(this.#size).fill(null);
    if (node.kind === 'constant') {
      out.fill(typeof node.value === 'string' ? node.value : null);
      return () => out;
    }
    return this.#textCall(node, out);
  }

  #source(name: string): ColumnSource {
    const source = this.#sources.get(name);
    if (!source) throw new Error(`column ${name} was not handed in`);
    return source;
  }

  #numberColumn(name: string): Numbers {
    const source = this.#source(name);
    if (source.kind === 'texts') throw new Error(`column ${name} holds texts`);
    if (source.kind === 'numbers') return (first, count) => source.values.subarray(first, first + count);
    const out = new Float64Array(this.#size);
    return (first, count) => {
      source.read(first, out.subarray(0, count));
      return out;
    };
  }

  #textColumn(name: string): TextValues {
    const source = this.#source(name);
    if (source.kind !== 'texts') throw new Error(`column ${name} holds numbers`);
    return (first, count) => {
      const texts = source.texts.slice(first, first + count);
      // A column can have fewer rows than requested.
      while (texts.length < count) texts.push(null);
      return texts;
    };
  }

  /** Applies a function row by row. */
  #rowByRow(
    args: readonly TypedNode[],
    out: Float64Array,
    value: (row: number, operands: Float64Array[]) => number,
  ): Numbers {
    const operands = args.map((arg) => this.numbers(arg));
    return (first, count) => {
      const ready = operands.map((operand) => operand(first, count));
      for (let row = 0; row < count; row++) out[row] = value(row, ready);
      return out;
    };
  }

  #numberCall(node: Call, out: Float64Array): Numbers {
    const compared = this.#plainCall(node, out);
    return EQUALITIES.has(node.name) && node.args.some(isMetadata)
      ? this.#falseForMissingMetadata(node, compared)
      : compared;
  }

  /** Missing metadata are equal to no value: if only metadata are missing, an equality is false instead of unknown. */
  #falseForMissingMetadata({ args }: Call, compared: Numbers): Numbers {
    const others = args.filter((arg) => !isMetadata(arg)).map((arg) => this.#isPresent(arg));
    return (first, count) => {
      const present = others.map((test) => test(first, count));
      const values = compared(first, count);
      for (let row = 0; row < count; row++)
        if (Number.isNaN(values[row]!) && present.every((isPresent) => isPresent(row))) values[row] = 0;
      return values;
    };
  }

  #plainCall(node: Call, out: Float64Array): Numbers {
    const { name, args } = node;
    const [a, b] = args as [TypedNode, TypedNode];
    switch (name) {
      case 'if':
      case 'case':
        return compileNumberBranches(
          args.map((arg) => this.numbers(arg)),
          out,
        );
      case 'coalesce':
        return this.#rowByRow(args, out, (row, ready) => {
          for (const values of ready) if (!Number.isNaN(values[row]!)) return values[row]!;
          return NaN;
        });
      case 'count':
      case 'isnull':
        return this.#presence(node, out);
      case 'in':
        if (a.type !== 'text') return this.#rowByRow(args, out, equalsAny);
        return textEqualsAny(
          args.map((arg) => this.texts(arg)),
          out,
        );
      case '!=': {
        const equal = this.numbers({ ...node, name: '=' });
        return (first, count) => {
          const values = equal(first, count);
          for (let row = 0; row < count; row++) out[row] = 1 - values[row]!;
          return out;
        };
      }
      case 'datediff': {
        const unit = (args[2]?.kind === 'constant' ? args[2].value : 'days') as DateUnit;
        return this.#rowByRow([a, b], out, (row, [from, to]) => dateDifference(from![row]!, to![row]!, unit));
      }
      case 'len':
        return textLengths(this.texts(a), out);
      case 'contains':
        return compareTextPairs('contains', this.texts(a), this.texts(b), out);
    }
    if (a.type === 'text') return compareTextPairs(name, this.texts(a), this.texts(b), out);
    const fold = FOLDS.get(name);
    if (fold) return this.#fold(args, fold, out);
    const pair = args.length === 2 ? PAIR_LOOPS.get(name) : undefined;
    if (pair) {
      const [left, right] = [this.numbers(a), this.numbers(b)];
      return (first, count) => {
        pair(left(first, count), right(first, count), out, count);
        return out;
      };
    }
    const compute = NUMBER_FUNCTIONS.get(name);
    if (!compute) throw new Error(`no loop for ${name}`);
    const operand = this.numbers(a);
    return (first, count) => {
      const values = operand(first, count);
      for (let row = 0; row < count; row++) out[row] = compute(values[row]!);
      return out;
    };
  }

  /** Processes one argument over all rows at a time, so that each loop stays short. */
  #fold(args: readonly TypedNode[], { start, loop, end }: Fold, out: Float64Array): Numbers {
    const operands = args.map((arg) => this.numbers(arg));
    const counts = new Uint16Array(this.#size);
    return (first, count) => {
      out.fill(start, 0, count);
      counts.fill(0, 0, count);
      for (const operand of operands) loop(operand(first, count), out, counts, count);
      for (let row = 0; row < count; row++) out[row] = counts[row] === 0 ? NaN : end(out[row]!, counts[row]!);
      return out;
    };
  }

  #isPresent(node: TypedNode): (first: number, count: number) => (row: number) => boolean {
    if (node.type === 'text') {
      const texts = this.texts(node);
      return (first, count) => {
        const values = texts(first, count);
        return (row) => values[row] !== null;
      };
    }
    const numbers = this.numbers(node);
    return (first, count) => {
      const values = numbers(first, count);
      return (row) => !Number.isNaN(values[row]!);
    };
  }

  /** count: the number of present values. isnull: 1 if the only value is missing. */
  #presence({ name, args }: Call, out: Float64Array): Numbers {
    const tests = args.map((arg) => this.#isPresent(arg));
    return (first, count) => {
      const present = tests.map((test) => test(first, count));
      for (let row = 0; row < count; row++) {
        let found = 0;
        for (const isPresent of present) if (isPresent(row)) found++;
        out[row] = name === 'isnull' ? 1 - found : found;
      }
      return out;
    };
  }

  #textCall({ name, args }: Call, out: (string | null)[]): TextValues {
    const [a] = args as [TypedNode];
    if (name === 'label') return this.#label(a, out);
    if (name === 'if' || name === 'case') {
      const condition = (index: number) => isCondition(index, args.length);
      return compileTextBranches(
        args.map((arg, index) => (condition(index) ? this.numbers(arg) : null)),
        args.map((arg, index) => (condition(index) ? null : this.texts(arg))),
        out,
      );
    }
    const operands = args.map((arg) => (arg.type === 'text' ? this.texts(arg) : this.#numberAsText(arg)));
    const compute = TEXT_FUNCTIONS.get(name);
    if (!compute) throw new Error(`no loop for ${name}`);
    return (first, count) => {
      const ready = operands.map((operand) => operand(first, count));
      for (let row = 0; row < count; row++) out[row] = compute(ready.map((values) => values[row] ?? null));
      return out;
    };
  }

  #label(column: TypedNode, out: (string | null)[]): TextValues {
    const labels = column.kind === 'column' ? column.labels : null;
    const codes = this.numbers(column);
    return (first, count) => {
      const values = codes(first, count);
      for (let row = 0; row < count; row++) out[row] = labels?.get(values[row]!) ?? null;
      return out;
    };
  }

  /** Formats a number as it is written in an expression. */
  #numberAsText(node: TypedNode): TextValues {
    const numbers = this.numbers(node);
    const out = new Array<string | null>(this.#size).fill(null);
    return (first, count) => {
      const values = numbers(first, count);
      for (let row = 0; row < count; row++)
        out[row] = Number.isNaN(values[row]!) ? null : String(values[row]!);
      return out;
    };
  }
}
