import {
  type ColumnSource,
  type DateUnit,
  isCondition,
  type Texts,
  type TypedNode,
} from './check-expression.ts';
import { getTimeZone, UTC } from '../../lib/time-zone.ts';
import { equalsAny, type Fold, FOLDS, NUMBER_FUNCTIONS, PAIR_LOOPS } from './number-loops.ts';

/** Reads the values of rows `first` to `first + count`. The result is a shared buffer, valid until the next call. */
type Numbers = (first: number, count: number) => Float64Array;
type TextValues = (first: number, count: number) => Texts;

/** Evaluates from the last argument to the first, so that an earlier condition overwrites later results. */
function compileNumberBranches(operands: readonly Numbers[], out: Float64Array): Numbers {
  const last = operands.length % 2 === 1 ? operands.at(-1) : undefined;
  return (first, count) => {
    if (last) out.set(last(first, count).subarray(0, count));
    else out.fill(NaN, 0, count);
    for (let index = operands.length - (last ? 3 : 2); index >= 0; index -= 2) {
      const conditionValues = operands[index]!(first, count);
      const values = operands[index + 1]!(first, count);
      for (let row = 0; row < count; row++) {
        const condition = conditionValues[row]!;
        if (condition !== 0) out[row] = condition === 1 ? values[row]! : NaN;
      }
    }
    return out;
  };
}

/** `conditions` and `values` have the positions of the arguments, null for arguments of the other kind. */
function compileTextBranches(
  conditions: readonly (Numbers | null)[],
  values: readonly (TextValues | null)[],
  out: (string | null)[],
): TextValues {
  return (first, count) => {
    const conditionValues = conditions.map((condition) => condition?.(first, count) ?? new Float64Array(0));
    const texts = values.map((value) => value?.(first, count) ?? []);
    for (let row = 0; row < count; row++) out[row] = texts[chooseBranch(conditionValues, row)]?.[row] ?? null;
    return out;
  };
}

/** The index of the chosen argument of if and case. -1 is null: no condition is true, or one is unknown before any is true. */
function chooseBranch(args: readonly Float64Array[], row: number): number {
  let index = 0;
  for (; index < args.length - 1; index += 2) {
    const condition = args[index]![row]!;
    if (condition === 1) return index + 1;
    if (Number.isNaN(condition)) return -1;
  }
  return index < args.length ? index : -1;
}

const MINUTE_MS = 60_000;
const UNIT_MS = {
  minutes: MINUTE_MS,
  hours: 60 * MINUTE_MS,
  days: 1_440 * MINUTE_MS,
  weeks: 7 * 1_440 * MINUTE_MS,
};

/** Completed units from one date to another (milliseconds UTC); negative if the second is earlier, NaN if one is missing. */
function dateDifference(from: number, to: number, unit: DateUnit): number {
  if (Number.isNaN(from) || Number.isNaN(to)) return NaN;
  if (unit === 'months') return completedMonths(from, to);
  if (unit === 'years') return Math.trunc(completedMonths(from, to) / 12);
  return Math.trunc((to - from) / UNIT_MS[unit]);
}

