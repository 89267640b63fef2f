import { type CountSum, findDerivableCounts } from './derivable-counts.ts';

/**
 * Which counts must not be told, so that nobody learns of a group of fewer than `minBase` respondents: those that are small
 * themselves, and as many others as it takes that no sum gives one of them away. `counts` are all that a reader knows or could work
 * out, `sums` how they hang together; nobody is no group, so a count of 0 may always be told. `sensitive` ones are hidden as well.
 *
 * Kept are three rules. In every sum whose total is told the hidden parts are at least two and together at least `minBase`: with 1 to 4
 * as what is hidden, "two parts, 2 in all" would be 1 and 1. No combination of sums, added and subtracted, has one hidden count alone
 * on its side (L. H. Cox, "Suppression methodology and statistical disclosure control", JASA 75, 1980), nor several that are few in all.
 */
export function findSuppressedCounts(
  counts: readonly number[],
  sums: readonly CountSum[],
  minBase: number,
  sensitive: ReadonlySet<number> = new Set(),
): ReadonlySet<number> {
  const hidden = new Set(sensitive);
  counts.forEach((count, index) => {
    if (count > 0 && count < minBase) hidden.add(index);
  });
  if (hidden.size === 0) return hidden;
  const sumsOf = counts.map((): CountSum[] => []);
  for (const sum of sums) for (const index of [sum.total, ...sum.parts]) sumsOf[index]!.push(sum);

  /** Hides the smallest count that still stands in these sums, their totals last; false: none is left. */
  const hideOneOf = (among: readonly CountSum[]): boolean => {
    const stands = (index: number) => !hidden.has(index) && counts[index]! > 0;
    const parts = among.flatMap((sum) => sum.parts).filter(stands);
    const left = parts.length > 0 ? parts : among.map(({ total }) => total).filter(stands);
    if (left.length === 0) return false;
    hidden.add(left.reduce((least, index) => (counts[index]! < counts[least]! ? index : least)));
    return true;
  };
  const isOpen = ({ total, parts }: CountSum): boolean => {
    if (hidden.has(total)) return false;
    const inside = parts.filter((index) => hidden.has(index));
    const remainder = inside.reduce((sum, index) => sum + counts[index]!, 0);
    return inside.length === 1 || (inside.length > 1 && remainder < minBase);
  };

  for (;;) {
    for (let settled = false; !settled;) {
      settled = true;
      for (const sum of sums) while (isOpen(sum) && hideOneOf([sum])) settled = false;
    }
    const givenAway = findDerivableCounts(counts, sums, hidden, minBase);
    if (givenAway.length === 0) return hidden;
    for (const indices of givenAway) {
      const near = indices.flatMap((index) => sumsOf[index]!);
      const touched = sums.filter(
        ({ total, parts }) => hidden.has(total) || parts.some((part) => hidden.has(part)),
      );
      if (!hideOneOf(near) && !hideOneOf(touched)) return hidden;
    }
  }
}
