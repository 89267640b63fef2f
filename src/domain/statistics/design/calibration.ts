import { factorizeSymmetric, solveSymmetric, type SymmetricFactor } from '../../../lib/symmetric-matrix.ts';

/**
 * How weights were calibrated (raking, GREG): known totals of auxiliary variables take that part of the variance away that the variables
 * explain. J.-C. Deville, C.-E. Särndal, "Calibration estimators in survey sampling", JASA 87 (1992).
 */
export interface Calibration {
  /** By row; they include the constant 1, or categories that add up to it. */
  auxiliary: readonly Float64Array[];
  /** The weights before calibration, by row. */
  baseWeights: Float64Array;
  /** Of X'DX, where D are the base weights. */
  factor: SymmetricFactor;
}

/** @param rows the rows with a weight */
export function describeCalibration(
  auxiliary: readonly Float64Array[],
  baseWeights: Float64Array,
  rows: ArrayLike<number>,
): Calibration {
  const { length: size } = auxiliary;
  const products = new Float64Array(size * size);
  for (let position = 0; position < rows.length; position++) {
    const row = rows[position]!;
    for (let first = 0; first < size; first++) {
      const weighted = auxiliary[first]![row]! * baseWeights[row]!;
      for (let second = 0; second <= first; second++) {
        products[first * size + second]! += weighted * auxiliary[second]![row]!;
      }
    }
  }
  for (let first = 0; first < size; first++) {
    for (let second = 0; second < first; second++)
      products[second * size + first] = products[first * size + second]!;
  }
  return { auxiliary, baseWeights, factor: factorizeSymmetric(products, size) };
}

/** What each row adds: calls `add` for each influence value that is not 0. */
export type RowValues = (row: number, add: (slot: number, value: number) => void) => void;

/** Regression coefficients of each of `size` influence columns on the auxiliary variables, by slot. */
export function regressInfluence(
  { auxiliary, baseWeights, factor }: Calibration,
  rows: Int32Array,
  size: number,
  influence: RowValues,
): Float64Array[] {
  const products = Array.from({ length: size }, () => new Float64Array(auxiliary.length));
  for (const row of rows) {
    influence(row, (slot, value) => {
      const weighted = value * baseWeights[row]!;
      const sums = products[slot]!;
      for (let index = 0; index < auxiliary.length; index++)
        sums[index]! += weighted * auxiliary[index]![row]!;
    });
  }
  return products.map((right) => solveSymmetric(factor, right));
}
