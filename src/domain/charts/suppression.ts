import { type CountSum, findDerivableCounts } from './derivable-counts.ts';

/**
 * Finds the counts to suppress so that no group of fewer than `minBase` respondents is disclosed: small counts (primary suppression) and
 * as many others as needed so that no sum reveals them (complementary suppression). `counts` are all counts that a reader can see or
 * derive, `sums` the relations between them. A count of 0 is always disclosed, because an empty group has no respondents to reveal.
 * Counts in `sensitive` are suppressed too.
 *
 * Three rules hold for the result. In every sum with a disclosed total, at least two parts are suppressed, and together they have at
 * least `minBase` respondents: if suppressed counts are 1 to 4, "two parts, 2 in total" would be 1 and 1. No linear combination of sums
 * isolates one suppressed count (L. H. Cox, "Suppression methodology and statistical disclosure control", JASA 75, 1980). None isolates
 * several counts with a small total.
 */
export function findSuppressedCounts(
  counts: readonly number[],
  sums: readonly CountSum[],
  minBase: number,
  sensitive: ReadonlySet<number> = new Set(),
): ReadonlySet<number> {
  const suppressed = new Set(sensitive);
  counts.forEach((count, index) => {
    if (count > 0 && count < minBase) suppressed.add(index);
  });
  if (suppressed.size === 0) return suppressed;
  const sumsOf = counts.map((): CountSum[] => []);
  for (const sum of sums) for (const index of [sum.total, ...sum.parts]) sumsOf[index]!.push(sum);

  /** Suppresses the smallest count of these sums that is still disclosed, totals last. Returns false if none is left. */
  const hideOneOf = (among: readonly CountSum[]): boolean => {
    const isDisclosed = (index: number) => !suppressed.has(index) && counts[index]! > 0;
    const parts = among.flatMap((sum) => sum.parts).filter(isDisclosed);
    const left = parts.length > 0 ? parts : among.map(({ total }) => total).filter(isDisclosed);
    if (left.length === 0) return false;
    suppressed.add(left.reduce((least, index) => (counts[index]! < counts[least]! ? index : least)));
    return true;
  };
  const isOpen = ({ total, parts }: CountSum): boolean => {
    if (suppressed.has(total)) return false;
    const inside = parts.filter((index) => suppressed.has(index));
    const remainder = inside.reduce((sum, index) => sum + counts[index]!, 0);
    return inside.length === 1 || (inside.length > 1 && remainder < minBase);
  };

  for (;;) {
    for (let isStable = false; !isStable;) {
      isStable = true;
      for (const sum of sums) while (isOpen(sum) && hideOneOf([sum])) isStable = false;
    }
    const derived = findDerivableCounts(counts, sums, suppressed, minBase);
    if (derived.length === 0) return suppressed;
    for (const indices of derived) {
      const near = indices.flatMap((index) => sumsOf[index]!);
      const affectedSums = sums.filter(
        ({ total, parts }) => suppressed.has(total) || parts.some((part) => suppressed.has(part)),
      );
      if (!hideOneOf(near) && !hideOneOf(affectedSums)) return suppressed;
    }
  }
}
