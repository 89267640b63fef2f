const WANTED_INTERVALS = 20;

/** The smallest of 1, 2, 5 times a power of ten that covers the range in about twenty steps. */
function niceStep(min: number, max: number): number {
  const raw = max / WANTED_INTERVALS - min / WANTED_INTERVALS;
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= raw) ?? 10;
  return factor * power;
}

/** The names of an interval, and where the next one begins. */
interface Interval {
  value: string;
  label: string;
  end: number;
}

/**
 * Divides a range into equal intervals `[a, b)` with round edges. Returns a function that names the interval of a value: value `a..b`,
 * label `a to under b`.
 */
export function createIntervals(min: number, max: number): (value: number) => Interval {
  const step = niceStep(min, max);
  // Multiples of 0.1 are not exact in binary; rounding to twelve digits hides that in names and comparisons.
  const edge = (index: number) => Number((index * step).toPrecision(12));
  return (value) => {
    const quotient = Math.floor(value / step);
    const index =
      edge(quotient + 1) <= value ? quotient + 1 : edge(quotient) > value ? quotient - 1 : quotient;
    const [from, to] = [edge(index), edge(index + 1)];
    return { value: `${from}..${to}`, label: `${from} to under ${to}`, end: to };
  };
}
