import { type Amount, amount } from './figure.ts';

/**
 * Runs the candidates alternately (A B C, A B C …), so that other load affects all of them in the same way. The first round warms up and
 * is not counted.
 */
export async function interleaved<Name extends string, Reached>(
  rounds: number,
  contestants: Record<Name, () => Promise<Reached> | Reached>,
): Promise<Record<Name, Reached[]>> {
  const names = Object.keys(contestants) as Name[];
  const reached = Object.fromEntries(names.map((name) => [name, [] as Reached[]])) as Record<Name, Reached[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const value = await contestants[name]();
      if (round > 0) reached[name].push(value);
    }
  }
  return reached;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The smallest value that at least this share of values does not exceed. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)]!;

/** The median of the ratios of each round: neighbours in time are compared. */
export const medianRatio = (of: readonly number[], to: readonly number[]): number =>
  median(of.map((value, round) => value / to[round]!));

/** The median of measured milliseconds. */
export const medianTime = (milliseconds: readonly number[], note?: string): Amount =>
  amount(median(milliseconds), 'ms', note);

/** Runs once and returns the milliseconds. */
export async function measureMs(run: () => unknown): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}
