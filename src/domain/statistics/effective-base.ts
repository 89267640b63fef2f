/**
 * How many equally weighted responses would be as precise: (Σw)² / Σw². L. Kish, Survey Sampling (1965). Equal to the number of
 * responses when all weights are equal; 0 without any.
 */
export function effectiveBase(weight: number, squaredWeight: number): number {
  return squaredWeight > 0 ? (weight * weight) / squaredWeight : 0;
}
