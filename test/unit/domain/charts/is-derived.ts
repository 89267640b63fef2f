import type { CountSum } from '../../../../src/domain/charts/disclosure/protection.ts';

/** Checks whether a count can be derived from the sums, modulo a prime, so that it shares no arithmetic with the tested code. */
export function isDerived(position: number, sums: readonly CountSum[], hidden: ReadonlySet<number>): boolean {
  const PRIME = 1_000_003n;
  const unknowns = [...hidden];
  const rows = sums.map(({ total, parts }) =>
    unknowns.map(
      (unknown) => BigInt(parts.filter((part) => part === unknown).length) - (total === unknown ? 1n : 0n),
    ),
  );
  const rank = (matrix: bigint[][]): number => {
    const left = matrix.map((row) => row.map((value) => ((value % PRIME) + PRIME) % PRIME));
    let found = 0;
    for (let column = 0; column < unknowns.length; column++) {
      const pivot = left.findIndex((row, index) => index >= found && row[column] !== 0n);
      if (pivot < 0) continue;
      [left[found], left[pivot]] = [left[pivot]!, left[found]!];
      for (let row = 0; row < left.length; row++) {
        if (row === found || left[row]![column] === 0n) continue;
        const [a, b] = [left[found]![column]!, left[row]![column]!];
        left[row] = left[row]!.map(
          (value, index) => (((value * a - left[found]![index]! * b) % PRIME) + PRIME) % PRIME,
        );
      }
      found++;
    }
    return found;
  };
  const alone = unknowns.map((unknown) => (unknown === position ? 1n : 0n));
  return rank([...rows, alone]) === rank(rows);
}
