import type { Texts } from './column-source.ts';
import type { Numbers, TextValues } from './value-readers.ts';

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

const PAIR_LOOPS: ReadonlyMap<string, PairLoop> = new Map([
  ['=', equal],
  ['<', createPairLoop((x, y) => x < y)],
  ['<=', createPairLoop((x, y) => x <= y)],
  ['>', createPairLoop((x, y) => x > y)],
  ['>=', createPairLoop((x, y) => x >= y)],
  ['contains', createPairLoop((x, y) => x.includes(y))],
]);

/** Evaluates `a name b` for each row as 1, 0 or NaN into `out`, and returns it. */
export function compareTextPairs(name: string, a: TextValues, b: TextValues, out: Float64Array): Numbers {
  const loop = PAIR_LOOPS.get(name);
  if (!loop) throw new Error(`no loop for texts and ${name}`);
  return (first, count) => {
    loop(a(first, count), b(first, count), out, count);
    return out;
  };
}

/** Counts characters, not UTF-16 units: an emoji is one. */
export function textLengths(operand: TextValues, out: Float64Array): Numbers {
  return (first, count) => {
    const texts = operand(first, count);
    for (let row = 0; row < count; row++) {
      const text = texts[row]!;
      out[row] = text === null ? NaN : Array.from(text).length;
    }
    return out;
  };
}

/** Same as a = b or a = c: unknown if no value is equal and at least one is missing. */
export function textEqualsAny(operands: readonly TextValues[], out: Float64Array): Numbers {
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
