/**
 * Decimal fractions have no exact binary form, so that 0.1 + 0.2 is 0.30000000000000004. Numbers that agree to more than 14 digits are
 * therefore equal, and results are rounded as decimals.
 */

/** 18 units in the last place of a double: more than the errors of some sums, less than a digit that anyone writes. */
const RELATIVE_SLACK = 4e-15;
/** Above this the slack would reach whole numbers. */
const MAX_WITH_SLACK = 1e13;

/** The distance up to which numbers equal `value`. */
export function decimalSlack(value: number): number {
  const size = Math.abs(value);
  return size < MAX_WITH_SLACK ? size * RELATIVE_SLACK : 0;
}

/** 0 where the difference of numbers of this size is only a rounding error. */
export const withoutResidue = (difference: number, size: number): number =>
  Math.abs(difference) <= decimalSlack(size) ? 0 : difference;

/** The integer that a value equals but for a rounding error, else the value. */
function snapToInteger(value: number): number {
  const integer = Math.round(value);
  return Math.abs(value - integer) <= decimalSlack(value) ? integer : value;
}

export const floorDecimal = (value: number): number => Math.floor(snapToInteger(value));
export const ceilDecimal = (value: number): number => Math.ceil(snapToInteger(value));

/** The remainder with the sign of the dividend; 0 for 0.3 % 0.1. */
export function remainderOf(dividend: number, divisor: number): number {
  if (Number.isInteger(dividend) && Number.isInteger(divisor)) return dividend % divisor;
  const isMultiple = Number.isInteger(snapToInteger(dividend / divisor));
  return isMultiple && Math.abs(dividend / divisor) < MAX_WITH_SLACK ? 0 : dividend % divisor;
}

/** Rounding near a half needs decimal digits. */
const NEAR_HALF = 1e-6;
const MAX_DIGITS = 15;

/** Rounds decimal halves away from zero, as SPSS and spreadsheets do: 1.005 to 1.01. Negative digits round to tens, hundreds, … */
export function roundDecimal(value: number, digits: number): number {
  const places = Math.trunc(digits);
  const scale = 10 ** places;
  const scaled = Math.abs(value) * scale;
  if (!Number.isFinite(scaled) || scaled >= 10 ** MAX_DIGITS) return value;
  if (scale === 0) return 0;
  const isNearHalf = Math.abs(scaled - Math.floor(scaled) - 0.5) < NEAR_HALF;
  const exact = isNearHalf ? shiftDecimal(Math.abs(value), places) : scaled;
  return Math.sign(value) * shiftDecimal(Math.floor(exact + 0.5), -places);
}

/** value · 10^places, by the 15 significant digits of the value. */
function shiftDecimal(value: number, places: number): number {
  const [digits = '0', exponent = '0'] = value.toPrecision(MAX_DIGITS).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
