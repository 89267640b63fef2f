const WANTED_INTERVALS = 20;

/** The smallest of 1, 2, 5 times a power of ten that covers the range in about twenty steps. */
function niceStep(min: number, max: number): number {
  const raw = max / WANTED_INTERVALS - min / WANTED_INTERVALS;
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= raw) ?? 10;
  return factor * power;
}

/** An interval's names, and where the next begins. */
interface Interval {
  value: string;
  label: string;
  end: number;
}

/**
 * Equal intervals `[a, b)` over a range, on round numbers, so that none closes at its upper end; gives the name of the interval
 * that a value lies in: its value is `a..b`, its label `a to under b`.
 */
export function createIntervals(min: number, max: number): (value: number) => Interval {
  const step = niceStep(min, max);
  // Multiples of 0.1 are no exact numbers: twelve digits hide that, in the names and in the comparison.
  const edge = (index: number) => Number((index * step).toPrecision(12));
  return (value) => {
    const quotient = Math.floor(value / step);
    const index =
      edge(quotient + 1) <= value ? quotient + 1 : edge(quotient) > value ? quotient - 1 : quotient;
    const [from, to] = [edge(index), edge(index + 1)];
    return { value: `${from}..${to}`, label: `${from} to under ${to}`, end: to };
  };
}