function completedMonths(from: number, to: number): number {
  if (to < from) return -completedMonths(to, from);
  const first = new Date(from);
  const last = new Date(to);
  const months =
    (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth();
  return intoMonth(last) < intoMonth(first) ? months - 1 : months;
}

/** Milliseconds since the start of the month. */
function intoMonth(date: Date): number {
  return date.getTime() - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** A loop that compares texts, NaN where one is missing. Texts are compared by UTF-16 units; case matters. */
type PairLoop = (a: Texts, b: Texts, out: Float64Array, count: number) => void;

const equal: PairLoop = (a, b, out, count) => {
  for (let row = 0; row < count; row++) {
    const x = a[row]!;
    const y = b[row]!;
    out[row] = x === null || y === null ? NaN : x === y ? 1 : 0;
  }
};

function createPairLoop(predicate: (x: string, y: string) => boolean): PairLoop {
  return (a, b, out, count) => {
    for (let row = 0; row < count; row++) {
      const x = a[row]!;
      const y = b[row]!;
      out[row] = x === null || y === null ? NaN : predicate(x, y) ? 1 : 0;
    }
  };
}

const TEXT_PAIR_LOOPS: ReadonlyMap<string, PairLoop> = new Map([
  ['=', equal],
  ['<', createPairLoop((x, y) => x < y)],
  ['<=', createPairLoop((x, y) => x <= y)],
  ['>', createPairLoop((x, y) => x > y)],
  ['>=', createPairLoop((x, y) => x >= y)],
  ['contains', createPairLoop((x, y) => x.includes(y))],
]);

/** Evaluates `a name b` for each row as 1, 0 or NaN into `out`, and returns it. */
function compareTextPairs(name: string, a: TextValues, b: TextValues, out: Float64Array): Numbers {
  const loop = TEXT_PAIR_LOOPS.get(name);
  if (!loop) throw new Error(`no loop for texts and ${name}`);
  return (first, count) => {
    loop(a(first, count), b(first, count), out, count);
    return out;
  };
}

/** Counts characters, not UTF-16 units: an emoji is one. */
function textLengths(operand: TextValues, out: Float64Array): Numbers {
  return (first, count) => {
    const texts = operand(first, count);
    for (let row = 0; row < count; row++) {
      const text = texts[row]!;
      out[row] = text === null ? NaN : Array.from(text).length;
    }
    return out;
  };
}

/** A number as it is written in an expression, with a sign. */
const NUMBER_TEXT = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** Reads texts as numbers; NaN where a text is none. */
function textsAsNumbers(operand: TextValues, out: Float64Array): Numbers {
  return (first, count) => {
    const texts = operand(first, count);
    for (let row = 0; row < count; row++) {
      const text = texts[row]!;
      const value = text !== null && NUMBER_TEXT.test(text) ? Number(text) : NaN;
      out[row] = Number.isFinite(value) ? value : NaN;
    }
    return out;
  };
}

/** Same as a = b or a = c: unknown if no value is equal and at least one is missing. */
function textEqualsAny(operands: readonly TextValues[], out: Float64Array): Numbers {
  return (first, count) => {
    const [wanted, ...others] = operands.map((operand) => operand(first, count));
    for (let row = 0; row < count; row++) {
      const text = wanted![row]!;
      let found = 0;
      for (const values of others) {
        const other = values[row]!;
        if (text === null || other === null) found = found === 1 ? 1 : NaN;
        else if (other === text) {
          found = 1;
          break;
        }
      }
      out[row] = found;
    }
    return out;
  };
}

/** A longer text is missing in a derived column, so that nested concat calls cannot exhaust the memory. */
export const MAX_TEXT_LENGTH = 32_767;

type TextFunction = (texts: (string | null)[]) => string | null;

function mapText(change: (text: string) => string): TextFunction {
  return ([text]) => (text === null || text === undefined ? null : change(text));
}

/** Missing if one of the texts is missing, except for coalesce. */
const TEXT_FUNCTIONS: ReadonlyMap<string, TextFunction> = new Map([
  ['lower', mapText((text) => text.toLowerCase())],
  ['upper', mapText((text) => text.toUpperCase())],
  ['trim', mapText((text) => text.trim())],
  ['coalesce', (texts: (string | null)[]) => texts.find((text) => text !== null) ?? null],
  [
    'concat',
    (texts: (string | null)[]) => {
      if (texts.includes(null)) return null;
      const joined = texts.join('');
      return joined.length > MAX_TEXT_LENGTH ? null : joined;
    },
  ],
]);

/** 1 if the first operand lies in one of the spans, whose first and last values follow. */
function isInSpan(row: number, [values, ...bounds]: Float64Array[]): number {
  const value = values![row]!;
  if (Number.isNaN(value)) return NaN;
  for (let at = 0; at + 1 < bounds.length; at += 2)
    if (value >= bounds[at]![row]! && value <= bounds[at + 1]![row]!) return 1;
  return 0;
}

type Sources = ReadonlyMap<string, ColumnSource>;
type Call = TypedNode & { kind: 'call' };

/** Comparisons that have a result even if metadata are missing; `!=` is computed from `=`. */
const EQUALITIES: ReadonlySet<string> = new Set(['=', 'in', 'in_span', 'contains']);

const isMetadata = (node: TypedNode): boolean => node.kind === 'column' && node.isMetadata;

export interface LoopOptions {
  /** Whether equality and `contains` of texts ignore case, as in filters; computed columns distinguish it. */
  ignoresCase?: boolean;
}

/** Compiles the loops of one expression over one table, for at most `size` rows at a time. Each loop keeps one buffer of that size. */
export class LoopCompiler {
  readonly #sources: Sources;
  readonly #size: number;
  readonly #ignoresCase: boolean;

  constructor(sources: Sources, size: number, { ignoresCase = false }: LoopOptions = {}) {
    this.#sources = sources;
    this.#size = size;
    this.#ignoresCase = ignoresCase;
  }

  numbers(node: TypedNode): Numbers {
    if (node.kind === 'column') return this.#numberColumn(node);
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

  #numberColumn({ name, named }: TypedNode & { kind: 'column' }): Numbers {
    const source = this.#source(name);
    if (source.kind === 'texts') throw new Error(`column ${name} holds texts`);
    if (source.kind === 'numbers') return (first, count) => source.values.subarray(first, first + count);
    const out = new Float64Array(this.#size);
    const read = named.length > 0 && source.readerOf ? source.readerOf(named) : source.read;
    return (first, count) => {
      read(first, out.subarray(0, count));
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
          args.map((arg) => this.#comparedTexts(arg)),
          out,
        );
      case 'in_span':
        return this.#rowByRow(args, out, isInSpan);
      case 'local_time': {
        const zone = getTimeZone(b.kind === 'constant' ? String(b.value) : UTC);
        return this.#rowByRow([a], out, (row, [times]) => zone.wallClockMs(times![row]!));
      }
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
      case 'number':
        return textsAsNumbers(this.texts(a), out);
      case 'contains':
        return compareTextPairs('contains', this.#comparedTexts(a), this.#comparedTexts(b), out);
    }
    if (a.type === 'text' && name === '=')
      return compareTextPairs(name, this.#comparedTexts(a), this.#comparedTexts(b), out);
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

  /** Texts for a comparison for equality. */
  #comparedTexts(node: TypedNode): TextValues {
    const texts = this.texts(node);
    if (!this.#ignoresCase) return texts;
    return (first, count) => texts(first, count).map((text) => text?.toLowerCase() ?? null);
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
