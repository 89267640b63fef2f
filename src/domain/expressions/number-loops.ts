import {
  ceilDecimal,
  decimalSlack,
  floorDecimal,
  remainderOf,
  roundDecimal,
  withoutResidue,
} from './decimals.ts';

/**
 * A loop over numbers, NaN where missing. `out` is none of the operands. Results that are not finite (division by zero, overflow) are
 * missing: `r - r` is 0 only for a finite r. Common operators have their own loop, because a shared loop would call a function for every
 * value.
 */
type Loop = (a: Float64Array, b: Float64Array, out: Float64Array, count: number) => void;

const finite = (value: number): number => (value - value === 0 ? value : NaN);

const add: Loop = (a, b, out, count) => {
  for (let row = 0; row < count; row++) {
    const value = a[row]! + b[row]!;
    out[row] = value - value === 0 ? withoutResidue(value, b[row]!) : NaN;
  }
};
const subtract: Loop = (a, b, out, count) => {
  for (let row = 0; row < count; row++) {
    const value = a[row]! - b[row]!;
    out[row] = value - value === 0 ? withoutResidue(value, b[row]!) : NaN;
  }
};
const multiply: Loop = (a, b, out, count) => {
  for (let row = 0; row < count; row++) {
    const value = a[row]! * b[row]!;
    out[row] = value - value === 0 ? value : NaN;
  }
};
const divide: Loop = (a, b, out, count) => {
  for (let row = 0; row < count; row++) {
    const value = a[row]! / b[row]!;
    out[row] = value - value === 0 ? value : NaN;
  }
};
const equal: Loop = (a, b, out, count) => {
  for (let row = 0; row < count; row++) {
    const x = a[row]!;
    const y = b[row]!;
    out[row] = x === y ? 1 : x < y || x > y ? Number(Math.abs(x - y) <= decimalSlack(y)) : NaN;
  }
};
const less: Loop = (a, b, out, count) => {
  for (let row = 0; row < count; row++) {
    const x = a[row]!;
    const y = b[row]!;
    out[row] = x < y ? Number(y - x > decimalSlack(y)) : x >= y ? 0 : NaN;
  }
};
const atMost: Loop = (a, b, out, count) => {
  for (let row = 0; row < count; row++) {
    const x = a[row]!;
    const y = b[row]!;
    out[row] = x <= y ? 1 : x > y ? Number(x - y <= decimalSlack(y)) : NaN;
  }
};
/** False if either operand is false, even if the other is missing. */
const and: Loop = (a, b, out, count) => {
  for (let row = 0; row < count; row++) {
    const x = a[row]!;
    const y = b[row]!;
    out[row] = x === 0 || y === 0 ? 0 : x * y;
  }
};
/** True if either operand is true, even if the other is missing. */
const or: Loop = (a, b, out, count) => {
  for (let row = 0; row < count; row++) {
    const x = a[row]!;
    const y = b[row]!;
    out[row] = x === 1 || y === 1 ? 1 : x + y;
  }
};

function createLoop(compute: (x: number, y: number) => number): Loop {
  return (a, b, out, count) => {
    for (let row = 0; row < count; row++) {
      const x = a[row]!;
      const y = b[row]!;
      // NaN ^ 0 would be 1.
      out[row] = x === x && y === y ? finite(compute(x, y)) : NaN;
    }
  };
}

const swapped =
  (loop: Loop): Loop =>
  (a, b, out, count) =>
    loop(b, a, out, count);

/** The sign of a remainder is that of the dividend. */
export const PAIR_LOOPS: ReadonlyMap<string, Loop> = new Map([
  ['+', add],
  ['-', subtract],
  ['*', multiply],
  ['/', divide],
  ['%', createLoop(remainderOf)],
  ['^', createLoop(Math.pow)],
  ['pow', createLoop(Math.pow)],
  ['round', createLoop(roundDecimal)],
  ['=', equal],
  ['<', less],
  ['>', swapped(less)],
  ['<=', atMost],
  ['>=', swapped(atMost)],
  ['and', and],
  ['or', or],
]);

/** Functions of one number; NaN gives NaN. */
export const NUMBER_FUNCTIONS: ReadonlyMap<string, (value: number) => number> = new Map([
  ['unary -', (value: number) => -value],
  ['not', (value: number) => 1 - value],
  ['abs', Math.abs],
  ['round', (value: number) => roundDecimal(value, 0)],
  ['floor', floorDecimal],
  ['ceil', ceilDecimal],
  ['ln', (value: number) => finite(Math.log(value))],
  ['exp', (value: number) => finite(Math.exp(value))],
  ['sqrt', Math.sqrt],
  ['year', (date: number) => new Date(date).getUTCFullYear()],
  ['month', (date: number) => new Date(date).getUTCMonth() + 1],
  ['day', (date: number) => new Date(date).getUTCDate()],
]);

/** Combines several numbers into one and skips missing values: initial value, step per column, final value. */
export interface Fold {
  start: number;
  loop: (values: Float64Array, soFar: Float64Array, counts: Uint16Array, count: number) => void;
  end: (soFar: number, count: number) => number;
}

const addTo: Fold['loop'] = (values, soFar, counts, count) => {
  for (let row = 0; row < count; row++) {
    const value = values[row]!;
    if (value !== value) continue;
    soFar[row]! += value;
    counts[row]!++;
  }
};
const lower: Fold['loop'] = (values, soFar, counts, count) => {
  for (let row = 0; row < count; row++) {
    const value = values[row]!;
    if (value !== value) continue;
    if (value < soFar[row]!) soFar[row] = value;
    counts[row]!++;
  }
};
const raise: Fold['loop'] = (values, soFar, counts, count) => {
  for (let row = 0; row < count; row++) {
    const value = values[row]!;
    if (value !== value) continue;
    if (value > soFar[row]!) soFar[row] = value;
    counts[row]!++;
  }
};

/** Missing if all values are missing. */
export const FOLDS: ReadonlyMap<string, Fold> = new Map([
  ['sum', { start: 0, loop: addTo, end: finite }],
  ['mean', { start: 0, loop: addTo, end: (sum: number, count: number) => finite(sum / count) }],
  ['min', { start: Infinity, loop: lower, end: finite }],
  ['max', { start: -Infinity, loop: raise, end: finite }],
]);

/** Same as a = b or a = c: unknown if no value is equal and at least one is missing. */
export function equalsAny(row: number, [wanted, ...others]: Float64Array[]): number {
  const value = wanted![row]!;
  let unknown = Number.isNaN(value);
  for (const values of others) {
    const other = values[row]!;
    if (other === value || Math.abs(other - value) <= decimalSlack(other)) return 1;
    if (Number.isNaN(other)) unknown = true;
  }
  return unknown ? NaN : 0;
}
