import type { ReplicateDesign } from './sample-design.ts';

/**
 * The covariance of two estimates from their values with each replicate weight: scale · Σ r (a - ā)(b - b̄), as `svrVar` of the R package
 * survey. Replicates without one of the estimates (NaN) are left out.
 */
function covarianceOfPair(
  design: Pick<ReplicateDesign, 'scale' | 'replicateScales' | 'isAroundEstimate'>,
  first: { estimate: number; byReplicate: Float64Array },
  second: { estimate: number; byReplicate: Float64Array },
): number {
  const { scale, replicateScales, isAroundEstimate } = design;
  const [a, b] = [first.byReplicate, second.byReplicate];
  let [centerA, centerB] = [first.estimate, second.estimate];
  if (!isAroundEstimate) {
    let [sumA, sumB, count] = [0, 0, 0];
    for (let index = 0; index < a.length; index++) {
      if (!(replicateScales[index]! > 0) || Number.isNaN(a[index]! + b[index]!)) continue;
      sumA += a[index]!;
      sumB += b[index]!;
      count++;
    }
    [centerA, centerB] = [sumA / count, sumB / count];
  }
  let sum = 0;
  for (let index = 0; index < a.length; index++) {
    if (Number.isNaN(a[index]! + b[index]!)) continue;
    sum += replicateScales[index]! * (a[index]! - centerA) * (b[index]! - centerB);
  }
  return scale * sum;
}

/**
 * The covariances of estimates, by row; with `onlyVariances` their variances.
 *
 * @param byReplicate the values of each estimate with each replicate weight
 */
export function covarianceOfReplicates(
  design: Pick<ReplicateDesign, 'scale' | 'replicateScales' | 'isAroundEstimate'>,
  estimates: Float64Array,
  byReplicate: readonly Float64Array[],
  onlyVariances: boolean,
): Float64Array {
  const { length: size } = estimates;
  const partOf = (index: number) => ({ estimate: estimates[index]!, byReplicate: byReplicate[index]! });
  if (onlyVariances) {
    return Float64Array.from(byReplicate, (_, index) =>
      covarianceOfPair(design, partOf(index), partOf(index)),
    );
  }
  const covariance = new Float64Array(size * size);
  for (let first = 0; first < size; first++) {
    for (let second = 0; second <= first; second++) {
      const value = covarianceOfPair(design, partOf(first), partOf(second));
      covariance[first * size + second] = value;
      covariance[second * size + first] = value;
    }
  }
  return covariance;
}
