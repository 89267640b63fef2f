/**
 * The number of equally weighted responses with the same precision: (Σw)² / Σw². L. Kish, Survey Sampling (1965). Equals the number of
 * responses if all weights are equal; 0 without responses.
 */
export function computeEffectiveBase(weight: number, squaredWeight: number): number {
  return squaredWeight > 0 ? (weight * weight) / squaredWeight : 0;
}
